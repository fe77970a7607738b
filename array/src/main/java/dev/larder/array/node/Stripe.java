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

/** This node's member of a stripe, and the ways to it. Thread-safe. */
public final class Stripe {

    /** As Redis says to clients that wait at a master which becomes a replica. */
    private static final String NOT_LEADING =
            "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** A refusal comes each 200 ms. Before this one the members tell each other where their logs end. */
    private static final int REFUSALS_FIRST = 2;

    /** A member stands for election unless another has won it since. */
    private static final int REFUSALS_A_TURN = 3;

    private static final int NOBODY = -1;
    private static final Duration TRANSFER_MOST = Duration.ofSeconds(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What waits until another node leads. */
    private record Redirection(Runnable task, long untilNanos) {}

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

    /** The node whose process has ended as it led, until another leads. */
    private volatile int lost = NOBODY;

    /** This member has stood for election since then. Guarded by this. */
    private boolean stood;

    /** Clients have read keys here since this member leads, and may keep copies. */
    private volatile boolean hasServed;

    /** This member is no more: nobody calls {@link #redirect} again. */
    private volatile boolean ended;

    private long ledTerm = -1; // by the thread that ticks
    private CompletableFuture<Boolean> yielding = CompletableFuture.completedFuture(true); // by the same
    private volatile long elections;

    /** The members by the last entry that this leader knows to be committed. */
    private volatile Membership settled = new Membership(-1, Set.of(), Set.of(), Set.of(), Set.of());

    /**
     * A member whose Raft, barrier and state are there already.
     *
     * @param ageMost how old its answers may be where it is a mirror
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

    /** Returns its identity. */
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

    /** Returns whether this node leads, and serves. A witness that was elected does not: it hands over. */
    public boolean isReady() {
        return !isWitness() && member.isReady();
    }

    /**
     * Returns whether this node leads, and serves, for a command that reads next. If it ceases to lead, clients that keep copies are
     * told: they are no longer sure to hear of changes.
     */
    boolean beginServing() {
        if (!isReady()) {
            return false;
        }
        if (hasServed) {
            return true;
        }
        hasServed = true;
        return isReady(); // else it may have ceased to lead before, and nobody would be told
    }

    /** Returns whether this member keeps the log, and no store. */
    boolean isWitness() {
        return state.isWitness();
    }

    /** Returns what this node says of itself, if it leads. */
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

    /** Ends all waits in the store: its member has failed, and applies nothing more. Clients forget their copies of keys. */
    void failed() {
        leave();
    }

    private void leave() {
        hasServed = false;
        state.shared().endWaits(NOT_LEADING);
        state.stores().unheard();
    }

    /**
     * Ends the waits of clients, where this node does not lead: what they wait for is acknowledged by another one. Clients that keep
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

    /** Ends all waits: this member is no more. */
    void end() {
        leave();
        ended = true;
        state.appliedIndex().end();
        redirect(); // what waits looks again, and finds no member
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

    /** Returns what its entries change. */
    public StoreStripe state() {
        return state;
    }

    CompletableFuture<ByteBuffer> submit(ByteBuffer entry) {
        return submit(entry, EntryReads.NONE);
    }

    /** Submits an entry, and what is read between its operations. */
    CompletableFuture<ByteBuffer> submit(ByteBuffer entry, EntryReads reads) {
        return raft.submit(id, entry, reads);
    }

    /** Has a read wait for the barrier; {@link #ask} then asks. */
    void await(WaitingRead read) {
        barrier.await(id, read);
    }

    /** Asks for all reads of the node that wait. */
    void ask() {
        barrier.ask();
    }

    /** Looks whether another leader has begun. To be called several times a second, by one thread. */
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

    /** Returns how many leaders this member has seen begin: one that led for a tenth of a second may be missing. */
    long elections() {
        return elections;
    }

    /** Notes how far this member is. To be called several times a second. */
    void noteApplied() {
        trail.note(state.appliedIndex().get(), state.appliedBytes(), System.nanoTime());
    }

    /** Returns how far others are behind this member. */
    EntryTrail trail() {
        return trail;
    }

    /** Returns how old the answers are. */
    MirrorAge age() {
        return age;
    }

    /**
     * Runs a task once another node is known to lead, or after 2 s: what is refused here is then sent there. It runs at once if this
     * member is no more.
     */
    void onceLedElsewhere(Runnable task) {
        redirections.add(new Redirection(task, System.nanoTime() + PATIENCE_NANOS));
        redirect();
    }

    /** Runs the tasks that have waited for the leader. To be called several times a second. */
    void redirect() {
        OptionalInt leader = leader();
        boolean isElsewhere =
                leader.isPresent() && leader.getAsInt() != member.name().node();
        long now = System.nanoTime();
        for (Redirection waiting : List.copyOf(redirections)) {
            boolean isDue = ended || isElsewhere || waiting.untilNanos - now <= 0;
            if (isDue && redirections.remove(waiting)) {
                waiting.task.run();
            }
        }
    }

    /** Returns where the log of this member ends. */
    LogEnd logEnd() {
        return raft.elections().end(id);
    }

    /**
     * Has this member stand for election, if its leader was on a node whose process has ended. The members do so in turns: two at
     * once would take votes from each other.
     *
     * @param times how many times that node has refused a connection
     * @param ends where the logs of other nodes' members end
     */
    synchronized void succeed(int gone, int times, IntFunction<LogEnd> ends) {
        OptionalInt leader = leader();
        if (leader.isPresent()) {
            lost = leader.getAsInt() == gone ? gone : NOBODY;
        }
        stood &= times > 1; // it is another end, or another node's
        if (lost != gone) { // not known to have led: a live leader would have to go
            return;
        }
        Map<MemberName, LogEnd> candidates = new HashMap<>();
        Optional<MemberName> former = Optional.empty();
        Membership members = raft.configurations().members(id);
        for (MemberName voter : members.voters()) {
            if (voter.node() == gone) {
                former = Optional.of(voter);
            } else {
                candidates.put(voter, voter.equals(member.name()) ? logEnd() : ends.apply(voter.node()));
            }
        }
        int turn = Succession.turn(number, member.name(), candidates, members.witnesses());
        boolean isDue = turn >= 0 && times >= REFUSALS_FIRST + turn * REFUSALS_A_TURN;
        if (former.isPresent() && isDue && !stood) { // the turn may have passed, if one that was first has ended too
            stood = true;
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "stripe " + number + ": node " + gone + " has ended, and this node stands for election: "
                            + raft.elections().stand(id, former.get()));
        }
    }

    /** Has a member lead, if this one does; returns whether it leads. */
    CompletableFuture<Boolean> transfer(MemberName to) {
        return raft.transfer(id, to, TRANSFER_MOST);
    }

    /** Has another member lead that is there, if this one does. */
    CompletableFuture<Boolean> handOver(IntPredicate isThere) {
        if (!member.isReady()) {
            return CompletableFuture.completedFuture(true);
        }
        Membership members = raft.configurations().members(id);
        return members.voters().stream()
                .filter(other ->
                        !other.equals(member.name()) && !members.isWitness(other) && isThere.test(other.node()))
                .min(Comparator.comparingLong(other -> raft.lag(id, other)))
                .map(other -> raft.transfer(id, other, TRANSFER_MOST))
                .orElse(CompletableFuture.completedFuture(false));
    }

    /** Has a mirror lead, if this member is a witness that was elected. Ratis would do so too, but only once nothing is written. */
    void yieldAsWitness(IntPredicate hasStore) {
        if (isWitness() && member.isReady() && yielding.isDone()) {
            yielding = handOver(hasStore);
        }
    }

    /** Returns whether this mirror has all that the leader had committed a bounded time ago. */
    boolean isFresh() {
        return !isWitness() && age.isFresh();
    }
}
