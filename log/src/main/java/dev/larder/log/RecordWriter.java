package dev.larder.log;

import java.lang.foreign.MemorySegment;

/** Writes a record in place. */
@FunctionalInterface
public interface RecordWriter {

    /** Writes exactly {@code length} bytes from {@code offset} on; the segment is the mapped file, so nothing else. */
    void write(MemorySegment segment, long offset, int length);
}
