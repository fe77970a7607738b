package dev.larder.log;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The byte locks of a log, in {@code log.lck}; the kernel frees them when their process has left user code for good.
 *
 * <pre>
 * 0 GATE   opening and closing
 * 1 MAINT  who prepares segments for all; saves work, protects nothing
 * 2 SYNC   who flushes
 * 3 NAMES  who takes, makes or drops a bookmark
 * 16 + i   LIVE(i): the process in slot i lives, who holds it alone
 * </pre>
 *
 * A LIVE byte is shared for a moment by who asks whether its process lives: a byte that can be shared is nobody's.
 *
 * Opened once per process: closing any descriptor of the file may drop its locks.
 */
final class LockFile implements AutoCloseable {

    static final String FILE_NAME = "log.lck";
    static final long GATE = 0;
    static final long MAINT = 1;
    static final long SYNC = 2;
    static final long NAMES = 3;
    private static final long LIVE = 16;

    private static final long PAUSE_NANOS = 200_000;

    private final StorageFile file;
    private final Storage storage;

    LockFile(StorageFile file, Storage storage) {
        this.file = file;
        this.storage = storage;
    }

    static long live(int slot) {
        return LIVE + slot;
    }

    Path path() {
        return file.path();
    }

    boolean tryLock(long at) {
        return file.tryLock(at);
    }

    boolean tryLockShared(long at) {
        return file.tryLockShared(at);
    }

    /** Returns whether a process, this one included, holds a byte alone; those who share it are not seen. */
    boolean isHeld(long at) {
        return file.isLocked(at);
    }

    void unlock(long at) {
        file.unlock(at);
    }

    /**
     * Locks, trying again while another process holds the byte.
     *
     * @throws LogBusyException when the time is over
     * @throws InterruptedWaitException when the thread is interrupted while it waits
     */
    void lock(long at, String name, long timeoutNanos) {
        long deadline = storage.nanoTime() + timeoutNanos;
        while (!file.tryLock(at)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedWaitException("interrupted while waiting for " + name + " of " + file.path());
            }
            if (storage.nanoTime() - deadline > 0) {
                throw new LogBusyException(file.path() + ": " + name + " is held by another process for more than "
                        + timeoutNanos / 1_000_000 + " ms");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
