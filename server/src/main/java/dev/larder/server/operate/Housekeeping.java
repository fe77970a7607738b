package dev.larder.server.operate;

import java.util.concurrent.TimeUnit;

/** A thread that looks after the server each second: rates, and syncs. */
final class Housekeeping implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final long PERIOD_MILLIS = 1000;

    private final Figures figures;
    private final Runnable syncSoon;
    private final ServerStatistics statistics;
    private final Thread thread;
    private long commands;
    private long inputBytes;
    private long outputBytes;
    private long measuredNanos = System.nanoTime();
    private boolean closed;

    /**
     * Starts the thread.
     *
     * @param syncSoon syncs, if the parameters say so and the log does not do it by itself
     */
    Housekeeping(Figures figures, Runnable syncSoon) {
        this.figures = figures;
        this.syncSoon = syncSoon;
        this.statistics = new ServerStatistics(figures);
        this.thread = Thread.ofPlatform().name("larder-operate").daemon().start(this::work);
    }

    private void work() {
        while (await()) {
            try {
                look();
            } catch (RuntimeException | Error e) { // the next second may go well, and then syncs for both
                LOGGER.log(System.Logger.Level.ERROR, "housekeeping of the server failed: " + e, e);
            }
        }
    }

    /** Waits for a second; returns false when the thread shall end. */
    private synchronized boolean await() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);
        try {
            for (long left = PERIOD_MILLIS; left > 0 && !closed; left = millisUntil(end)) {
                wait(left);
            }
        } catch (InterruptedException e) {
            closed = true; // an interrupt means that this thread shall end
        }
        return !closed;
    }

    private static long millisUntil(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
    }

    private void look() {
        long now = System.nanoTime();
        long run = figures.commandsRun();
        long read = figures.inputBytes();
        long written = figures.outputBytes();
        figures.setRates(Rates.of(run - commands, read - inputBytes, written - outputBytes, now - measuredNanos));
        commands = run;
        inputBytes = read;
        outputBytes = written;
        measuredNanos = now;
        statistics.tell();
        if (figures.settings().truth("appendonly")
                && figures.settings().text("appendfsync").equals("everysec")) {
            syncSoon.run();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
