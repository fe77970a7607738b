package dev.larder.log;

import java.lang.foreign.MemorySegment;

/** A consumer of sound records. */
@FunctionalInterface
public interface SalvageSink {

    /** Reads the record of a position: {@code length} bytes from {@code offset} on, valid during the call only. */
    void record(long position, MemorySegment segment, long offset, int length);
}
