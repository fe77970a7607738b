package dev.larder.map.shared;

import dev.larder.log.LogMismatchException;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Whether the processes that have a map open have a restore point: all of them, or none. Any of them may clean, and so drop
 * what a restore point needs. A process that comes later finds the map as it is, not as it was at its point.
 */
public final class Restoring {

    private static final long WITHOUT = 1;
    private static final long WITH = 2;

    private Restoring() {}

    /** Records whether the first process has a restore point. The caller holds the gate. */
    public static void begin(IndexFile index, boolean restoring) {
        Words.setRelease(index.memory(), IndexFileLayout.RESTORING, restoring ? WITH : WITHOUT);
    }

    /**
     * Ensures that a process has a restore point exactly if the first one has. The caller holds the gate.
     *
     * @throws LogMismatchException if that is not so
     */
    public static void requireSame(IndexFile index, boolean restoring, Path directory) {
        MemorySegment shared = index.memory();
        long found = Words.getAcquire(shared, IndexFileLayout.RESTORING);
        if (found == (restoring ? WITHOUT : WITH)) {
            throw new LogMismatchException(directory + ": another process has the map open "
                    + (restoring ? "without" : "with")
                    + " a restore point; open it with a restore point in every process, or in"
                    + " none");
        }
    }
}
