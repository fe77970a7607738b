package dev.larder.server.stream;

import dev.larder.memory.CorruptException;
import dev.larder.queue.MessageHandler;
import java.lang.foreign.MemorySegment;

/**
 * The messages of a stream in a kept store that lie behind the moment to which the store was taken back. They are added again,
 * one after the other, and must be the same.
 */
final class RepeatedMessages {

    private final long stream;

    RepeatedMessages(long stream) {
        this.stream = stream;
    }

    /**
     * Fails if the queue has lost messages that it had at the moment.
     *
     * @param first the first entry at the moment
     * @param end the end at the moment
     * @param oldest the first message that is there
     * @param there the end of the messages that are there
     */
    void requireKept(long first, long end, long oldest, long there) {
        if (end > there || (first < oldest && first < end)) {
            throw new CorruptException("stream " + stream + ": its queue holds the messages " + oldest + " up to "
                    + there + ", and the kept state of the store has " + first + " up to " + end);
        }
    }

    /**
     * Takes the next message of the queue in place of an entry to add: the entry was added before the store was taken back.
     * Returns false if there is none.
     *
     * @param sequence the sequence of the next message
     * @param handler handles the message
     */
    boolean isNext(StreamQueue queue, long sequence, MemorySegment entry, MessageHandler handler) {
        return queue.next((segment, offset, length) -> {
            if (entry.mismatch(segment.asSlice(offset, length)) >= 0) {
                throw new CorruptException("stream " + stream + ": message " + sequence
                        + " of its queue differs from the message that the array repeats after the store went back to"
                        + " its kept state");
            }
            handler.onMessage(segment, offset, length);
        });
    }
}
