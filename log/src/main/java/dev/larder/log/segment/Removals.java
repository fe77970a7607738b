package dev.larder.log.segment;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Deletes files that are no longer needed, on a thread of its own, which lives as long as there are any. The thread that
 * drops segments must not wait. A file system that tells its disk at once what is free takes 0.3 s for 256 MiB.
 *
 * <p>The names are private ones, so a sweep finds those that a dead process has left. At most four files wait. A caller that
 * brings more deletes a file itself, and so does every caller where no thread can be started.
 */
final class Removals implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");
    private static final int WAITING_MAX = 4;

    private final Storage storage;
    private final ThreadPoolExecutor worker;
    private final Set<Path> refused = ConcurrentHashMap.newKeySet();
    private int underWay;

    Removals(Storage storage, String name) {
        this(
                storage,
                Thread.ofPlatform().daemon().name("larder-removals-" + name).factory());
    }

    Removals(Storage storage, ThreadFactory threads) {
        this.storage = storage;
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                threads,
                (removal, pool) -> removal.run());
        worker.allowCoreThreadTimeOut(true);
    }

    /** Deletes a file soon. If the system refuses because the file is mapped, the deletion is tried again with the next one. */
    void remove(Path name) {
        Removal removal = new Removal(name);
        begun();
        try {
            worker.execute(removal);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.DEBUG, "no thread to delete " + name + "; the caller deletes it", e);
            removal.run(); // the removal may be in the queue all the same
        }
    }

    /**
     * Deletes a name that a live segment may have as well. Some systems keep the names of a mapped file, and a thread that
     * enters the segment meanwhile maps it. Then the deletion is tried again with the next one.
     */
    void removeAtOnce(Path name) {
        if (!isGone(name)) {
            refused.add(name);
        }
    }

    /** One file that is to be deleted. A file that is gone already counts as deleted. */
    private final class Removal implements Runnable {

        private final Path name;
        private final AtomicBoolean ended = new AtomicBoolean();

        Removal(Path name) {
            this.name = name;
        }

        @Override
        public void run() {
            try {
                delete(name);
            } finally {
                if (ended.compareAndSet(false, true)) {
                    ended();
                }
            }
        }
    }

    private void delete(Path name) {
        refused.removeIf(this::isGone);
        if (!isGone(name)) {
            refused.add(name);
        }
    }

    private boolean isGone(Path name) {
        try {
            storage.delete(name);
            return true;
        } catch (StorageException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "cannot delete " + name + " now; a later removal tries again", e);
            return false;
        }
    }

    private synchronized void begun() {
        underWay++;
    }

    private synchronized void ended() {
        underWay--;
        notifyAll();
    }

    /** Waits until all pending deletions are done, as far as possible, not interruptible. Returns whether there were any. */
    boolean finish() {
        boolean any = isUnderWay();
        if (awaitEnd()) {
            Thread.currentThread().interrupt();
        }
        return refused.removeIf(this::isGone) || any;
    }

    private synchronized boolean isUnderWay() {
        return underWay > 0;
    }

    private synchronized boolean awaitEnd() {
        boolean interrupted = false;
        while (underWay > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    @Override
    public void close() {
        try {
            finish();
        } finally {
            worker.shutdown();
        }
    }
}
