package dev.larder.lab.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection of a {@link TargetServer}. */
final class TargetConnection implements Runnable {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] NOTHING = {};

    private final SocketChannel channel;
    private final Incoming.Handler handler;
    private final ByteBuffer out = WireFormat.buffer(WireFormat.ANSWER_BYTES);
    private ByteBuffer in = WireFormat.buffer(BUFFER_BYTES);

    TargetConnection(SocketChannel channel, Incoming.Handler handler) {
        this.channel = channel;
        this.handler = handler;
    }

    /** Reads requests until the connection ends. */
    @Override
    public void run() {
        try (channel) {
            while (channel.read(in) >= 0) {
                takeRequests(System.nanoTime());
            }
        } catch (IOException e) {
            // The generator or this server has ended: either ends the run, and the generator reports it.
        }
    }

    private void takeRequests(long received) throws IOException {
        in.flip();
        while (in.remaining() >= WireFormat.REQUEST_BYTES) {
            int length = in.getInt(in.position() + 20);
            if (length < 0 || length > WireFormat.PAYLOAD_MAX) {
                throw new IOException("a request of " + length + " bytes; the largest is " + WireFormat.PAYLOAD_MAX);
            }
            if (in.remaining() < WireFormat.REQUEST_BYTES + length) {
                break;
            }
            take(received, length);
        }
        in.compact();
        makeRoom();
    }

    /** A request may exceed the buffer. */
    private void makeRoom() {
        if (!in.hasRemaining()) {
            in = WireFormat.larger(in);
        }
    }

    private void take(long received, int length) {
        long id = in.getLong();
        long argument = in.getLong();
        int kind = in.getInt();
        in.getInt();
        byte[] payload = length == 0 ? NOTHING : new byte[length];
        in.get(payload);
        handler.take(new Incoming(this, id, kind, argument, payload, received));
    }

    /** Answers a request, on any thread. */
    synchronized void answer(long id, long waited, long served, int status) {
        out.clear();
        WireFormat.putAnswer(out, id, waited, served, status);
        out.flip();
        try {
            while (out.hasRemaining()) {
                channel.write(out);
            }
        } catch (IOException e) {
            // The generator has ended; its report counts lost answers.
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is no longer needed.
        }
    }
}
