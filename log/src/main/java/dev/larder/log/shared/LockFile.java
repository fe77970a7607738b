package dev.larder.log.shared;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The byte locks of a log, in {@code log.lck}. The kernel frees them when their process has left user code for good.
 *
 * <pre>
 * 0 GATE   opening and closing
 * 1 MAINT  held by the process that prepares segments for all; saves work, protects nothing
 * 2 SYNC   held by the process that flushes
 * 3 NAMES  held by the process that takes, makes or drops a bookmark
 * 4 FILES  shared by processes that keep positions and have no pin: meanwhile no file is used again
 * 16 + i   LIVE(i): held alone by the live process in slot i
 * </pre>
 *
 * To ask whether a process lives, another process shares the LIVE byte for a moment: a byte that can be shared has no owner.
 *
 * Opened once per process: closing any descriptor of the file may drop its locks.
 */
public final class LockFile implements AutoCloseable {

    public static final String FILE_NAME = "log.lck";
    public static final long GATE = 0;
    public static final long MAINT = 1;
    public static final long SYNC = 2;
    public static final long NAMES = 3;
    public static final long FILES = 4;
    private static final long LIVE = 16;

    private static final long PAUSE_NANOS = 200_000;

    private final StorageFile file;
    private final Storage storage;

    public LockFile(StorageFile file, Storage storage) {
        this.file = file;
        this.storage = storage;
    }

    public static long live(int slot) {
        return LIVE + slot;
    }

    public Path path() {
        return file.path();
    }

    public boolean tryLock(long at) {
        return file.tryLock(at);
    }

    public boolean tryLockShared(long at) {
        return file.tryLockShared(at);
    }

    /** Returns whether a process, this one included, holds a byte alone; processes that share it are not seen. */
    public boolean isHeld(long at) {
        return file.isLocked(at);
    }

    public void unlock(long at) {
        file.unlock(at);
    }

    /**
     * Locks a byte, trying again while another process holds it.
     *
     * @throws LogBusyException when the time is over
     * @throws InterruptedWaitException when the thread is interrupted while it waits
     */
    public void lock(long at, String name, long timeoutNanos) {
        long deadline = storage.nanoTime() + timeoutNanos;
        while (!file.tryLock(at)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedWaitException("interrupted while waiting for " + name + " of " + file.path());
            }
            if (storage.nanoTime() - deadline > 0) {
                throw new LogBusyException(file.path() + ": another process has held " + name + " for more than "
                        + timeoutNanos / 1_000_000 + " ms; is it stopped?");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
