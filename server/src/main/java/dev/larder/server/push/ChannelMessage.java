package dev.larder.server.push;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.store.Bytes;

/**
 * A message of a channel, encoded once for all receivers.
 *
 * @param kind what the receiver has subscribed to
 * @param source the channel or the pattern that it has subscribed to
 * @param parts how many parts the message has
 * @param body the encoded parts, which both versions of the protocol share
 */
public record ChannelMessage(ChannelKind kind, Bytes source, int parts, Bytes body) implements Push {

    private static final int HEADER_BYTES = 4;

    /** Returns a message as subscribers of its channel get it. */
    static ChannelMessage of(ChannelKind kind, Bytes channel, Bytes message) {
        return encoded(kind, channel, channel, message);
    }

    /** Returns a message as subscribers of a pattern get it. */
    static ChannelMessage ofPattern(Bytes pattern, Bytes channel, Bytes message) {
        return encoded(ChannelKind.PATTERN, pattern, pattern, channel, message);
    }

    private static ChannelMessage encoded(ChannelKind kind, Bytes source, Bytes... parts) {
        ReplyBuffer buffer = new ReplyBuffer();
        ReplyEncoder encoder = new ReplyEncoder(buffer);
        encoder.text(kind.message());
        for (Bytes part : parts) {
            encoder.beginBulk(part.length());
            buffer.write(part.array(), part.offset(), part.length());
            encoder.endBulk();
        }
        return new ChannelMessage(kind, source.copy(), 1 + parts.length, Bytes.of(buffer.toByteArray()));
    }

    @Override
    public int sizeBytes() {
        return HEADER_BYTES + body.length();
    }

    @Override
    public void writeTo(ReplyEncoder reply) {
        reply.push(parts);
        reply.output().write(body.array(), body.offset(), body.length());
    }
}
