package dev.larder.queue.connection;

import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The progress of a source, which it sends to its follower among the messages.
 *
 * @param timeMillis the time of the source's clock
 * @param next the sequence of the message that the follower gets next
 * @param end the sequence that the source's next message will have
 * @param bytesBehind the bytes of the source's log between the two messages
 */
public record SourceProgress(long timeMillis, long next, long end, long bytesBehind) {

    private static final int BYTES = 32;

    /** Returns a frame with these values and the end of the source. */
    public Frame frame(long endPosition) {
        ByteBuffer payload = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        payload.putLong(timeMillis).putLong(next).putLong(end).putLong(bytesBehind);
        return new Frame(Frame.Kind.PROGRESS, endPosition, payload.array());
    }

    /** Reads a frame. */
    public static SourceProgress parse(Frame frame, String source) {
        if (frame.payload().length != BYTES) {
            throw new CorruptException(
                    source + ": progress of " + frame.payload().length + " bytes, expected " + BYTES);
        }
        ByteBuffer payload = ByteBuffer.wrap(frame.payload()).order(ByteOrder.LITTLE_ENDIAN);
        return new SourceProgress(payload.getLong(0), payload.getLong(8), payload.getLong(16), payload.getLong(24));
    }
}
