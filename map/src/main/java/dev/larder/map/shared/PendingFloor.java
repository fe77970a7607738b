package dev.larder.map.shared;

import dev.larder.log.Position;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The limit of the cleaner in a map that has pending records: no pending record below the floor is needed.
 *
 * <pre>
 *  | segment n | n + 1 | n + 2 .. pending .. | n + 3 | .. pending .. |
 *    cleaned              floor                            last
 *
 *  last below the floor: none is needed, and the floor does not limit the cleaner
 * </pre>
 *
 * <p>All processes share it, as any of them may clean. After the first process has opened the map, nothing is cleaned until a
 * caller has set which records are needed. A thread that appends a pending record notes that here while it is pinned. A
 * thread that cleans a segment checks again after all pinned threads have left.
 */
public final class PendingFloor {

    private final MemorySegment shared;
    private final boolean applies;

    /**
     * Creates the floor from the shared memory.
     *
     * @param applies whether the map has pending records at all
     */
    public PendingFloor(IndexFile index, boolean applies) {
        this.shared = index.memory();
        this.applies = applies;
    }

    /** Returns whether the map may have pending records. */
    public boolean applies() {
        return applies;
    }

    /** Returns whether a segment has to stay, with all segments behind it. */
    public boolean keeps(int segment) {
        if (!applies) {
            return false;
        }
        long floor = get();
        return Words.getVolatile(shared, IndexFileLayout.PENDING_LAST) >= floor && segment >= Position.segment(floor);
    }

    /** Returns the floor. */
    public long get() {
        return Words.getVolatile(shared, IndexFileLayout.PENDING_FLOOR);
    }

    /** Rejects a pending record that may be dropped. The caller is pinned; a record that is not rejected stays as long. */
    public void requireAbove(long position, Path directory) {
        long floor = get();
        if (position < floor) {
            throw new IllegalArgumentException(directory + ": the pending record at position "
                    + Position.toString(position) + " lies before the floor, " + Position.toString(floor));
        }
    }

    /** Records a pending record, or a position behind which there is none. */
    public void appended(long position) {
        Words.raise(shared, IndexFileLayout.PENDING_LAST, position);
    }

    /** Records that no pending record below a position is needed. */
    public void raise(long position) {
        Words.raise(shared, IndexFileLayout.PENDING_FLOOR, position);
    }
}
