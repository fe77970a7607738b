package dev.larder.map.checkpoint;

import dev.larder.log.BackgroundThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread of a map that writes images of its index from time to time. It has nothing else to do: an image of billions of
 * entries takes minutes. An error is told, once; the thread goes on, and tries again.
 */
public final class CheckpointThread implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final long LOOK_NANOS = 1_000_000_000;

    /** The least time from one image to the next. */
    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final String name;
    private final CheckpointNeed need;
    private final BooleanSupplier attempt;
    private final BackgroundThread thread;

    /**
     * A thread.
     *
     * @param attempt writes an image, unless somebody else does; returns whether there is a new one
     */
    public CheckpointThread(String name, CheckpointNeed need, BooleanSupplier attempt) {
        this.name = name;
        this.need = need;
        this.attempt = attempt;
        this.thread = new BackgroundThread("larder-map-" + name + "-image", this);
    }

    public void start() {
        thread.start();
    }

    /** Returns whether the image that is being written is to be given up. */
    public boolean isStopped() {
        return thread.isStopped();
    }

    @Override
    public void run() {
        while (!thread.isStopped()) {
            rest(writeIfDue() ? PAUSE_NANOS : LOOK_NANOS);
        }
    }

    private boolean writeIfDue() {
        try {
            boolean written = need.isDue() && attempt.getAsBoolean();
            if (written) {
                thread.goesWell();
            }
            return written;
        } catch (RuntimeException | Error e) {
            if (!thread.isStopped()) {
                thread.tell(LOGGER, name + ": no checkpoint was made", e);
            }
            return true; // nothing that has failed is tried again at once
        }
    }

    private void rest(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !thread.isStopped(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Stops the thread; waits until it has ended. */
    public void stop() {
        thread.stop();
    }
}
