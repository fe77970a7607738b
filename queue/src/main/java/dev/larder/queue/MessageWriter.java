package dev.larder.queue;

import dev.larder.log.RecordWriter;
import java.lang.foreign.MemorySegment;

/** Writes a message in place. */
@FunctionalInterface
public interface MessageWriter extends RecordWriter {

    /** Writes exactly {@code length} bytes from {@code offset} on; the segment is the mapped file, so nothing else. */
    @Override
    void write(MemorySegment segment, long offset, int length);
}
