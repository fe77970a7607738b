package dev.larder.queue;

import dev.larder.log.RecordHandler;
import java.lang.foreign.MemorySegment;

/** Takes a message where it lies. */
@FunctionalInterface
public interface MessageHandler extends RecordHandler {

    /**
     * Reads {@code length} bytes from {@code offset} on. The segment is read-only, made once per mapping, and holds
     * more than the message; the bytes of the message are valid during the call only, so copy what must outlive it.
     */
    void onMessage(MemorySegment segment, long offset, int length);

    /** Takes the record of a message: so the log calls this handler itself, and no object is made to stand between. */
    @Override
    default void onRecord(MemorySegment segment, long offset, int length) {
        onMessage(segment, offset, length);
    }

    /** Returns a handler that is given each message as a slice of its own, at the price of an object a message. */
    static MessageHandler ofSlices(java.util.function.Consumer<MemorySegment> handler) {
        return (segment, offset, length) -> handler.accept(segment.asSlice(offset, length));
    }
}
