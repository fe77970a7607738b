package dev.larder.log.shared;

import dev.larder.log.format.ControlLayout;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The processes that have a log open for writing, as a session sees them that is none of them: by the locks that they hold.
 * It takes no lock where the system tells who holds one; elsewhere it shares a byte for a moment, as a recoverer does.
 *
 * <p>A log without a lock file is a copy, or its creation was cut short: nobody has it open.
 */
public final class LiveProcesses implements AutoCloseable {

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

    /** Returns whether a process lives in a slot. */
    public boolean isAlive(int slot) {
        return isHeld(LockFile.live(slot));
    }

    /** Returns the lowest slot in which a process lives; empty where none does. */
    public OptionalInt first() {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT && control.generationAcquire(slot) != 0; slot++) {
            if (isAlive(slot)) {
                return OptionalInt.of(slot);
            }
        }
        return OptionalInt.empty();
    }

    private boolean isHeld(long at) {
        return locks.isPresent() && locks.get().isHeld(at);
    }

    @Override
    public void close() {
        locks.ifPresent(LockFile::close);
    }
}
