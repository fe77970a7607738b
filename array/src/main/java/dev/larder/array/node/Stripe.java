package dev.larder.array.node;

import dev.larder.array.barrier.LocalMember;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.node.Leadership.Claim;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StoreStripe;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** This node's member of a stripe, and the ways to it. Thread-safe. */
public final class Stripe {

    private final int number;
    private final UUID id;
    private final RaftNode raft;
    private final LocalMember member;
    private final ReadBarrier barrier;
    private final StoreStripe state;
    private final Lane lane;

    /** Until when reads of this mirror are fresh enough for clients that take them. */
    private volatile long freshUntilNanos;

    /** A member whose Raft, barrier and state are there already. */
    public Stripe(int number, UUID id, RaftNode raft, ReadBarrier barrier, StoreStripe state) {
        this.number = number;
        this.id = id;
        this.raft = raft;
        this.member = raft.member(id);
        this.barrier = barrier;
        this.state = state;
        this.lane = new Lane(this);
        this.freshUntilNanos = System.nanoTime();
    }

    /** Returns the number of the stripe. */
    public int number() {
        return number;
    }

    /** Returns whether this node leads, and serves. */
    public boolean isReady() {
        return member.isReady();
    }

    /** Returns what this node says of itself, if it leads. */
    Optional<Claim> claim() {
        long term = member.term();
        return member.isReady() && member.leadsIn(term) ? Optional.of(new Claim(id, term)) : Optional.empty();
    }

    /** Returns the node that leads, as this member knows. */
    OptionalInt leader() {
        return raft.leader(id).stream().mapToInt(name -> name.node()).findFirst();
    }

    Lane lane() {
        return lane;
    }

    /** Returns what its entries change. */
    public StoreStripe state() {
        return state;
    }

    CompletableFuture<ByteBuffer> submit(ByteBuffer entry) {
        return raft.submit(id, entry);
    }

    /** Has reads wait for the barrier, all of whose stripes are asked at once. */
    static void await(List<BarrierWait> waits) {
        waits.forEach(wait -> wait.stripe().barrier.await(wait.stripe().id, wait));
        waits.getFirst().stripe().barrier.ask();
    }

    /** Looks how old the state of this mirror may be. To be called several times a second. */
    void sampleAge(Duration most) {
        OptionalLong silence = raft.leaderSilenceMillis(id);
        long now = System.nanoTime();
        if (silence.isPresent() && state.appliedIndex().get() >= member.commitIndex()) {
            long left = most.toMillis() - silence.getAsLong();
            freshUntilNanos = now + Duration.ofMillis(left).toNanos();
        }
    }

    /** Returns whether this mirror has all that the leader had committed a bounded time ago. */
    boolean isFresh() {
        return freshUntilNanos - System.nanoTime() > 0;
    }
}
