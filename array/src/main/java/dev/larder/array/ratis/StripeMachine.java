package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StripeState;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.array.stripe.StripeState.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The state of a stripe, under the name that Ratis gives it. A snapshot is not a file. It is the place up to which the state is
 * durable: Ratis begins to apply after it, and drops the entries before it.
 */
final class StripeMachine extends BaseStateMachine {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    private final StripeState state;
    private final Executor threads;
    private final Optional<EntryData> data;
    private final AtomicBoolean logFailed = new AtomicBoolean();
    private volatile RaftServer.@Nullable Division division;

    /** Why an entry was not applied while the member was being closed; used by the thread that applies entries. */
    private @Nullable Throwable unapplied;

    StripeMachine(StripeState state) {
        this(
                state,
                end -> Thread.ofPlatform().daemon().name("larder-array-failed").start(end));
    }

    /** The same, with other threads to end the member. */
    StripeMachine(StripeState state, Executor threads) {
        this.state = state;
        this.threads = threads;
        this.data = state.values().map(EntryData::new);
    }

    @Override
    public StateMachine.DataApi data() {
        return data.isPresent() ? data.get() : super.data();
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        Optional<TransactionContext> split = data.flatMap(own -> own.split(this, request));
        return split.isPresent() ? split.get() : super.startTransaction(request);
    }

    /**
     * Refuses an entry whose time was taken in another term. Ratis calls this under the member's lock, so the term stays, and
     * before the entry has a place in the log.
     */
    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) throws IOException {
        RaftServer.Division own = division;
        if (own != null) {
            EntryMessage.requireTerm(transaction, own.getInfo().getCurrentTerm());
        }
        return super.preAppendTransaction(transaction);
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId stripe, RaftStorage storage) throws IOException {
        super.initialize(server, stripe, storage);
        division = server.getDivision(stripe);
    }

    /**
     * Closes the member that could not be started. Ratis 3.3.0 forgets it, and keeps its folder locked: no later start in this
     * process would succeed. Ratis knows no log that it could not open, and does not close it.
     */
    void endFailedStart() {
        RaftServer.Division failed = division;
        if (failed != null) {
            failed.close();
            LogEviction.endAll(failed.getMemberId());
        }
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        Place durable = state.durable();
        return durable.index() < 0
                ? null
                : new FileListSnapshotInfo(List.of(), TermIndex.valueOf(durable.term(), durable.index()));
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        Throwable former = unapplied;
        if (former != null) {
            return CompletableFuture.failedFuture(former);
        }
        LogEntryProto entry = Objects.requireNonNull(transaction.getLogEntry());
        Place place = new Place(entry.getTerm(), entry.getIndex());
        ByteString reply;
        try {
            reply = UnsafeByteOperations.unsafeWrap(apply(place, entry, EntryMessage.reads(transaction)));
        } catch (RuntimeException | Error e) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    getId() + " stops: it cannot apply entry " + place.index() + ": " + e,
                    e);
            state.failed(e);
            if (!isClosing()) {
                throw e; // Ratis then closes the member
            }
            unapplied = e; // whoever closes it waits until Ratis has handed over all committed entries
            return CompletableFuture.failedFuture(e);
        }
        updateLastAppliedTermIndex(place.term(), place.index());
        state.reached(place.index());
        return CompletableFuture.completedFuture(Message.valueOf(reply));
    }

    private boolean isClosing() {
        RaftServer.Division own = division;
        return own != null && !own.getInfo().isAlive();
    }

    private ByteBuffer apply(Place place, LogEntryProto entry, EntryReads reads) {
        ByteBuffer log = entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer();
        return data.isPresent() && EntryData.isIn(entry)
                ? state.apply(place, log, data.get().values(entry), reads)
                : state.apply(place, log, reads);
    }

    @Override
    public long takeSnapshot() {
        state.sync();
        return state.durable().index();
    }

    /** Keeps the store with all applied entries, so that none is applied again. The log is closed next. */
    @Override
    public void close() throws IOException {
        super.close();
        RaftServer.Division own = division;
        if (own != null) {
            LogEviction.end(own.getRaftLog());
        }
        state.sync();
    }

    /**
     * Handles a leader's log that begins at an entry: this member may lack some before it. Ratis also reports this to each member
     * that is added, and to one whose appender was made anew. Those continue with the log, if they have the needed entries.
     */
    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(RoleInfoProto role, TermIndex first) {
        try {
            if (first.getIndex() > 0) {
                division().filter(own -> !has(own.getRaftLog(), first)).ifPresent(own -> behind(own, first));
            }
        } catch (RuntimeException e) { // an exception would leave Ratis waiting for a snapshot
            return CompletableFuture.failedFuture(e);
        }
        return CompletableFuture.completedFuture(null); // it has no snapshot that Ratis could install
    }

    /** Returns the member; empty if it is just being removed. */
    private Optional<RaftServer.Division> division() {
        try {
            return Optional.of(getServer().join().getDivision(getGroupId()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns whether a log has an entry of the leader's log, and so all before it. */
    private static boolean has(RaftLog log, TermIndex entry) {
        TermIndex own = log.getTermIndex(entry.getIndex());
        return own == null ? entry.getIndex() < log.getStartIndex() : own.getTerm() == entry.getTerm();
    }

    /**
     * Reports that this member lacks entries. Its log may continue where the leader's begins, but with entries of another term.
     * Then the leader cannot tell where the two logs part. Those entries were never committed. A state that has the leader's
     * first entry replaces the log, even if the log goes further.
     */
    private void behind(RaftServer.Division own, TermIndex first) {
        boolean isParted = own.getRaftLog().getNextIndex() > first.getIndex();
        RaftPeerId leader =
                own.getInfo().getLeaderId(); // Ratis has recorded the leader and its term, and holds its lock
        int node = leader == null
                ? LogBeginning.UNKNOWN
                : MemberName.parse(leader.toString()).node();
        Place begin = new Place(first.getTerm(), first.getIndex());
        state.behind(
                new LogBeginning(begin, node, own.getInfo().getCurrentTerm()),
                isParted ? first.getIndex() : first.getIndex() - 1);
    }

    /** Called when this member has ceased to lead, and may not know the new leader yet. */
    @Override
    public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
        state.roleChanged();
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        state.reached(index);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        state.roleChanged();
    }

    /**
     * Ends the member: Ratis would go on without a log, and keep all later entries in the heap. It reports each of them. Another
     * thread ends the member, since it waits for the end of this one.
     */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        if (cause instanceof EntryGoneException || logFailed.getAndSet(true)) {
            return; // an entry was dropped before it was sent: the member that lacks it pulls files
        }
        LOGGER.log(System.Logger.Level.ERROR, getId() + " stops: it cannot write its log: " + cause, cause);
        try {
            state.failed(cause); // first: it needs no thread
        } finally {
            end();
        }
    }

    private void end() {
        boolean isBegun = false;
        try {
            RaftServer.Division own = division;
            if (own != null) {
                threads.execute(own::close);
            }
            isBegun = true;
        } finally {
            if (!isBegun) { // no thread could start: the next report tries again
                logFailed.set(false);
            }
        }
    }
}
