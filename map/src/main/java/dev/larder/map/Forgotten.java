package dev.larder.map;

import java.lang.foreign.MemorySegment;

/** Is told of entries that the cleaner forgets, while their records can still be read. */
@FunctionalInterface
interface Forgotten {

    /** Tells why an entry goes, and where its record lies: the segment, and offset and length of the payload. */
    void gone(RemovalCause cause, MemorySegment record, long at, int length);
}
