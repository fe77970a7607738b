package dev.larder.lab.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection to a target. Requests that the target does not accept yet wait in a growing buffer; the sender writes, the
 * receiver reads.
 */
final class SocketConnection {

    private static final int BUFFER_BYTES = 1 << 16;

    private final SocketChannel channel;
    private final ByteBuffer in = WireFormat.buffer(BUFFER_BYTES);
    private ByteBuffer out = WireFormat.buffer(BUFFER_BYTES);

    SocketConnection(InetSocketAddress target) throws IOException {
        channel = SocketChannel.open(target);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    SocketChannel channel() {
        return channel;
    }

    /** Adds a request; it leaves with the next flush. */
    void put(long id, Request request) {
        int needed = WireFormat.REQUEST_BYTES + request.payload.length;
        while (out.remaining() < needed) {
            out = WireFormat.larger(out);
        }
        WireFormat.putRequest(out, id, request);
    }

    /** Writes as much as the target accepts; returns whether that is all. */
    boolean flush() throws IOException {
        if (out.position() == 0) {
            return true;
        }
        out.flip();
        channel.write(out);
        boolean all = !out.hasRemaining();
        out.compact();
        return all;
    }

    /** Passes on the arrived answers; returns false at the end of the connection. */
    boolean read(Driver.Answers answers) throws IOException {
        int read = channel.read(in);
        in.flip();
        while (in.remaining() >= WireFormat.ANSWER_BYTES) {
            int at = in.position();
            answers.answered(in.getLong(at), in.getInt(at + 24), in.getLong(at + 8), in.getLong(at + 16));
            in.position(at + WireFormat.ANSWER_BYTES);
        }
        in.compact();
        return read >= 0;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is no longer needed.
        }
    }
}
