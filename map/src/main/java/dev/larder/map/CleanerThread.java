package dev.larder.map;

import java.util.concurrent.locks.LockSupport;

/**
 * The thread that cleans a map in the background. It sleeps until the log has come to another segment. An error is told,
 * once, and kept for whoever asks; the thread goes on with the next segment that is filled.
 */
final class CleanerThread implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final long HELD_NANOS = 10_000_000;

    private final String name;
    private final Space space;
    private final Cleaner cleaner;
    private final Thread thread;
    private volatile boolean signalled;
    private volatile boolean stopped;
    private String told = "";

    CleanerThread(String name, Space space, Cleaner cleaner) {
        this.name = name;
        this.space = space;
        this.cleaner = cleaner;
        this.thread = Thread.ofPlatform().daemon().name("larder-map-" + name).unstarted(this);
    }

    void start() {
        thread.start();
    }

    /** Tells that it may be time to clean. */
    void signal() {
        signalled = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!stopped) {
            boolean held = false;
            try {
                signalled = false;
                work();
                held = cleaner.giveBack();
            } catch (RuntimeException | Error e) {
                tell(e);
            }
            sleep(held);
        }
    }

    private void sleep(boolean held) {
        if (!signalled && !stopped) {
            if (held) {
                LockSupport.parkNanos(HELD_NANOS);
            } else {
                LockSupport.park();
            }
        }
    }

    private void work() {
        boolean more = true;
        while (more && !stopped) {
            more = cleaner.cleanOldest(() -> !stopped && space.isDue());
            space.look();
        }
        told = "";
    }

    private void tell(Throwable failed) {
        space.look(); // who waits for this thread need not wait any more
        String what = String.valueOf(failed);
        if (!what.equals(told)) {
            told = what;
            LOGGER.log(System.Logger.Level.WARNING, name + ": cleaning failed: " + what, failed);
        }
    }

    /** Stops the thread; waits until it has ended. */
    void stop() {
        stopped = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            LockSupport.unpark(thread);
            try {
                thread.join(10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
