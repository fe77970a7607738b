package dev.larder.queue;

import dev.larder.log.BookmarkHeldException;
import dev.larder.log.FellBehindException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogFailedException;
import dev.larder.log.ReadOnlyException;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.queue.connection.FollowRequest;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.FrameSink;
import dev.larder.queue.connection.StrangerException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that sends the messages of a queue, in order, to each client that connects, from the position that the
 * client requests. The client chooses committed or durable messages. Clients are {@link QueueReplication} and
 * {@link QueueCopy}.
 *
 * <p>The server disconnects a client that has sent no request after 30 s, or takes nothing of its messages for 60 s. At most
 * 64 clients are connected without a request; one more disconnects the oldest of them.
 *
 * <p>Beyond the loopback address, connections are encrypted and authenticated: see {@link ConnectionSecurity}.
 */
public final class QueueServer implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.queue");
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int REQUEST_MILLIS = 30_000;
    private static final long ACCEPT_AGAIN_NANOS = 100_000_000;

    private static final int FOLLOWER_MILLIS = 60_000;
    private static final Duration CLOSE_WAIT_MAX = Duration.ofSeconds(10);

    /** The position of an error frame after which the client may try again. */
    static final long LATER = 1;

    private final LarderQueue queue;
    private final ServerSocket server;
    private final ConnectionSecurity security;
    private final ThreadFactory threads;
    private final ServedConnections connections;
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private QueueServer(
            LarderQueue queue,
            ServerSocket server,
            ConnectionSecurity security,
            ThreadFactory threads,
            ServedConnections connections) {
        this.queue = queue;
        this.server = server;
        this.security = security;
        this.threads = threads;
        this.connections = connections;
    }

    /** Starts serving a queue within this host, without encryption. */
    public static QueueServer start(LarderQueue queue, InetSocketAddress address) throws IOException {
        return start(queue, address, ConnectionSecurity.none());
    }

    /**
     * Starts serving a queue, in its own threads. A queue that is open for writing also serves followers that keep a named
     * tailer here ({@link ReplicationOptions#name}).
     *
     * @param address to listen on; port 0 takes a free port
     * @param security how the two sides authenticate each other
     * @throws IOException if the server cannot listen on the address
     * @throws LarderException if the address is not a loopback address, and connections are not encrypted
     */
    public static QueueServer start(LarderQueue queue, InetSocketAddress address, ConnectionSecurity security)
            throws IOException {
        return start(queue, address, security, Thread.ofPlatform().daemon().factory());
    }

    /** Starts serving a queue, with the threads of a factory. */
    static QueueServer start(
            LarderQueue queue, InetSocketAddress address, ConnectionSecurity security, ThreadFactory threads)
            throws IOException {
        return start(queue, address, security, threads, ServedConnections.Limits.DEFAULTS);
    }

    /** Starts serving a queue, with the given limits for connections. */
    static QueueServer start(
            LarderQueue queue,
            InetSocketAddress address,
            ConnectionSecurity security,
            ThreadFactory threads,
            ServedConnections.Limits limits)
            throws IOException {
        security.requireAllowed(address);
        ServerSocket socket =
                new ServerSocket(); // first: it holds nothing until it listens, and the other has a thread
        ServedConnections connections = new ServedConnections(limits);
        try {
            listen(socket, address);
            QueueServer server = new QueueServer(queue, socket, security, threads, connections);
            Thread accepting = threads.newThread(server::accept);
            accepting.setName("larder-serve");
            accepting.start();
            return server;
        } catch (IOException | RuntimeException | Error e) {
            connections.close();
            socket.close(); // the caller has no reference to it, and the port would stay taken
            throw e;
        }
    }

    private static void listen(ServerSocket socket, InetSocketAddress address) throws IOException {
        try {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            throw new IOException(address + ": cannot listen: " + e.getMessage(), e);
        }
    }

    /** Returns the port on which the server listens. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!closed) {
            try {
                begin(server.accept());
            } catch (IOException | RuntimeException | Error e) {
                if (!closed) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "port " + port() + ": cannot accept a connection: " + e.getMessage(),
                            e);
                    LockSupport.parkNanos(ACCEPT_AGAIN_NANOS); // perhaps no descriptors or threads are left
                }
            }
        }
    }

    /** A connection that arrives while the server closes is closed by this method or by {@link #close}. */
    private void begin(Socket accepted) {
        ServedConnections.Connection connection = connections.add(accepted);
        if (closed) {
            connection.close();
            return;
        }
        try {
            Thread thread = threads.newThread(() -> {
                try {
                    serve(connection);
                } finally {
                    serving.remove(Thread.currentThread());
                }
            });
            thread.setName("larder-serve-" + accepted.getPort());
            start(thread);
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    private void start(Thread thread) {
        serving.add(thread);
        try {
            thread.start();
        } catch (RuntimeException | Error e) {
            serving.remove(thread);
            throw e;
        }
    }

    private void serve(ServedConnections.Connection connection) {
        Socket socket = connection.socket();
        try (connection) {
            socket.setSoTimeout(REQUEST_MILLIS);
            Socket secure = security.securing().accepted(socket);
            OutputStream out = new BufferedOutputStream(connection.timed(secure.getOutputStream()), BUFFER_BYTES);
            try {
                serve(connection, secure.getInputStream(), out);
            } catch (LarderException e) {
                refusal(e).write(out);
                out.flush();
            }
        } catch (StrangerException e) {
            LOGGER.log(System.Logger.Level.INFO, "the server refused a client: " + e.getMessage());
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a connection has ended", e);
        } catch (LarderException | IllegalArgumentException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    socket.getRemoteSocketAddress() + ": cannot secure the connection: " + e.getMessage(),
                    e);
        }
    }

    private static Frame refusal(LarderException e) {
        boolean later = e instanceof ClosedException
                || e instanceof BookmarkHeldException
                || e instanceof LogBusyException
                || e instanceof LogFailedException
                || e instanceof StorageException;
        String text = e instanceof FellBehindException ? "; the copy is too far behind: copy into a new directory" : "";
        return Frame.text(Frame.Kind.ERROR, later ? LATER : 0, e.getMessage() + text);
    }

    private void serve(ServedConnections.Connection connection, InputStream in, OutputStream out) throws IOException {
        String name = String.valueOf(connection.socket().getRemoteSocketAddress());
        Frame request = Frame.requiredSmall(in, name);
        connection.accepted();
        if (request.kind() == Frame.Kind.FOLLOW_REQUEST) {
            serveFollower(connection.socket(), FollowRequest.parse(request, name), in, out);
        } else {
            CopyScope scope = request.kind() == Frame.Kind.DURABLE_REQUEST ? CopyScope.DURABLE : CopyScope.COMMITTED;
            requireWanted(SourceDescription.requested(request, name));
            try (Tailer tailer = queue.tailer()) {
                begin(tailer, request.position(), out);
                MessagePump.of(queue, tailer, scope, new FrameSink(out)).run(true, () -> !closed);
            }
        }
    }

    private void serveFollower(Socket connection, FollowRequest request, InputStream in, OutputStream out)
            throws IOException {
        String name = String.valueOf(connection.getRemoteSocketAddress());
        requireWanted(request.identity());
        connection.setSoTimeout(FOLLOWER_MILLIS);
        try (Tailer tailer = request.name().isEmpty() ? queue.tailer() : named(request.name())) {
            begin(tailer, request.from(), out);
            Follower follower = new Follower(
                    tailer, queue::tailer, request.from(), !request.name().isEmpty(), out);
            follower.report();
            Thread.ofVirtual().name("larder-acknowledgements").start(() -> listen(connection, follower, in, name));
            MessagePump.of(queue, tailer, request.scope(), follower).run(true, () -> !closed);
        }
    }

    /**
     * Receives acknowledgements. A follower that is silent for a minute is gone, because each follower acknowledges now and
     * then.
     */
    private static void listen(Socket connection, Follower follower, InputStream in, String name) {
        try (connection) {
            follower.takeAcknowledgements(in, name);
        } catch (IOException | LarderException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the connection of follower " + name + " has ended", e);
        }
    }

    private Tailer named(String name) {
        try {
            return queue.tailer(name, Commit.EXPLICIT);
        } catch (ReadOnlyException e) {
            throw new LarderException(
                    "cannot keep tailer \"" + name + "\" here: the server has opened the queue read-only", e);
        } catch (IllegalArgumentException e) {
            throw new LarderException("tailer \"" + name + "\": " + e.getMessage(), e);
        }
    }

    private void requireWanted(UUID wanted) {
        UUID identity = queue.info().identity();
        if (!wanted.equals(SourceDescription.NONE) && !wanted.equals(identity)) {
            throw new LarderException("this is queue " + identity + ", not " + wanted);
        }
    }

    /** Moves to the message that is sent first, and describes the queue. */
    private void begin(Tailer tailer, long position, OutputStream out) throws IOException {
        long sequence = QueueCopy.moveTo(tailer, position, queue.codecFolder().directory());
        SourceDescription.of(queue.info(), sequence).frame().write(out);
    }

    /**
     * Ends all connections, even if ending one of them throws. A client continues when it reconnects. Waits up to 10 s until
     * the named tailers of the followers are free, unless the thread is interrupted.
     */
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            server.close();
        } finally {
            connections.close();
            awaitThreads();
        }
    }

    private void awaitThreads() {
        long deadline = System.nanoTime() + CLOSE_WAIT_MAX.toNanos();
        try {
            for (Thread thread : serving) {
                long left = deadline - System.nanoTime();
                if (left > 0 && !thread.equals(Thread.currentThread()) && !thread.join(Duration.ofNanos(left))) {
                    LOGGER.log(System.Logger.Level.WARNING, thread.getName() + " has not ended in 10 s");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
