package dev.larder.lab.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * The requests that are on their way, outside the heap: a ring of {@link Response}s by the number of the request, as
 * long as the oldest one that is not answered needs it.
 *
 * <p>Thread-safe: the generator puts in, whoever receives takes out.
 */
final class InFlight {

    private static final long FIRST_CAPACITY = 1 << 12;
    private static final int PENDING = Integer.MIN_VALUE;

    private final ResponseLog log;
    private MemorySegment ring = allocate(FIRST_CAPACITY);
    private long capacity = FIRST_CAPACITY;
    private long oldest;
    private long next;
    private long pending;
    private long startNanos;
    private long lastNanos;
    private boolean isAwaited;

    InFlight(ResponseLog log) {
        this.log = log;
    }

    private static MemorySegment allocate(long capacity) {
        return Arena.ofAuto().allocate(capacity * Response.BYTES, Long.BYTES);
    }

    private long at(long id) {
        return (id & (capacity - 1)) * Response.BYTES;
    }

    /** Says when the load starts, by {@code System.nanoTime()}; what is kept counts from there. */
    synchronized void start(long nanos) {
        startNanos = nanos;
        lastNanos = nanos;
    }

    /** Takes in a request that is about to leave, and returns its number. */
    synchronized long begin(long intended, long sent, int kind) {
        if (next - oldest == capacity) {
            grow();
        }
        long at = at(next);
        Response.sent(ring, at, intended, sent, kind);
        Response.answered(ring, at, 0, PENDING, -1, -1);
        pending++;
        return next++;
    }

    private void grow() {
        MemorySegment before = ring;
        long mask = capacity - 1;
        capacity *= 2;
        ring = allocate(capacity);
        for (long id = oldest; id < next; id++) {
            MemorySegment.copy(before, (id & mask) * Response.BYTES, ring, at(id), Response.BYTES);
        }
    }

    /**
     * Notes an answer that was here at a moment by {@code System.nanoTime()}; one that comes twice, or for a request
     * that was given up, counts for nothing.
     */
    synchronized void end(long id, long nanos, int status, long waited, long served) {
        if (id < oldest || id >= next || Response.status(ring, at(id)) != PENDING) {
            return;
        }
        long at = at(id);
        Response.answered(ring, at, nanos - startNanos, status, waited, served);
        log.add(ring, at);
        pending--;
        if (status != Response.UNANSWERED) {
            lastNanos = nanos;
        }
        if (isAwaited) {
            isAwaited = false;
            notifyAll();
        }
        while (oldest < next && Response.status(ring, at(oldest)) != PENDING) {
            oldest++;
        }
    }

    /** Waits until fewer requests are out, or for some time. */
    synchronized void awaitAnswer(long most, long nanos) {
        try {
            if (pending >= most) {
                isAwaited = true;
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void giveUp(long now) {
        for (long id = oldest; id < next; id++) {
            end(id, now, Response.UNANSWERED, -1, -1);
        }
    }

    /** Returns when the last answer was here, by {@code System.nanoTime()}; the start if there was none. */
    synchronized long lastNanos() {
        return lastNanos;
    }

    synchronized long pending() {
        return pending;
    }

    synchronized long begun() {
        return next;
    }
}
