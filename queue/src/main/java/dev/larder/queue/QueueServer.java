package dev.larder.queue;

import dev.larder.memory.LarderException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that sends the messages of a queue, in order, to each client that connects, from the position that the
 * client requests. The client chooses committed or durable messages. See {@link QueueCopy}.
 *
 * <p>There is no authentication: listen on the loopback address, or in a network that you trust.
 */
public final class QueueServer implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.queue");
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int REQUEST_MILLIS = 30_000;
    private static final long ACCEPT_AGAIN_NANOS = 100_000_000;

    private final LarderQueue queue;
    private final ServerSocket server;
    private final ThreadFactory threads;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private QueueServer(LarderQueue queue, ServerSocket server, ThreadFactory threads) {
        this.queue = queue;
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts serving a queue, in threads of its own.
     *
     * @param address to listen on; port 0 takes a free port
     * @throws IOException if the server cannot listen on the address
     */
    public static QueueServer start(LarderQueue queue, InetSocketAddress address) throws IOException {
        return start(queue, address, Thread.ofPlatform().daemon().factory());
    }

    /** Starts serving a queue, with the threads of a factory for the connections. */
    static QueueServer start(LarderQueue queue, InetSocketAddress address, ThreadFactory threads) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            socket.close();
            throw new IOException(address + ": cannot listen: " + e.getMessage(), e);
        }
        QueueServer server = new QueueServer(queue, socket, threads);
        Thread.ofPlatform().daemon().name("larder-serve").start(server::accept);
        return server;
    }

    /** Returns the port that the server listens on. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!closed) {
            try {
                begin(server.accept());
            } catch (IOException | RuntimeException | Error e) {
                if (!closed) {
                    LOGGER.log(System.Logger.Level.WARNING, "cannot accept a connection: " + e.getMessage(), e);
                    LockSupport.parkNanos(
                            ACCEPT_AGAIN_NANOS); // it may be descriptors or threads that there are none of
                }
            }
        }
    }

    /** A connection that arrives while the server closes is closed by this method or by {@link #close}. */
    private void begin(Socket connection) throws IOException {
        connections.add(connection);
        if (closed) {
            connection.close();
            return;
        }
        try {
            Thread thread = threads.newThread(() -> serve(connection));
            thread.setName("larder-serve-" + connection.getPort());
            thread.start();
        } catch (RuntimeException | Error e) {
            connections.remove(connection);
            connection.close();
            throw e;
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setSoTimeout(REQUEST_MILLIS);
            OutputStream out = new BufferedOutputStream(connection.getOutputStream(), BUFFER_BYTES);
            try {
                serve(connection, out);
            } catch (LarderException e) {
                Frame.text(Frame.Kind.ERROR, 0, String.valueOf(e.getMessage())).write(out);
                out.flush();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a connection has ended", e);
        } finally {
            connections.remove(connection);
        }
    }

    private void serve(Socket connection, OutputStream out) throws IOException {
        String name = String.valueOf(connection.getRemoteSocketAddress());
        Frame request = Frame.required(connection.getInputStream(), name);
        SourceDescription source = SourceDescription.of(queue.info());
        UUID wanted = SourceDescription.requested(request, name);
        if (!wanted.equals(SourceDescription.NONE) && !wanted.equals(source.identity())) {
            throw new LarderException("here is queue " + source.identity() + ", not " + wanted);
        }
        try (Tailer tailer = queue.tailer()) {
            if (request.position() != 0) {
                QueueCopy.moveTo(tailer, request.position(), queue.codecFolder().directory());
            }
            source.frame().write(out);
            CopyScope scope = request.kind() == Frame.Kind.DURABLE_REQUEST ? CopyScope.DURABLE : CopyScope.COMMITTED;
            MessagePump.of(queue, tailer, scope, new FrameSink(out)).run(true, () -> !closed);
        }
    }

    /** Ends all connections. A client continues when it connects again. */
    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
