package dev.larder.log;

import java.lang.foreign.MemorySegment;

/** A writer that fills a record in place, in the mapped file. */
@FunctionalInterface
public interface RecordWriter {

    /**
     * Writes exactly {@code length} bytes from {@code offset} on, and no byte elsewhere: the segment is the mapped
     * file.
     */
    void write(MemorySegment segment, long offset, int length);
}
