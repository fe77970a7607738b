package dev.larder.lab.machine;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that sleeps a millisecond at a time and records late wake-ups: delays that the machine causes for all threads.
 *
 * <p>Once a second, it also reads how long the hypervisor withheld processors. A run is disturbed if a second had
 * a hiccup above {@value #HICCUP_MS} ms or more than {@value #STEAL_PERCENT} % of steal.
 */
public final class HiccupRecorder implements AutoCloseable {

    /** The lateness, in milliseconds, from which a second counts as disturbed. */
    public static final int HICCUP_MS = 100;

    /** The stolen share of processor time, in percent, from which a second counts as disturbed. */
    public static final int STEAL_PERCENT = 10;

    private record Hiccup(long startNanos, long lateNanos) {}

    private static final int SECONDS_KEPT = 1_000;
    private static final int HICCUPS_KEPT = 20_000;
    private static final long WORTH_NANOS = 2_000_000;
    private static final long TICK_NANOS = 1_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final Thread thread = Thread.ofPlatform().daemon().name("hiccups").unstarted(this::record);
    private final List<Figures> seconds = new ArrayList<>();
    private final List<Hiccup> hiccups = new ArrayList<>();
    private final long start = System.nanoTime();
    private final @Nullable ProcessorTime startTime = ProcessorTime.read();
    private volatile boolean closed;
    private long hiccupNanosMax;
    private long disturbedSeconds;

    /** A recorder that runs until it is closed. */
    public HiccupRecorder() {
        thread.start();
    }

    private void record() {
        long secondStart = start;
        ProcessorTime before = startTime;
        while (!closed) {
            long late = 0;
            while (!closed && System.nanoTime() - secondStart < SECOND_NANOS) {
                late = Math.max(late, tick());
            }
            ProcessorTime now = ProcessorTime.read();
            note(secondStart - start, late, ProcessorTime.stealPercent(before, now));
            before = now;
            secondStart = System.nanoTime();
        }
    }

    private long tick() {
        long asleep = System.nanoTime();
        LockSupport.parkNanos(TICK_NANOS);
        long late = System.nanoTime() - asleep - TICK_NANOS;
        if (late >= WORTH_NANOS) {
            keep(new Hiccup(asleep + TICK_NANOS, late));
        }
        return late;
    }

    private synchronized void keep(Hiccup hiccup) {
        if (hiccups.size() < HICCUPS_KEPT) {
            hiccups.add(hiccup);
        }
    }

    /** Returns the hiccups that began at or after a moment, one row each: {@code start_nanos}, {@code ms}. */
    public synchronized List<Figures> since(long nanos) {
        return hiccups.stream()
                .filter(hiccup -> hiccup.startNanos() - nanos >= 0)
                .map(hiccup ->
                        new Figures().put("start_nanos", hiccup.startNanos()).put("ms", hiccup.lateNanos() / 1e6))
                .toList();
    }

    private synchronized void note(long atNanos, long lateNanos, double stealPercent) {
        hiccupNanosMax = Math.max(hiccupNanosMax, lateNanos);
        if (lateNanos < HICCUP_MS * TICK_NANOS && !(stealPercent > STEAL_PERCENT)) {
            return;
        }
        disturbedSeconds++;
        if (seconds.size() < SECONDS_KEPT) {
            seconds.add(new Figures()
                    .put("second", atNanos / SECOND_NANOS)
                    .put("hiccup_ms", lateNanos / 1e6)
                    .put("steal_percent", stealPercent));
        }
    }

    /** Returns whether any second so far was disturbed. */
    public synchronized boolean isDisturbed() {
        return disturbedSeconds > 0;
    }

    /** Returns the record so far. */
    public synchronized Figures figures() {
        ProcessorTime now = ProcessorTime.read();
        return new Figures()
                .put("hiccup_ms_max", hiccupNanosMax / 1e6)
                .put("steal_percent", ProcessorTime.stealPercent(startTime, now))
                .put("busy_processors", ProcessorTime.busyProcessors(startTime, now))
                .put("threshold_hiccup_ms", HICCUP_MS)
                .put("threshold_steal_percent", STEAL_PERCENT)
                .put("disturbed_seconds", disturbedSeconds)
                .put("seconds", seconds);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
