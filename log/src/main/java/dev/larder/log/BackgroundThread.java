package dev.larder.log;

import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread that works until it is stopped. What it runs looks at {@link #isStopped}, and parks where it has nothing to
 * do; for layers above the log, whose own background work ends with their closing as well.
 */
public final class BackgroundThread {

    private static final int WAKE_AGAIN_MILLIS = 10;

    private final Thread thread;
    private volatile boolean stopped;

    /** A thread of that name, which is not started yet. */
    public BackgroundThread(String name, Runnable work) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(work);
    }

    /** Starts it; once. */
    public void start() {
        thread.start();
    }

    /** Ends its parking, or its next one. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    /** Says that its work has failed, where that can be said; the work goes on, whatever becomes of it. */
    public static void warn(System.Logger logger, String text, Throwable failed) {
        try {
            logger.log(System.Logger.Level.WARNING, text, failed);
        } catch (RuntimeException | Error e) {
            // there is no memory to say so, and nobody to say it to
        }
    }

    /** Returns whether the work is to end. */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * Stops it, and waits until it has ended; nothing to do where it was never started. Not interruptible: what it works on is
     * unmapped next. It is woken until it has ended, as whatever its work calls may take one waking for its own.
     */
    public void stop() {
        stopped = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            wake();
            try {
                thread.join(WAKE_AGAIN_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
