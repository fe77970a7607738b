package dev.larder.log.shared;

import dev.larder.log.LogBusyException;
import dev.larder.log.format.ControlLayout;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes that have a log open for writing, as seen by a session that is none of them: by the locks that they hold. The
 * session takes no lock where the system tells whether one is held. Elsewhere it shares a byte for a moment, as a recoverer
 * does.
 *
 * <p>A log without a lock file is a copy, or its creation was cut short: no process has it open.
 */
public final class LiveProcesses implements AutoCloseable {

    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 200_000;

    private final ControlFile control;
    private final Optional<LockFile> locks;

    private LiveProcesses(ControlFile control, Optional<LockFile> locks) {
        this.control = control;
        this.locks = locks;
    }

    public static LiveProcesses of(Path directory, Storage storage, ControlFile control) {
        Optional<StorageFile> file = storage.open(directory.resolve(LockFile.FILE_NAME), false);
        return new LiveProcesses(control, file.map(found -> new LockFile(found, storage)));
    }

    /** Returns whether a process is just opening or closing the log. */
    public boolean isGateHeld() {
        return isHeld(LockFile.GATE);
    }

    /** Returns whether a live process holds a slot. */
    public boolean isAlive(int slot) {
        return isHeld(LockFile.live(slot));
    }

    /** Returns the lowest slot that a live process holds; empty if there is none. */
    public OptionalInt first() {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT && control.generationAcquire(slot) != 0; slot++) {
            if (isAlive(slot)) {
                return OptionalInt.of(slot);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Keeps the files of dropped segments from being used again until this is closed. They are deleted instead, and their
     * mapped bytes stay as they are. A process that drops segments holds the byte for a moment, to see whether another shares
     * it.
     *
     * @throws LogBusyException when another process holds the byte for 10 s
     */
    public void keepFiles() {
        long start = System.nanoTime();
        while (locks.isPresent() && !locks.get().tryLockShared(LockFile.FILES)) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new LogBusyException(locks.get().path() + ": another process has held the exclusive lock on byte "
                        + LockFile.FILES + " for more than 10 s; is it stopped?");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean isHeld(long at) {
        return locks.isPresent() && locks.get().isHeld(at);
    }

    @Override
    public void close() {
        locks.ifPresent(LockFile::close);
    }
}
