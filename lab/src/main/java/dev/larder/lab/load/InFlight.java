package dev.larder.lab.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * The requests in flight, outside the heap: a ring of {@link Response}s by the number of the request, as long as the
 * oldest unanswered one requires.
 *
 * <p>Thread-safe: the generator adds, receiving threads remove.
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

    /** Sets the start of the load, by {@code System.nanoTime()}; kept times count from there. */
    synchronized void start(long nanos) {
        startNanos = nanos;
        lastNanos = nanos;
    }

    /** Adds a request that is about to leave, and returns its number. */
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
     * Records an answer that arrived at a moment by {@code System.nanoTime()}. Ignores a second answer, and one for a
     * request that was given up.
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

    /** Waits for fewer requests in flight, or for some time. */
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

    /** Returns when the last answer arrived, by {@code System.nanoTime()}; the start if none did. */
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
