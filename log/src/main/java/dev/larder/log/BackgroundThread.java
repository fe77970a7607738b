package dev.larder.log;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * A daemon thread that works until it is stopped. Its work checks {@link #isStopped}, and parks when it has nothing to
 * do. The layers above the log use it for background work that ends when they close.
 */
public final class BackgroundThread {

    private static final int WAKE_AGAIN_MILLIS = 10;
    private static final int CAUSES_MAX = 16;
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final Thread thread;
    private volatile boolean stopped;
    private final Map<String, Long> told = new HashMap<>();

    /** Makes a thread of that name, and does not start it. */
    public BackgroundThread(String name, Runnable work) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(work);
    }

    /** Starts the thread. Call it one time only. */
    public void start() {
        thread.start();
    }

    /** Ends the thread's current park, or its next one. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Logs a failure of the work. The first failure of a cause is logged with its stack, then the 10th, the 100th and
     * so on. Texts that differ only in numbers have the same cause. If logging itself fails, the work continues.
     */
    public void tell(System.Logger logger, String what, Throwable failed) {
        try {
            String text = what + ": " + failed;
            String cause = NUMBERS.matcher(text).replaceAll("n");
            boolean known = told.containsKey(cause) || told.size() < CAUSES_MAX;
            long times = told.merge(known ? cause : "", 1L, Long::sum);
            if (times == 1) {
                logger.log(System.Logger.Level.WARNING, text, failed);
            } else if (isPowerOfTen(times)) {
                logger.log(System.Logger.Level.WARNING, text + " (" + times + " times)");
            }
        } catch (RuntimeException | Error e) {
            // there is no memory to say so, and nobody to say it to
        }
    }

    private static boolean isPowerOfTen(long number) {
        long left = number;
        while (left % 10 == 0) {
            left /= 10;
        }
        return left == 1;
    }

    /** Records that all work has succeeded: the next failure of any cause is logged again. */
    public void goesWell() {
        told.clear();
    }

    /** Returns whether the work must end. */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * Stops the thread, and waits until it has ended. Does nothing if it was never started. Not interruptible, since
     * the memory that the thread uses is unmapped next. The thread is woken until it has ended, since code that its
     * work calls may consume a wake.
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
