package dev.larder.queue;

import java.lang.foreign.MemorySegment;

/** Writes a message in place. */
@FunctionalInterface
public interface MessageWriter {

    /** Writes exactly {@code length} bytes from {@code offset} on; the segment is the mapped file, so nothing else. */
    void write(MemorySegment segment, long offset, int length);
}
