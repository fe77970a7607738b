package dev.larder.lab.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection to a target. What the target does not take waits in a buffer that grows as needed; the sender writes,
 * the receiver reads.
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

    /** Takes a request; it leaves with the next flush. */
    void put(long id, Request request) {
        int needed = WireFormat.REQUEST_BYTES + request.payload.length;
        while (out.remaining() < needed) {
            out = WireFormat.larger(out);
        }
        WireFormat.putRequest(out, id, request);
    }

    /** Writes what the other side takes; returns whether that is all. */
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

    /** Hands on the answers that are here; returns false at the end of the connection. */
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
            // It was of no more use anyway.
        }
    }
}
