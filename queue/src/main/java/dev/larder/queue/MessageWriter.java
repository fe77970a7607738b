package dev.larder.queue;

import dev.larder.log.RecordWriter;
import java.lang.foreign.MemorySegment;

/** A writer that fills a message in place, in the mapped file. */
@FunctionalInterface
public interface MessageWriter extends RecordWriter {

    /**
     * Writes exactly {@code length} bytes from {@code offset} on, and no byte elsewhere: the segment is the mapped
     * file.
     */
    @Override
    void write(MemorySegment segment, long offset, int length);
}
