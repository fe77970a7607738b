package dev.larder.lab.redis;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats requests until they are answered, like a client that outlives a failover.
 *
 * <pre>
 * taken -> held -> under way -> answered
 *            ^         | failed, or not answered in time
 *            +- pause -+
 * </pre>
 *
 * <p>The number of requests of a kind under way is limited, so that a node answers them all before they are given up.
 * Otherwise a failover at a high rate would never end. A node still serves requests that were given up, so later ones are
 * late as well, and are sent again. For the same reason each pause is twice as long as the one before.
 *
 * <p>One thread takes and sends; any thread may report the end of a request.
 */
final class PatientRequests {

    static final long PAUSE_NANOS = 20_000_000;
    static final long PAUSE_MOST_NANOS = 2_000_000_000;

    private final int most;
    private final Consumer<Attempt> way;
    private final LongSupplier nanoTime;
    private final AtomicIntegerArray underWay;
    private final List<Queue<Attempt>> held;
    private final List<Queue<Attempt>> failed;

    /** A request, at one of its attempts. */
    record Attempt(long id, int kind, long key, long dueNanos, long pauseNanos) {}

    /**
     * No requests yet.
     *
     * @param kinds the number of kinds: a request's kind is below
     * @param most the limit of each kind under way
     * @param way sends a request
     */
    PatientRequests(int kinds, int most, Consumer<Attempt> way, LongSupplier nanoTime) {
        this.most = most;
        this.way = way;
        this.nanoTime = nanoTime;
        underWay = new AtomicIntegerArray(kinds);
        held = IntStream.range(0, kinds)
                .<Queue<Attempt>>mapToObj(kind -> new ArrayDeque<>())
                .toList();
        failed = IntStream.range(0, kinds)
                .<Queue<Attempt>>mapToObj(kind ->
                        new PriorityBlockingQueue<>(16, (one, other) -> Long.signum(one.dueNanos - other.dueNanos)))
                .toList();
    }

    /** Takes a request, to be sent by {@link #send}. */
    void take(long id, int kind, long key) {
        held.get(kind).add(new Attempt(id, kind, key, 0, PAUSE_NANOS));
    }

    /** Records an answer. */
    void answered(Attempt attempt) {
        underWay.decrementAndGet(attempt.kind);
    }

    /** Records a failed or abandoned request, to send it again after its pause. */
    void failed(Attempt attempt) {
        long pause = attempt.pauseNanos;
        long next = Math.min(2 * pause, PAUSE_MOST_NANOS);
        failed.get(attempt.kind)
                .add(new Attempt(attempt.id, attempt.kind, attempt.key, nanoTime.getAsLong() + pause, next));
        underWay.decrementAndGet(attempt.kind);
    }

    /** Sends what may leave now, failed requests first; returns whether all taken requests have left. */
    boolean send() {
        boolean isAll = true;
        for (int kind = 0; kind < held.size(); kind++) {
            for (Attempt next = next(kind); next != null; next = next(kind)) {
                underWay.incrementAndGet(kind);
                way.accept(next);
            }
            isAll &= held.get(kind).isEmpty() && failed.get(kind).isEmpty();
        }
        return isAll;
    }

    private @Nullable Attempt next(int kind) {
        if (underWay.get(kind) >= most) {
            return null;
        }
        Queue<Attempt> again = failed.get(kind);
        Attempt first = again.peek();
        if (first == null || first.dueNanos - nanoTime.getAsLong() > 0) {
            return held.get(kind).poll();
        }
        again.remove(first); // one due sooner may have come meanwhile
        return first;
    }
}
