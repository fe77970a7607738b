package dev.larder.lab.load;

import dev.larder.lab.result.Attempt;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops the world so many times a second for something that is soon done, as a collector's shortest pauses do: how long
 * all threads take to stop is what {@link PauseRecorder} then has enough of to say something about the worst of a thousand.
 */
public final class SafepointRequests implements AutoCloseable {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long intervalNanos;
    private final Thread thread = new Thread(this::ask, "lab-safepoints");
    private volatile boolean ended;

    /** Asks from now on, until it is closed. */
    public SafepointRequests(int perSecond) {
        intervalNanos = 1_000_000_000L / perSecond;
        thread.setDaemon(true);
        thread.start();
    }

    private void ask() {
        long due = System.nanoTime();
        while (!ended) {
            threads.findDeadlockedThreads();
            due = Math.max(due + intervalNanos, System.nanoTime() - intervalNanos);
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
        Attempt.join(thread);
    }
}
