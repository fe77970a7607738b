package dev.larder.queue;

import dev.larder.log.RecordHandler;
import java.lang.foreign.MemorySegment;

/** A handler that reads a message in place, in the mapped file. */
@FunctionalInterface
public interface MessageHandler extends RecordHandler {

    /**
     * Reads a message: {@code length} bytes from {@code offset} on. The segment is read-only, is made one time per
     * mapping, and holds more than the message. The bytes are valid during the call only, so copy data that must
     * outlive it.
     */
    void onMessage(MemorySegment segment, long offset, int length);

    /** Passes the record of a message on. The log calls this handler itself, without an adapter object. */
    @Override
    default void onRecord(MemorySegment segment, long offset, int length) {
        onMessage(segment, offset, length);
    }

    /** Returns a handler that passes each message as a slice, at the cost of one object per message. */
    static MessageHandler ofSlices(java.util.function.Consumer<MemorySegment> handler) {
        return (segment, offset, length) -> handler.accept(segment.asSlice(offset, length));
    }
}
