package dev.larder.array.node;

import dev.larder.resp.ReplyEncoder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The age of a mirror's answers. The mirror asks its leader now and then, and the leader answers behind its barrier:
 *
 * <pre>
 * mirror  asks at t |                         | c applied: it has all that was acknowledged before t
 * leader            | a round, up to index c  |
 * </pre>
 *
 * So the age counts from t, by the mirror's own clock. A mirror that gets no answer ages, whatever it believes of its leader.
 *
 * <p>Thread-safe.
 */
final class MirrorAge {

    /** How many questions a mirror asks within the highest age of an answer. */
    private static final int TIMES = 5;

    private static final long PAUSE_MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Asked(long number, long atNanos) {}

    private record Told(long index, long askedNanos) {}

    private final long mostNanos;
    private final LongSupplier nanoTime;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private final Deque<Told> told = new ArrayDeque<>();
    private long number;

    /** The time until which reads are fresh enough for clients that read from mirrors. */
    private volatile long freshUntilNanos;

    /**
     * Creates the age of a mirror that has no answer yet.
     *
     * @param most the highest age of an answer
     * @param first the number of the first question; answers to other questions are ignored
     */
    MirrorAge(Duration most, LongSupplier nanoTime, long first) {
        this.mostNanos = most.toNanos();
        this.nanoTime = nanoTime;
        this.number = first;
        this.freshUntilNanos = nanoTime.getAsLong();
    }

    /** Returns the number of a question to the leader, if one is due. */
    synchronized OptionalLong ask() {
        long now = nanoTime.getAsLong();
        Asked last = asked.peekLast();
        if (last != null && now - last.atNanos < Math.min(mostNanos / TIMES, PAUSE_MOST_NANOS)) {
            return OptionalLong.empty();
        }
        asked.removeIf(old -> now - old.atNanos >= mostNanos);
        told.removeIf(old -> now - old.askedNanos >= mostNanos);
        asked.add(new Asked(number, now));
        return OptionalLong.of(number++);
    }

    /** Takes the leader's answer to a question: all entries acknowledged before it arrived are committed up to this index. */
    synchronized void told(long answered, long index) {
        for (Asked question : asked) {
            if (question.number == answered) {
                told.add(new Told(index, question.atNanos));
            }
        }
    }

    /** Updates the freshness, with all entries applied up to an index. */
    synchronized void applied(long index) {
        for (Told one : told) {
            long until = one.askedNanos + mostNanos;
            if (one.index <= index && until - freshUntilNanos > 0) {
                freshUntilNanos = until;
            }
        }
        told.removeIf(one -> one.index <= index);
    }

    /**
     * Runs a read if it is fresh enough before and after: its thread may stall between. Returns whether it has written a reply.
     *
     * @param isFresh returns whether an answer is fresh enough now
     */
    static boolean readFresh(BooleanSupplier isFresh, ReplyEncoder reply, Runnable read) {
        if (!isFresh.getAsBoolean()) {
            return false;
        }
        reply.mark();
        read.run();
        if (isFresh.getAsBoolean()) {
            return true;
        }
        reply.reset();
        return false;
    }

    /** Returns whether an answer is fresh enough now. */
    boolean isFresh() {
        return freshUntilNanos - nanoTime.getAsLong() > 0;
    }
}
