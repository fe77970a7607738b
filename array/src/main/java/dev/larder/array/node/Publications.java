package dev.larder.array.node;

import dev.larder.array.link.Links;
import dev.larder.memory.CorruptException;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.push.Channels;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import dev.larder.server.store.Bytes;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code PUBLISH} and {@code SPUBLISH}: sends a message to the subscribers of all nodes, without guarantee. A frame of the links,
 * big-endian:
 *
 * <pre>
 * 0      1       2                6
 * | kind | shard | channel length | channel ... | message ...     kind: 4; shard: 1 for SPUBLISH
 * </pre>
 *
 * Thread-safe.
 */
public final class Publications {

    static final byte KIND = 4;

    private static final int HEAD_BYTES = 6;

    private final Consumer<ByteBuffer> others;

    /** The channels of this node; null until it serves. */
    private volatile @Nullable Channels channels;

    /**
     * Creates the publications of a node.
     *
     * @param others sends a frame to all other nodes
     */
    public Publications(Consumer<ByteBuffer> others) {
        this.others = others;
    }

    /** Sets the channels that get other nodes' publications from now on. */
    public void to(Channels own) {
        channels = own;
    }

    /** Returns the handlers by the names of their commands. */
    public Map<String, SessionHandler> all() {
        return Map.of(
                "publish", (session, request) -> publish(session, request, false),
                "spublish", (session, request) -> publish(session, request, true));
    }

    private void publish(Session session, Request request, boolean toShard) {
        int bytes = HEAD_BYTES + request.length(1) + request.length(2);
        if (bytes > Links.FRAME_MAX_BYTES) {
            throw new ReplyException("ERR a message and its channel of " + (bytes - HEAD_BYTES)
                    + " bytes are too large: nodes pass on at most " + (Links.FRAME_MAX_BYTES - HEAD_BYTES));
        }
        ByteBuffer frame = ByteBuffer.allocate(bytes);
        frame.put(KIND).put((byte) (toShard ? 1 : 0)).putInt(request.length(1));
        frame.put(request.bytes(1)).put(request.bytes(2)).flip();
        others.accept(frame);
        session.reply()
                .integer(publish(session.node().channels(), Bytes.of(request, 1), Bytes.of(request, 2), toShard));
    }

    private static long publish(Channels to, Bytes channel, Bytes message, boolean toShard) {
        return toShard ? to.publishToShard(channel, message) : to.publish(channel, message);
    }

    /** Returns whether a frame holds a message. */
    public static boolean isPublication(ByteBuffer frame) {
        return frame.hasRemaining() && frame.get(frame.position()) == KIND;
    }

    /**
     * Passes a message of another node to the subscribers of this one.
     *
     * @throws CorruptException if the frame holds no message
     */
    public void received(ByteBuffer frame) {
        ByteBuffer in = frame.slice();
        int length = in.remaining() < HEAD_BYTES ? -1 : in.getInt(2);
        if (length < 0 || length > in.remaining() - HEAD_BYTES) {
            throw new CorruptException("a frame of " + in.remaining() + " bytes with a message is cut off");
        }
        Channels to = channels;
        if (to != null) {
            byte[] channel = new byte[length];
            byte[] message = new byte[in.remaining() - HEAD_BYTES - length];
            in.position(HEAD_BYTES).get(channel).get(message);
            publish(to, Bytes.of(channel), Bytes.of(message), in.get(1) != 0);
        }
    }
}
