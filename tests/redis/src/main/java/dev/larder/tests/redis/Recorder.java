package dev.larder.tests.redis;

import dev.larder.resp.ProtocolException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Listens where the suite expects its servers, passes all bytes on in both directions, and reports each request.
 *
 * <p>A program in the place of {@code redis-server} asks the recorder's own port for the port to listen on:
 *
 * <pre>
 * 21111\n    from the program: the port that the suite's configuration names; the recorder listens there from now on
 * 40123\n    from the recorder: the port where the server listens in its stead
 * </pre>
 */
final class Recorder implements AutoCloseable {

    /** Changes the bytes of a reply to the last request: a control of the suite's judgement. */
    interface Forger {
        /** Changes the bytes between position and limit in place; their number stays. */
        void forge(String lastCommand, ByteBuffer reply);
    }

    private static final Forger NONE = (command, reply) -> {};
    private static final int BUFFER_BYTES = 256 << 10;

    private final Reactor reactor;
    private final Consumer<Request> requests;
    private final Forger forger;
    private final ServerSocketChannel control;

    /** The servers' own ports, by the ports where the suite expects them. */
    private final Map<Integer, Integer> places = new HashMap<>();

    Recorder(Reactor reactor, Consumer<Request> requests) throws IOException {
        this(reactor, requests, NONE);
    }

    Recorder(Reactor reactor, Consumer<Request> requests, Forger forger) throws IOException {
        this.reactor = reactor;
        this.requests = requests;
        this.forger = forger;
        control = listen(0);
        reactor.register(control, SelectionKey.OP_ACCEPT, key -> acceptControl());
    }

    /** Returns the port that programs ask. */
    int port() throws IOException {
        return portOf(control);
    }

    private static ServerSocketChannel listen(int port) throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static int portOf(ServerSocketChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private void acceptControl() throws IOException {
        SocketChannel asking = control.accept();
        if (asking != null) {
            StringBuilder line = new StringBuilder();
            reactor.register(asking, SelectionKey.OP_READ, key -> readControl(asking, line));
        }
    }

    private void readControl(SocketChannel asking, StringBuilder line) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        if (asking.read(bytes) < 0) {
            asking.close();
            return;
        }
        line.append(new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
        if (line.indexOf("\n") >= 0) {
            String answer = place(Integer.parseInt(line.toString().trim())) + "\n";
            line.setLength(0);
            asking.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** Listens on a port, and returns another one for the server behind it. A restarted server gets a new one. */
    private int place(int port) throws IOException {
        int behind = FreePorts.takeOne();
        if (places.put(port, behind) == null) {
            ServerSocketChannel listener = listen(port);
            reactor.register(listener, SelectionKey.OP_ACCEPT, key -> acceptClient(listener, port));
        }
        return behind;
    }

    private void acceptClient(ServerSocketChannel listener, int port) throws IOException {
        SocketChannel client = listener.accept();
        if (client == null) {
            return;
        }
        int behind = places.getOrDefault(port, port);
        try {
            new Link(client, SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), behind)));
        } catch (IOException e) {
            client.close();
        }
    }

    /** The two sockets of a client's connection. */
    private final class Link {
        private final Direction onward;
        private final Direction back;
        private final SelectionKey clientKey;
        private final SelectionKey serverKey;

        Link(SocketChannel client, SocketChannel server) throws IOException {
            Requests parsed = new Requests(requests);
            onward = new Direction(client, server, parsed::add);
            back = new Direction(server, client, bytes -> forger.forge(parsed.last, bytes));
            clientKey = reactor.register(client, SelectionKey.OP_READ, this::serve);
            serverKey = reactor.register(server, SelectionKey.OP_READ, this::serve);
        }

        private void serve(SelectionKey key) throws IOException {
            boolean ofClient = key.channel().equals(onward.source);
            Direction reading = ofClient ? onward : back;
            Direction writing = ofClient ? back : onward;
            try {
                if (key.isReadable()) {
                    reading.read();
                }
                if (key.isValid() && key.isWritable()) {
                    writing.write();
                }
            } catch (IOException e) {
                reading.close();
            }
            want(clientKey, onward, back);
            want(serverKey, back, onward);
        }

        /** Lets a direction read again once all that it has read is written. */
        private static void want(SelectionKey key, Direction reading, Direction writing) {
            if (key.isValid()) {
                key.interestOps((reading.isWritten() ? SelectionKey.OP_READ : 0)
                        | (writing.isWritten() ? 0 : SelectionKey.OP_WRITE));
            }
        }
    }

    /** One way of a connection. */
    private static final class Direction {
        private final SocketChannel source;
        private final SocketChannel target;
        private final Consumer<ByteBuffer> peek;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

        Direction(SocketChannel source, SocketChannel target, Consumer<ByteBuffer> peek) {
            this.source = source;
            this.target = target;
            this.peek = peek;
        }

        private void read() throws IOException {
            buffer.clear();
            if (source.read(buffer) < 0) {
                buffer.limit(0);
                close();
                return;
            }
            buffer.flip();
            peek.accept(buffer.duplicate());
            write();
        }

        private void write() throws IOException {
            target.write(buffer);
        }

        private boolean isWritten() {
            return !buffer.hasRemaining();
        }

        private void close() throws IOException {
            source.close();
            target.close();
        }
    }

    /** The requests in the bytes of a connection. After bytes that are no request, no more are found. */
    private static final class Requests {
        private final RequestParser parser = new RequestParser(RequestLimits.defaults());
        private final Request request = new Request();
        private final Consumer<Request> each;
        private ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
        private boolean broken;
        private String last = "";

        Requests(Consumer<Request> each) {
            this.each = each;
        }

        private void add(ByteBuffer more) {
            if (broken) {
                return;
            }
            bytes.compact();
            if (bytes.remaining() < more.remaining()) {
                int room = Math.max(2 * bytes.capacity(), bytes.position() + more.remaining());
                bytes = ByteBuffer.allocate(room).put(bytes.flip());
            }
            bytes.put(more).flip();
            try {
                while (parser.parse(bytes, request)) {
                    if (request.count() > 0) {
                        last = request.text(0);
                        each.accept(request);
                    }
                }
            } catch (ProtocolException e) {
                broken = true;
            }
        }
    }

    @Override
    public void close() throws IOException {
        control.close();
    }
}
