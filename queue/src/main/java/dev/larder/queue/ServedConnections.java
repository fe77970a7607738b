package dev.larder.queue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a {@link QueueServer}. Each holds a thread, and later a tailer. So none may hold them for ever
 * without doing its part: it sends its request in time, and then takes what it is sent.
 *
 * <p>A connection is a newcomer until its request was accepted. There are so many newcomers at most: one more closes the oldest.
 */
final class ServedConnections implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.queue");
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int PIECE_BYTES = 1 << 16;

    /**
     * The limits of connections.
     *
     * @param newcomers how many connections may have sent no request yet
     * @param request the time for the handshake and the request together
     * @param write the time in which a client takes up to 64 KiB
     */
    record Limits(int newcomers, Duration request, Duration write) {

        static final Limits DEFAULTS = new Limits(64, Duration.ofSeconds(30), Duration.ofSeconds(60));
    }

    private final Limits limits;
    private final long beganNanos = System.nanoTime();
    private final Set<Connection> all = ConcurrentHashMap.newKeySet();
    private final SequencedSet<Connection> newcomers = new LinkedHashSet<>();
    private final Thread watch;
    private volatile boolean closed;

    ServedConnections(Limits limits) {
        this.limits = limits;
        this.watch = Thread.ofVirtual().name("larder-serve-watch").start(this::watch);
    }

    /** A connection, and the time by which its client must have done the next step. */
    final class Connection implements AutoCloseable {

        private static final long NOT_DUE = Long.MAX_VALUE;

        private final Socket socket;
        private volatile long dueNanos;

        private Connection(Socket socket) {
            this.socket = socket;
            this.dueNanos = nanos() + limits.request().toNanos();
        }

        Socket socket() {
            return socket;
        }

        /** Notes that the request was accepted: the client may now be silent. */
        void accepted() {
            dueNanos = NOT_DUE;
            synchronized (newcomers) {
                newcomers.remove(this);
            }
        }

        /** Returns a stream to the client that ends the connection when the client takes too long to read. */
        OutputStream timed(OutputStream out) {
            return new TimedOutput(out);
        }

        private final class TimedOutput extends OutputStream {

            private final OutputStream out;

            TimedOutput(OutputStream out) {
                this.out = out;
            }

            @Override
            public void write(int next) throws IOException {
                write(new byte[] {(byte) next}, 0, 1);
            }

            /** Writes piece by piece: a slow network needs more time for a long message. */
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                int end = offset + length;
                try {
                    for (int at = offset; at < end; at += PIECE_BYTES) {
                        dueNanos = nanos() + limits.write().toNanos();
                        out.write(bytes, at, Math.min(PIECE_BYTES, end - at));
                    }
                } finally {
                    dueNanos = NOT_DUE;
                }
            }

            @Override
            public void flush() throws IOException {
                out.flush();
            }
        }

        /** Forgets and closes the connection. Its thread wakes with an error, also within a handshake or a write. */
        @Override
        public void close() {
            all.remove(this);
            accepted();
            try {
                socket.close(); // not the TLS socket, whose close message may wait for a peer that no longer reads
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "a connection has ended", e);
            }
        }
    }

    /** Adds a newcomer. */
    Connection add(Socket socket) {
        Connection added = new Connection(socket);
        all.add(added);
        Connection oldest = enter(added);
        if (oldest != null) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    () -> oldest.socket.getRemoteSocketAddress() + ": closed, since " + limits.newcomers()
                            + " later connections have sent no request either");
            oldest.close();
        }
        return added;
    }

    private @Nullable Connection enter(Connection added) {
        synchronized (newcomers) {
            newcomers.add(added);
            return newcomers.size() > limits.newcomers() ? newcomers.removeFirst() : null;
        }
    }

    private long nanos() {
        return System.nanoTime() - beganNanos;
    }

    private void watch() {
        try {
            while (!closed) {
                Thread.sleep(LOOK);
                closeLate();
            }
        } catch (InterruptedException e) {
            assert closed : e;
        }
    }

    private void closeLate() {
        long now = nanos();
        try {
            all.stream().filter(connection -> connection.dueNanos < now).forEach(ServedConnections::closeLate);
        } catch (RuntimeException | Error e) { // the next look may have the memory that this one lacked
            LOGGER.log(System.Logger.Level.WARNING, "late clients cannot be disconnected: " + e.getMessage(), e);
        }
    }

    private static void closeLate(Connection late) {
        LOGGER.log(
                System.Logger.Level.INFO,
                () -> late.socket.getRemoteSocketAddress()
                        + ": closed, since the client was too slow to send its request,"
                        + " or to take what it was sent");
        late.close();
    }

    /** Closes all connections. The caller adds no further one. */
    @Override
    public void close() {
        closed = true;
        watch.interrupt();
        all.forEach(Connection::close);
    }
}
