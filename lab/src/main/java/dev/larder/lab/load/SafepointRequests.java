package dev.larder.lab.load;

import dev.larder.lab.result.Attempt;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops all threads so many times a second for a short task, like a collector's shortest pauses. So {@link PauseRecorder}
 * gets enough times to stop all threads for a statement about the worst of a thousand.
 */
public final class SafepointRequests implements AutoCloseable {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long intervalNanos;
    private final Thread thread = new Thread(this::ask, "lab-safepoints");
    private volatile boolean ended;

    /** Starts; it runs until closed. */
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
