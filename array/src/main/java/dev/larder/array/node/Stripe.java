package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.barrier.WaitingRead;
import dev.larder.array.node.Leadership.Claim;
import dev.larder.array.ratis.LogEnd;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.slots.Membership;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StoreStripe;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** This node's member of a stripe, and the access to it. Thread-safe. */
public final class Stripe implements Lane.Log {

    /** The error that Redis sends to clients which wait at a master that becomes a replica. */
    private static final String NOT_LEADING =
            "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** The first refusal that may start an election. One comes each 200 ms; before, members exchange where their logs end. */
    private static final int REFUSALS_FIRST = 2;

    /** The refusals between two turns: a member stands for election unless another has won meanwhile. */
    private static final int REFUSALS_A_TURN = 3;

    private static final int NOBODY = -1;

    /** A term in which no member leads. */
    private static final long NO_TERM = 0;

    private static final Duration TRANSFER_MOST = Duration.ofSeconds(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A task that waits until another node leads, or this one in a later term. */
    private record Redirection(long term, Runnable task, long untilNanos) {}

    private final int number;
    private final UUID id;
    private final RaftNode raft;
    private final LocalMember member;
    private final ReadBarrier barrier;
    private final StoreStripe state;
    private final Lane lane;

    private final MirrorAge age;
    private final EntryTrail trail = new EntryTrail();

    private final Queue<Redirection> redirections = new ConcurrentLinkedQueue<>();

    /** The node whose process ended while it led, until another leads. */
    private volatile int lost = NOBODY;

    /** Whether this member has stood for election since then. Guarded by this. */
    private boolean stood;

    /** Whether clients have read keys here since this member leads: they may keep copies. */
    private volatile boolean hasServed;

    /** Whether this member is removed: {@link #redirect} is not called again. */
    private volatile boolean ended;

    private long ledTerm = -1; // used by the ticking thread only
    private CompletableFuture<Boolean> yielding = CompletableFuture.completedFuture(true); // likewise
    private volatile long elections;

    /** The members by the last entry that this leader knows to be committed. */
    private volatile Membership settled = new Membership(-1, Set.of(), Set.of(), Set.of(), Set.of());

    /**
     * Creates a member whose Raft, barrier and state exist already.
     *
     * @param ageMost how old its answers may be if it is a mirror
     */
    public Stripe(int number, UUID id, RaftNode raft, ReadBarrier barrier, StoreStripe state, Duration ageMost) {
        this.number = number;
        this.id = id;
        this.raft = raft;
        this.member = raft.member(id);
        this.barrier = barrier;
        this.state = state;
        this.lane = new Lane(this);
        this.age = new MirrorAge(
                ageMost, System::nanoTime, ThreadLocalRandom.current().nextLong());
        state.onRoleChange(this::endWaitsUnlessReady);
    }

    /** Returns the number of the stripe. */
    public int number() {
        return number;
    }

    /** Returns the stripe's identity. */
    public UUID id() {
        return id;
    }

    /** Returns the name of this member. */
    MemberName name() {
        return member.name();
    }

    /** Returns the term of this member. */
    long term() {
        return member.term();
    }

    RaftNode raft() {
        return raft;
    }

    /**
     * Returns whether this node leads and serves. A witness that was elected does not serve: it hands over. Nor does a member that
     * has failed: its store may have a part of an entry.
     */
    public boolean isReady() {
        return !isWitness() && member.isReady() && !state.hasFailed();
    }

    /**
     * Returns whether this node leads and serves, for a command that reads next. If the node ceases to lead, clients that keep
     * copies are notified: they may miss changes from then on.
     */
    boolean beginServing() {
        if (!isReady()) {
            return false;
        }
        if (hasServed) {
            return true;
        }
        hasServed = true;
        return isReady(); // else it may have ceased to lead before, and no client would be notified
    }

    /** Returns whether this member keeps the log, and no store. */
    boolean isWitness() {
        return state.isWitness();
    }

    /** Returns this node's claim, if it leads. */
    Optional<Claim> claim() {
        long term = member.term();
        if (!isReady() || !member.leadsIn(term)) {
            return Optional.empty();
        }
        if (raft.configurations().isSettled(id)) {
            settled = raft.configurations().members(id);
        }
        return Optional.of(new Claim(id, term, settled));
    }

    /** Returns the node that leads, as this member knows. */
    OptionalInt leader() {
        return raft.leader(id).stream().mapToInt(name -> name.node()).findFirst();
    }

    /** Ends all waits in the store: its member has failed, and applies no more entries. Clients forget their copies of keys. */
    void failed() {
        leave();
    }

    private void leave() {
        hasServed = false;
        state.shared().endWaits(NOT_LEADING);
        state.stores().unheard();
    }

    /**
     * Ends the waits of clients if this node does not lead: another node acknowledges what they wait for. Clients that keep
     * copies of keys forget them.
     */
    void endWaitsUnlessReady() {
        if (!isReady()) {
            if (hasServed) {
                leave();
            } else {
                state.shared().endWaits(NOT_LEADING);
            }
        }
    }

    /** Ends all waits: this member is removed. */
    void end() {
        leave();
        ended = true;
        state.appliedIndex().end();
        redirect(); // the waiting tasks look again, and find no member
    }

    /** Returns the error to a client that waited. */
    static byte[] notLeading() {
        return ("-" + NOT_LEADING + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    Lane lane() {
        return lane;
    }

    /** Returns how many rounds of the barrier this node has begun. */
    long barrierRounds() {
        return barrier.rounds(id);
    }

    /** Returns the state that its entries change. */
    public StoreStripe state() {
        return state;
    }

    CompletableFuture<ByteBuffer> submit(ByteBuffer entry) {
        return raft.submit(id, entry, EntryReads.NONE);
    }

    /** Submits an entry of one term, with the reads between its operations. */
    @Override
    public CompletableFuture<ByteBuffer> submit(long term, ByteBuffer entry, EntryReads reads) {
        return raft.submit(id, term, entry, reads);
    }

    /**
     * Returns the term in which this node leads and serves; {@link #NO_TERM} if it does not. The term is read first: if it still
     * is the present one later, this node has led and served in it since.
     */
    @Override
    public long servedTerm() {
        long term = member.term();
        return isReady() ? term : NO_TERM;
    }

    /** Returns whether this node leads and serves in a term that {@link #servedTerm} has returned before. */
    boolean servesIn(long term) {
        return term != NO_TERM && isReady() && member.term() == term;
    }

    /** Returns whether this member is removed. Its store is closed, and a later member of the stripe opens it again. */
    boolean isEnded() {
        return ended;
    }

    /** Registers a read that waits for the barrier; {@link #ask} then asks. */
    void await(WaitingRead read) {
        barrier.await(id, read);
    }

    /** Asks the barrier for all waiting reads of the node. */
    void ask() {
        barrier.ask();
    }

    /** Checks whether another leader has begun. One thread calls it several times a second. */
    void noteLeader() {
        long term = term();
        OptionalInt leader = leader();
        if (leader.isPresent() && leader.getAsInt() != lost) {
            lost = NOBODY;
        }
        if (leader.isPresent() && term != ledTerm) {
            ledTerm = term;
            long seen = elections + 1; // written by one thread
            elections = seen;
        }
    }

    /** Returns how many leaders this member has seen begin. One that led for a tenth of a second may be missing. */
    long elections() {
        return elections;
    }

    /** Records how far this member is. To be called several times a second. */
    void noteApplied() {
        trail.note(state.appliedIndex().get(), state.appliedBytes(), System.nanoTime());
    }

    /** Returns the trail that shows how far others are behind this member. */
    EntryTrail trail() {
        return trail;
    }

    /** Returns how old this member's answers are. */
    MirrorAge age() {
        return age;
    }

    /**
     * Commands that are refused here are sent to the next leader. A task runs at once if this member is removed. Many tasks may
     * come together, as all reads of a leader that has lost its leadership, and Ratis may hold the member's lock. So a task does
     * not look at the others.
     */
    @Override
    public void onceLedAnew(long term, Runnable task) {
        Redirection redirection = new Redirection(term, task, System.nanoTime() + PATIENCE_NANOS);
        if (due().test(redirection)) {
            task.run();
            return;
        }
        redirections.add(redirection);
        if (ended) { // meanwhile
            redirect();
        }
    }

    /** Runs the tasks that have waited for the leader. To be called several times a second. */
    void redirect() {
        Predicate<Redirection> due = due();
        for (Redirection waiting : List.copyOf(redirections)) {
            if (due.test(waiting) && redirections.remove(waiting)) {
                waiting.task.run();
            }
        }
    }

    /** Returns which tasks have waited long enough by now. */
    private Predicate<Redirection> due() {
        OptionalInt leader = leader();
        boolean isElsewhere =
                leader.isPresent() && leader.getAsInt() != member.name().node();
        long served = servedTerm();
        long now = System.nanoTime();
        return waiting -> ended || isElsewhere || served > waiting.term || waiting.untilNanos - now <= 0;
    }

    /** Returns where the log of this member ends. */
    LogEnd logEnd() {
        return raft.elections().end(id);
    }

    /**
     * Makes this member stand for election, if its leader was on a node whose process has ended. The members take turns: two at
     * once would take votes from each other. A member that is being added or removed waits for its time-out, and asks before it
     * raises its term: the others may know nothing of it. A leader cannot add a member whose term is later than its own.
     *
     * @param times how many connections that node has refused
     * @param ends where the logs of other nodes' members end
     */
    synchronized void succeed(int gone, int times, IntFunction<LogEnd> ends) {
        OptionalInt leader = leader();
        if (leader.isPresent()) {
            lost = leader.getAsInt() == gone ? gone : NOBODY;
        }
        stood &= times > 1; // a first refusal: the process has ended again, or another node's
        if (lost != gone) { // not known to have led: an election would depose a live leader
            return;
        }
        Map<MemberName, LogEnd> candidates = new HashMap<>();
        Optional<MemberName> former = Optional.empty();
        Membership members = raft.configurations().members(id);
        Set<MemberName> standing = members.votersOfAll();
        for (MemberName voter : members.voters()) {
            if (voter.node() == gone) {
                former = Optional.of(voter);
            } else if (standing.contains(voter)) {
                candidates.put(voter, voter.equals(member.name()) ? logEnd() : ends.apply(voter.node()));
            }
        }
        int turn = Succession.turn(number, member.name(), candidates, members.witnesses());
        boolean isDue = turn >= 0 && times >= REFUSALS_FIRST + turn * REFUSALS_A_TURN;
        if (former.isPresent() && isDue && !stood) { // the turn may be over, if an earlier candidate has ended too
            stood = true;
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "stripe " + number + ": node " + gone + " has stopped; this node stands for election: "
                            + raft.elections().stand(id, former.get()));
        }
    }

    /** Makes a member lead, if this one does; returns whether it leads. */
    CompletableFuture<Boolean> transfer(MemberName to) {
        return raft.transfers().begin(id, to, TRANSFER_MOST);
    }

    /** Makes another member lead that is there, if this one does. */
    CompletableFuture<Boolean> handOver(IntPredicate isThere) {
        if (!member.isReady()) {
            return CompletableFuture.completedFuture(true);
        }
        Membership members = raft.configurations().members(id);
        return members.voters().stream()
                .filter(other ->
                        !other.equals(member.name()) && !members.isWitness(other) && isThere.test(other.node()))
                .min(Comparator.comparingLong(other -> raft.lag(id, other)))
                .map(other -> raft.transfers().begin(id, other, TRANSFER_MOST))
                .orElse(CompletableFuture.completedFuture(false));
    }

    /** Makes a mirror lead, if this member is an elected witness. Ratis would do so too, but only once nothing is written. */
    void yieldAsWitness(IntPredicate hasStore) {
        if (isWitness() && member.isReady() && yielding.isDone()) {
            yielding = handOver(hasStore);
        }
    }

    /**
     * Returns whether this mirror has all entries that the leader had committed a bounded time ago. A mirror that has failed may
     * have a part of a later one.
     */
    boolean isFresh() {
        return !isWitness() && age.isFresh() && !state.hasFailed();
    }
}
