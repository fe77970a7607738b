package dev.larder.log;

import java.lang.foreign.MemorySegment;

/** A handler that reads a record in place, in the mapped file. */
@FunctionalInterface
public interface RecordHandler {

    /**
     * Reads a record: {@code length} bytes from {@code offset} on. The segment is read-only, is made once per mapping, and
     * holds more than the record. The bytes are valid during the call only.
     */
    void onRecord(MemorySegment segment, long offset, int length);
}
