package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Durations;
import dev.larder.lab.load.Pacer;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reopens an index periodically, and keeps how long that took, and how long updates stayed invisible.
 */
final class Reopener implements AutoCloseable {

    private static final int KEPT_MAX = 20_000;
    private static final double MILLI = 1e6;

    /** Reopens an index, and reports for how long each newly visible update was invisible. */
    @FunctionalInterface
    interface Reopening {
        void reopen(LongConsumer visible) throws IOException;
    }

    private final Reopening reopening;
    private final long periodNanos;
    private final Pacer pacer = new Pacer(0);
    private final Thread thread = Thread.ofPlatform().daemon().name("reopen").unstarted(this::run);
    private final List<Figures> kept = new ArrayList<>();
    private final Durations reopens = new Durations();
    private final Durations visible = new Durations();
    private volatile boolean closed;
    private volatile @Nullable Exception failure;

    /** Reopens once per period from now on; at once after a reopening that took longer. */
    Reopener(Reopening reopening, double periodSeconds) {
        this.reopening = reopening;
        this.periodNanos = (long) (periodSeconds * 1e9);
        thread.start();
    }

    private void run() {
        try {
            for (long next = System.nanoTime() + periodNanos; !closed; next = afterwards(next)) {
                await(next);
                reopen();
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private long afterwards(long last) {
        return Math.max(last + periodNanos, System.nanoTime());
    }

    private void await(long moment) {
        while (!closed && moment - System.nanoTime() > 0) {
            pacer.await(Math.min(moment, System.nanoTime() + 50_000_000));
        }
    }

    private void reopen() throws IOException {
        long start = System.nanoTime();
        List<Long> delays = new ArrayList<>();
        reopening.reopen(delays::add);
        keep(start, System.nanoTime() - start, delays);
    }

    private synchronized void keep(long start, long nanos, List<Long> delays) {
        reopens.record(nanos);
        delays.forEach(visible::record);
        if (kept.size() < KEPT_MAX) {
            kept.add(new Figures()
                    .put("start_nanos", start)
                    .put("ms", nanos / MILLI)
                    .put("updates", delays.size())
                    .put(
                            "visible_ms_max",
                            delays.stream().mapToLong(Long::longValue).max().orElse(0) / MILLI));
        }
    }

    /**
     * Returns the figures since the last call: {@code summary}, and {@code reopens}, a row each.
     *
     * @throws LabException if reopening has failed
     */
    synchronized Figures take() {
        Exception failed = failure;
        if (failed != null) {
            throw new LabException("cannot reopen the index: " + failed, failed);
        }
        Figures taken = new Figures().put("summary", summary()).put("reopens", kept);
        kept.clear();
        reopens.clear();
        visible.clear();
        return taken;
    }

    private Figures summary() {
        return new Figures()
                .put("reopens_count", reopens.count())
                .putAll(reopens.figures("reopen_%s_ms", "p50 p99 max"))
                .putAll(visible.figures("visible_%s_ms", "p50 p99 max"));
    }

    @Override
    public void close() {
        closed = true;
        Attempt.join(thread);
    }
}
