package dev.larder.server.push;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.store.Bytes;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client which of its copies of keys are out of date.
 *
 * @param keys the keys, encoded as an array of bytes; null for all
 * @param redirected whether it goes to another client than the one that has read the keys
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public record Invalidation(@Nullable Bytes keys, boolean redirected) implements Push {

    private static final String CHANNEL = "__redis__:invalidate";
    private static final int HEADER_BYTES = 48;

    /** Returns an invalidation of some keys. */
    static Invalidation of(Collection<Bytes> keys, boolean redirected) {
        ReplyBuffer buffer = new ReplyBuffer();
        ReplyEncoder encoder = new ReplyEncoder(buffer);
        encoder.array(keys.size());
        for (Bytes key : keys) {
            encoder.beginBulk(key.length());
            buffer.write(key.array(), key.offset(), key.length());
            encoder.endBulk();
        }
        return new Invalidation(Bytes.of(buffer.toByteArray()), redirected);
    }

    /** Returns an invalidation of all keys. */
    static Invalidation ofAll(boolean redirected) {
        return new Invalidation(null, redirected);
    }

    @Override
    public int sizeBytes() {
        return HEADER_BYTES + (keys == null ? 0 : keys.length());
    }

    /** Writes the push; in RESP2 as the message of a channel. */
    @Override
    public void writeTo(ReplyEncoder reply) {
        if (reply.version() == 2) {
            reply.array(3);
            reply.text(ChannelKind.CHANNEL.message());
            reply.text(CHANNEL);
        } else {
            reply.push(2);
            reply.text("invalidate");
        }
        if (keys == null) {
            reply.nil();
        } else {
            reply.output().write(keys.array(), keys.offset(), keys.length());
        }
    }
}
