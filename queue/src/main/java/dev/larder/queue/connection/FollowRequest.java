package dev.larder.queue.connection;

import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.queue.CopyScope;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The first frame that a follower sends.
 *
 * @param identity the requested queue; zero for any
 * @param scope which messages
 * @param from the last message that both sides have; 0 if there is none
 * @param name a tailer of the source that stays where the copy is durable; empty for none
 */
public record FollowRequest(UUID identity, CopyScope scope, long from, String name) {

    /** The version of the protocol. Both sides must have the same. */
    static final int VERSION = 2;

    private static final int HEAD_BYTES = 32;

    /** Returns its bytes. */
    public Frame frame() {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer payload = ByteBuffer.allocate(HEAD_BYTES + text.length).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(Frame.magic()).putLong(identity.getMostSignificantBits());
        payload.putLong(identity.getLeastSignificantBits()).putInt(VERSION);
        payload.putInt(scope == CopyScope.DURABLE ? 1 : 0).put(text);
        return new Frame(Frame.Kind.FOLLOW_REQUEST, from, payload.array());
    }

    /**
     * Reads a request.
     *
     * @throws CorruptException if the frame is not such a request
     * @throws LarderException if it is of another version
     */
    public static FollowRequest parse(Frame frame, String follower) {
        if (!frame.hasMagic() || frame.payload().length < HEAD_BYTES) {
            throw new CorruptException(follower + ": not a request to follow a queue");
        }
        ByteBuffer payload = ByteBuffer.wrap(frame.payload()).order(ByteOrder.LITTLE_ENDIAN);
        int version = payload.getInt(24);
        if (version != VERSION) {
            throw new LarderException(
                    "the other side asks for replication of version " + version + ", this side has " + VERSION);
        }
        return new FollowRequest(
                new UUID(payload.getLong(8), payload.getLong(16)),
                payload.getInt(28) == 1 ? CopyScope.DURABLE : CopyScope.COMMITTED,
                frame.position(),
                new String(frame.payload(), HEAD_BYTES, frame.payload().length - HEAD_BYTES, StandardCharsets.UTF_8));
    }
}
