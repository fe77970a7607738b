package dev.larder.map.shared;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Which records of the log may have a deadline, as far as all processes know. The cleaner looks for expired entries only if there
 * may be such records.
 *
 * <pre>
 *  0             none: all of the log was read, or a checkpoint says so
 *  a position    only records before it: a checkpoint does not say. None is left once the log begins there
 *  ANYWHERE      a process has put or met one in this opening
 * </pre>
 *
 * <p>A process notes a deadline before it links the record. So a checkpoint that contains the record also finds the note.
 */
public final class ExpiringRecords {

    private static final long ANYWHERE = Long.MAX_VALUE;

    private final MemorySegment shared;

    /** Creates the access to the memory of an index. */
    public ExpiringRecords(MemorySegment shared) {
        this.shared = shared;
    }

    /** Notes that there is a record with a deadline. */
    public void note() {
        if (before() != ANYWHERE) {
            Words.raise(shared, IndexFileLayout.EXPIRING_BEFORE, ANYWHERE);
        }
    }

    /** Notes that records before a position may have a deadline. */
    public void noteBefore(long position) {
        Words.raise(shared, IndexFileLayout.EXPIRING_BEFORE, position);
    }

    /** Returns whether any record from a position on may have a deadline. */
    public boolean mayBeFrom(long position) {
        return before() > position;
    }

    private long before() {
        return Words.getVolatile(shared, IndexFileLayout.EXPIRING_BEFORE);
    }
}
