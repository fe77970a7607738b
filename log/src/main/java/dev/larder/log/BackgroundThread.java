package dev.larder.log;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * A daemon thread that works until it is stopped. What it runs looks at {@link #isStopped}, and parks where it has nothing to
 * do; for layers above the log, whose own background work ends with their closing as well.
 */
public final class BackgroundThread {

    private static final int WAKE_AGAIN_MILLIS = 10;
    private static final int CAUSES_MAX = 16;
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final Thread thread;
    private volatile boolean stopped;
    private final Map<String, Long> told = new HashMap<>();

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

    /**
     * Says that its work has failed: the first time with the stack of the error, and again at the 10th, the 100th ... time that
     * the same thing fails for the same cause. Texts that differ in numbers only are of one cause. Where that cannot be said, the
     * work goes on as well.
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

    /** Takes note that all of its work has gone well: the same errors are told again. */
    public void goesWell() {
        told.clear();
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
