package dev.larder.map.entry;

import dev.larder.map.RemovalCause;
import java.lang.foreign.MemorySegment;

/** Receives the entries that the cleaner forgets, while their records can still be read. */
@FunctionalInterface
public interface Forgotten {

    /** Reports why an entry goes, and where its record lies: its segment, and the offset and length of the payload. */
    void gone(RemovalCause cause, MemorySegment record, long at, int length);
}
