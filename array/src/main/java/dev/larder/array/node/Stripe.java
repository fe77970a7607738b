package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.barrier.WaitingRead;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StoreStripe;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** This node's member of a stripe, and the ways to it. Thread-safe. */
public final class Stripe {

    private final UUID id;
    private final RaftNode raft;
    private final LocalMember member;
    private final ReadBarrier barrier;
    private final StoreStripe state;
    private final Lane lane;

    /** A member whose Raft, barrier and state there are already. */
    public Stripe(UUID id, RaftNode raft, ReadBarrier barrier, StoreStripe state) {
        this.id = id;
        this.raft = raft;
        this.member = raft.member(id);
        this.barrier = barrier;
        this.state = state;
        this.lane = new Lane(this);
    }

    boolean isReady() {
        return member.isReady();
    }

    Optional<MemberName> leader() {
        return raft.leader(id);
    }

    Lane lane() {
        return lane;
    }

    StoreStripe state() {
        return state;
    }

    CompletableFuture<ByteBuffer> submit(ByteBuffer entry) {
        return raft.submit(id, entry);
    }

    /** Has a read wait for the barrier, which is asked now. */
    void await(WaitingRead read) {
        barrier.await(id, read);
        barrier.ask();
    }
}
