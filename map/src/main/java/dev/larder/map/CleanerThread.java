package dev.larder.map;

import dev.larder.log.BackgroundThread;
import dev.larder.log.HeadKeeper;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread of a map in the background. It cleans, unless another process does, or that was not wished; it keeps the heads
 * of records for which that pays; and it unmaps what other processes have dropped, and the image that nobody needs any
 * more. It sleeps until the log has come to another segment, and a quarter of a second at most; then it looks as well
 * whether the oldest entries have expired. An error is told, once, and kept for whoever asks; the thread goes on.
 */
final class CleanerThread implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final long HELD_NANOS = 10_000_000;

    /** How often it looks what other processes have done. */
    private static final long LOOK_NANOS = 250_000_000;

    private final String name;
    private final Space space;
    private final Cleaner cleaner;
    private final Processes processes;
    private final Runnable leaveImage;
    private final HeadKeeper heads;
    private final boolean cleaning;
    private final BackgroundThread thread;
    private volatile boolean signalled;

    CleanerThread(
            String name,
            Space space,
            Cleaner cleaner,
            Processes processes,
            Runnable leaveImage,
            HeadKeeper heads,
            boolean cleaning) {
        this.name = name;
        this.space = space;
        this.cleaner = cleaner;
        this.processes = processes;
        this.leaveImage = leaveImage;
        this.heads = heads;
        this.cleaning = cleaning;
        this.thread = new BackgroundThread("larder-map-" + name, this);
    }

    void start() {
        thread.start();
    }

    /** Tells that it may be time to clean. */
    void signal() {
        signalled = true;
        thread.wake();
    }

    @Override
    public void run() {
        while (!thread.isStopped()) {
            boolean held = false;
            try {
                signalled = false;
                processes.takeOutDead();
                work();
                held = cleaning ? cleaner.giveBack() : cleaner.leaveDropped();
                leaveImage.run();
            } catch (RuntimeException | Error e) {
                tell(e);
            }
            sleep(held);
        }
    }

    private void sleep(boolean held) {
        if (!signalled && !thread.isStopped()) {
            LockSupport.parkNanos(held ? HELD_NANOS : LOOK_NANOS);
        }
    }

    /** Keys come before cleaning: who waits for the disk at each put waits for longer than who waits for room. */
    private void work() {
        boolean more = true;
        while (more && !thread.isStopped()) {
            boolean kept = heads.keepOne();
            boolean cleaned = !kept && cleaning && clean();
            more = kept || cleaned;
        }
        thread.goesWell();
    }

    private boolean clean() {
        boolean cleaned =
                cleaner.cleanOldestAlone(() -> !thread.isStopped() && (space.isDue() || cleaner.isOldestExpired()));
        space.look();
        return cleaned;
    }

    private void tell(Throwable failed) {
        try {
            space.look(); // who waits for this thread need not wait any more
        } catch (RuntimeException | Error e) {
            // what has failed once fails again, as a rule: one of the two is told
        }
        thread.tell(LOGGER, name + ": background work on the map failed", failed);
    }

    /** Stops the thread; waits until it has ended. */
    void stop() {
        thread.stop();
    }
}
