package dev.larder.array.ratis;

import dev.larder.array.stripe.AppliedIndex;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StripeState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A number that each entry increments by 1. It does not survive its process. An entry that is a word fails. */
final class Register implements StripeState {

    private final Runnable roleChange;
    private final AtomicLong value = new AtomicLong();
    private final AppliedIndex applied = new AppliedIndex();
    private final List<Throwable> failures = new ArrayList<>();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile CompletableFuture<Void> release = CompletableFuture.completedFuture(null);
    private volatile long behind = -1;
    private volatile Optional<LogBeginning> told = Optional.empty();

    Register(Runnable roleChange) {
        this.roleChange = roleChange;
    }

    long value() {
        return value.get();
    }

    /** Holds the next word, until the returned future is completed. */
    CompletableFuture<Void> holdWord() {
        release = new CompletableFuture<>();
        return release;
    }

    boolean isHolding() {
        return held.getCount() == 0;
    }

    static long number(ByteBuffer reply) {
        return reply.getLong(reply.position());
    }

    synchronized List<Throwable> failures() {
        return List.copyOf(failures);
    }

    @Override
    public ByteBuffer apply(Place place, ByteBuffer entry, EntryReads reads) {
        if (entry.hasRemaining()) {
            held.countDown();
            release.join();
            throw new IllegalStateException("entry " + place.index() + " is a word");
        }
        return ByteBuffer.allocate(Long.BYTES).putLong(value.incrementAndGet()).flip();
    }

    @Override
    public void reached(long index) {
        applied.reached(index);
    }

    AppliedIndex applied() {
        return applied;
    }

    @Override
    public Place durable() {
        return Place.NONE;
    }

    @Override
    public void sync() {}

    @Override
    public void roleChanged() {
        roleChange.run();
    }

    @Override
    public void behind(LogBeginning begun, long least) {
        told = Optional.of(begun);
        behind = least;
    }

    /** Returns the beginning of the log of the leader that last reported this member as behind. */
    Optional<LogBeginning> told() {
        return told;
    }

    /** Returns the entry up to which its state must come from elsewhere; -1 if it lacks nothing. */
    long behind() {
        return behind;
    }

    @Override
    public synchronized void failed(Throwable cause) {
        failures.add(cause);
    }
}
