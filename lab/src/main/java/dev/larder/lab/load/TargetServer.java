package dev.larder.lab.load;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/** A server of requests over TCP: a thread for each connection reads them and passes them on. */
public final class TargetServer implements AutoCloseable {

    private final ServerSocketChannel server;
    private final Incoming.Handler handler;
    private final Set<TargetConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** A server on a free port of the loopback address; so many threads serve requests in the order of arrival. */
    public static TargetServer onLoopback(Service service, int threads) {
        return at("127.0.0.1", service, threads, kind -> false);
    }

    /**
     * A server on a free port of an address of this host. Requests of some kinds have a separate thread, so that later
     * requests do not wait for them.
     */
    public static TargetServer at(String host, Service service, int threads, IntPredicate isAside) {
        return new TargetServer(new InetSocketAddress(host, 0), new Workers(service, threads, isAside));
    }

    /**
     * A server at an address.
     *
     * @throws LabException if it cannot listen there
     */
    TargetServer(InetSocketAddress address, Incoming.Handler handler) {
        this.handler = handler;
        server = Attempt.giving(
                "listen at " + address,
                () -> ServerSocketChannel.open()
                        .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                        .bind(address));
        Thread.ofPlatform().daemon().name("accept").start(this::accept);
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        try {
            return (InetSocketAddress) server.getLocalAddress();
        } catch (IOException e) {
            throw new LabException("the server is closed: " + e.getMessage(), e);
        }
    }

    private void accept() {
        try {
            while (!closed) {
                SocketChannel channel = server.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                TargetConnection connection = new TargetConnection(channel, handler);
                connections.add(connection);
                Thread.ofPlatform().daemon().name("requests").start(() -> {
                    connection.run();
                    connections.remove(connection);
                });
            }
        } catch (IOException e) {
            if (!closed) {
                System.err.println("cannot accept more connections: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Attempt.to("close the server", () -> server.close());
        connections.forEach(TargetConnection::close);
        handler.close();
    }
}
