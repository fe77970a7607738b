package dev.larder.map.shared;

import dev.larder.log.LogMismatchException;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Whether the processes that have a map open have a restore point: all of them, or none. Any of them may clean, and so drop what
 * a restore point needs. And who comes later finds the map as it is, and not as it was at his point.
 */
public final class Restoring {

    private static final long WITHOUT = 1;
    private static final long WITH = 2;

    private Restoring() {}

    /** Takes note of what the first process does. Within the gate. */
    public static void begin(IndexFile index, boolean restoring) {
        Words.setRelease(index.memory(), IndexFileLayout.RESTORING, restoring ? WITH : WITHOUT);
    }

    /**
     * Sees to it that a process does as the first one. Within the gate.
     *
     * @throws LogMismatchException if it does not
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
