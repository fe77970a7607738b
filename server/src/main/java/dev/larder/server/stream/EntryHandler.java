package dev.larder.server.stream;

import java.lang.foreign.MemorySegment;

/** A handler of entries in place, in the form of {@link EntryFrame}. */
@FunctionalInterface
public interface EntryHandler {

    /** Handles an entry, which is valid only during the call. */
    void onEntry(StreamId id, MemorySegment segment, long offset);
}
