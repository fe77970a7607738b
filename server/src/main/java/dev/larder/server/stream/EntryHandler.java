package dev.larder.server.stream;

import java.lang.foreign.MemorySegment;

/** Takes entries where they lie, in the form of {@link EntryFrame}. */
@FunctionalInterface
public interface EntryHandler {

    /** Takes an entry, which is valid during the call. */
    void onEntry(StreamId id, MemorySegment segment, long offset);
}
