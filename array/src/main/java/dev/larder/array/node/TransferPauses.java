package dev.larder.array.node;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a leader may be moved. One that leads in another's place waits for a while, unless a move waits for it. A transfer that
 * has failed is not tried again at once: while one is under way, the leader refuses writes. Used by one thread.
 */
final class TransferPauses {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LongSupplier nanoTime;

    /** Since when this node leads a stripe. */
    private final Map<Integer, Long> ledNanos = new HashMap<>();

    private final Map<Integer, Long> triedNanos = new HashMap<>();

    TransferPauses(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Takes the stripes that this node leads now. */
    void led(Set<Integer> stripes) {
        ledNanos.keySet().retainAll(stripes);
        triedNanos.keySet().retainAll(stripes);
        stripes.forEach(stripe -> ledNanos.putIfAbsent(stripe, nanoTime.getAsLong()));
    }

    /** Records that a transfer begins. */
    void tried(int stripe) {
        triedNanos.put(stripe, nanoTime.getAsLong());
    }

    /** Returns whether a leader may be moved. */
    boolean isDue(int stripe, boolean isAwaited) {
        return isOver(triedNanos.get(stripe)) && (isAwaited || isOver(ledNanos.get(stripe)));
    }

    private boolean isOver(@Nullable Long begunNanos) {
        return begunNanos == null || nanoTime.getAsLong() - begunNanos >= PAUSE_NANOS;
    }
}
