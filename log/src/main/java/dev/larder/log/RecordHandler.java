package dev.larder.log;

import java.lang.foreign.MemorySegment;

/** Takes a record where it lies. */
@FunctionalInterface
public interface RecordHandler {

    /**
     * Reads {@code length} bytes from {@code offset} on. The segment is read-only, is made once per mapping, and holds
     * more than the record: the bytes of the record are valid during the call only.
     */
    void onRecord(MemorySegment segment, long offset, int length);
}
