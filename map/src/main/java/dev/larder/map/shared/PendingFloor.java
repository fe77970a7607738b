package dev.larder.map.shared;

import dev.larder.log.Position;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * How far the cleaner may come in a map that has pending records: no pending record below the floor is needed.
 *
 * <pre>
 *  | segment n | n + 1 | n + 2 .. pending .. | n + 3 | .. pending .. |
 *    cleaned              floor                            last
 *
 *  last below the floor: none is needed, and the floor bounds nobody
 * </pre>
 *
 * <p>Shared by all processes, as any of them may clean. After an opening by the first one nothing is cleaned until somebody has
 * said what is needed. Who appends a pending record says so while he is pinned, and who cleans a segment looks once more when all
 * have ended who were pinned.
 */
public final class PendingFloor {

    private final MemorySegment shared;
    private final boolean applies;

    /**
     * Makes it.
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

    /** Returns whether a segment has to stay, with all behind it. */
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

    /** Refuses a pending record that may go, by who is pinned: one that is not refused stays as long as he is. */
    public void requireAbove(long position, Path directory) {
        long floor = get();
        if (position < floor) {
            throw new IllegalArgumentException(directory + ": the pending record at position "
                    + Position.toString(position) + " lies below the floor, " + Position.toString(floor));
        }
    }

    /** Takes note of a pending record, or of a position behind which there is none. */
    public void appended(long position) {
        Words.raise(shared, IndexFileLayout.PENDING_LAST, position);
    }

    /** Takes note that no pending record below a position is needed. */
    public void raise(long position) {
        Words.raise(shared, IndexFileLayout.PENDING_FLOOR, position);
    }
}
