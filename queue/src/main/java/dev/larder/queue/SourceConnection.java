package dev.larder.queue;

import dev.larder.memory.LarderException;
import dev.larder.memory.TruncatedException;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.Securing;
import dev.larder.queue.connection.StrangerException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;

/**
 * A connection to a {@link QueueServer}, on the receiving side. One thread reads from it; any thread may close it.
 *
 * <p>After an {@link IOException} another connection may work; after a {@link LarderException} it will not.
 */
final class SourceConnection implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 18;
    private static final int ANSWER_MILLIS = 30_000;

    /** The first byte of a TLS record: an alert, or a handshake. */
    private static final int TLS_ALERT = 21;

    private static final int TLS_HANDSHAKE = 22;

    private final RemoteQueue queue;
    private final Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();

    SourceConnection(RemoteQueue queue) {
        this.queue = queue;
    }

    /**
     * Connects, sends a request, and returns the description of the served queue.
     *
     * @throws IOException if there is no connection, or it has ended
     * @throws LarderException if either side refuses the other
     */
    SourceDescription begin(Frame request) throws IOException {
        try {
            return connect(request);
        } catch (StrangerException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    private SourceDescription connect(Frame request) throws IOException {
        InetSocketAddress address = queue.resolved();
        queue.security().requireAllowed(address);
        socket.connect(address, ANSWER_MILLIS);
        socket.setSoTimeout(ANSWER_MILLIS);
        socket.setTcpNoDelay(true);
        Socket secure = queue.security().securing().connected(socket);
        in = new BufferedInputStream(secure.getInputStream(), BUFFER_BYTES);
        out = secure.getOutputStream();
        send(request);
        requireNoTls();
        return SourceDescription.parse(accepted(received()), queue.toString());
    }

    /** Throws if the server expects TLS: it then answers a plain request with an alert. */
    private void requireNoTls() throws IOException {
        in.mark(1);
        int first = read();
        in.reset();
        if (first == TLS_ALERT || first == TLS_HANDSHAKE) {
            throw new StrangerException(queue + ": the server uses TLS: name certificates or a secret");
        }
    }

    private int read() throws IOException {
        try {
            return in.read();
        } catch (SSLException e) {
            throw Securing.explained(e, queue.toString());
        } catch (SocketTimeoutException e) {
            throw silent(e);
        }
    }

    private IOException silent(SocketTimeoutException e) {
        return new IOException(queue + ": the server has sent nothing for " + ANSWER_MILLIS / 1000 + " s", e);
    }

    /**
     * Reads the next frame.
     *
     * @throws IOException if the connection has ended, also within a frame
     * @throws LarderException if the server refuses, or sends no frame
     */
    Frame next() throws IOException {
        try {
            return accepted(received());
        } catch (StrangerException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    private Frame received() throws IOException {
        try {
            return Frame.required(in, queue.toString());
        } catch (TruncatedException e) {
            EOFException ended = new EOFException(e.getMessage());
            ended.initCause(e);
            throw ended;
        } catch (SocketTimeoutException e) {
            throw silent(e);
        } catch (SSLException e) {
            throw Securing.explained(e, queue.toString());
        }
    }

    private Frame accepted(Frame frame) throws IOException {
        if (frame.kind() == Frame.Kind.ERROR) {
            throw refused(frame);
        }
        return frame;
    }

    private LarderException refused(Frame frame) throws IOException {
        if (frame.position() == QueueServer.LATER) {
            throw new IOException(queue + " refuses for now: " + frame.text());
        }
        return new LarderException(queue + " refuses: " + frame.text());
    }

    /** Sends to the source the position up to which the copy is durable. */
    void acknowledge(long position) throws IOException {
        send(new Frame(Frame.Kind.ACKNOWLEDGE, position));
    }

    private void send(Frame frame) throws IOException {
        frame.write(out);
        out.flush();
    }

    /** Ends the connection, and wakes the thread that waits for it. */
    @Override
    public void close() {
        try {
            socket.close(); // not the TLS socket, whose close message may wait for a peer that no longer reads
        } catch (IOException e) {
            // it is closed
        }
    }
}
