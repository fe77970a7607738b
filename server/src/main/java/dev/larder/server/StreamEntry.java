package dev.larder.server;

import dev.larder.server.stream.EntryFrame;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/**
 * An entry of a stream, where a tailer of its queue finds it: nothing is copied. It is valid as long as the message is.
 *
 * {@snippet :
 * try (LarderQueue queue = LarderQueue.open(server.streamDirectory(0, key).orElseThrow());
 *         Tailer tailer = queue.tailer()) {
 *     tailer.poll((segment, offset, length) -> StreamEntry.at(segment, offset, length).forEach(this::handle));
 * }
 * }
 *
 * <p>A tailer also sees entries that were deleted or trimmed and are still there; {@code docs/formats/stream.md}.
 */
public final class StreamEntry {

    private final MemorySegment segment;
    private final long offset;

    private StreamEntry(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
    }

    /**
     * Returns the entry in a message.
     *
     * @throws IllegalArgumentException if the message is not an entry
     */
    public static StreamEntry at(MemorySegment segment, long offset, int length) {
        if (!EntryFrame.isEntry(segment, offset, length)) {
            throw new IllegalArgumentException("a message of " + length + " bytes is not an entry of a stream");
        }
        return new StreamEntry(segment, offset);
    }

    /** Returns the id: {@code milliseconds-number}. */
    public String id() {
        return EntryFrame.id(segment, offset).toString();
    }

    /** Returns how many fields there are. */
    public int size() {
        return EntryFrame.count(segment, offset) / 2;
    }

    /** Passes on each field with its value. */
    public void forEach(BiConsumer<MemorySegment, MemorySegment> handler) {
        long at = EntryFrame.first(offset);
        for (int i = 0; i < size(); i++) {
            MemorySegment field = part(at);
            at = EntryFrame.next(segment, at);
            handler.accept(field, part(at));
            at = EntryFrame.next(segment, at);
        }
    }

    private MemorySegment part(long at) {
        return segment.asSlice(EntryFrame.bytes(at), EntryFrame.length(segment, at));
    }
}
