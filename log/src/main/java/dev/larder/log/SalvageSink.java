package dev.larder.log;

import java.lang.foreign.MemorySegment;

/** Takes a sound record, valid during the call only. */
@FunctionalInterface
public interface SalvageSink {

    /** Reads the {@code length} bytes from {@code offset} on of the record of a position. */
    void record(long position, MemorySegment segment, long offset, int length);
}
