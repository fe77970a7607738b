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
    private String told = "";

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

    /** Says that its work has failed, once for the same error; where that cannot be said, the work goes on as well. */
    public void tell(System.Logger logger, String what, Throwable failed) {
        try {
            String text = what + ": " + failed;
            if (!text.equals(told)) {
                told = text;
                logger.log(System.Logger.Level.WARNING, text, failed);
            }
        } catch (RuntimeException | Error e) {
            // there is no memory to say so, and nobody to say it to
        }
    }

    /** Takes note that its work has gone well: the same error is told again. */
    public void goesWell() {
        told = "";
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
