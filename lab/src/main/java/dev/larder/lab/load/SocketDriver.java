package dev.larder.lab.load;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The driver of a {@link TargetServer}: requests use several connections in turn, one thread reads the answers. */
public final class SocketDriver implements Driver {

    private final Answers answers;
    private final List<SocketConnection> connections = new ArrayList<>();
    private final Selector selector;
    private final Thread receiver;
    private volatile boolean closed;
    private volatile @Nullable IOException failure;

    /**
     * Connects.
     *
     * @throws LabException if no process listens
     */
    public SocketDriver(InetSocketAddress target, int count, Answers answers) {
        this.answers = answers;
        try {
            selector = Selector.open();
            for (int i = 0; i < count; i++) {
                SocketConnection connection = new SocketConnection(target);
                connection.channel().register(selector, SelectionKey.OP_READ, connection);
                connections.add(connection);
            }
        } catch (IOException e) {
            connections.forEach(SocketConnection::close);
            throw new LabException("cannot connect to the target at " + target + ": " + e.getMessage(), e);
        }
        receiver = Thread.ofPlatform().daemon().name("answers").start(this::receive);
    }

    @Override
    public void send(long id, Request request) {
        connections.get((int) (id % connections.size())).put(id, request);
    }

    @Override
    public boolean flush() {
        boolean all = true;
        try {
            for (SocketConnection connection : connections) {
                all &= connection.flush();
            }
        } catch (IOException e) {
            throw new LabException("the connection to the target is lost: " + e.getMessage(), e);
        }
        IOException failed = failure;
        if (failed != null) {
            throw new LabException("the connection to the target is lost: " + failed.getMessage(), failed);
        }
        return all;
    }

    private void receive() {
        Pacer.sharpenTimer();
        try {
            while (!closed) {
                selector.select(this::read);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void read(SelectionKey key) {
        try {
            if (!((SocketConnection) key.attachment()).read(answers)) {
                key.cancel();
                fail(new IOException("the target has closed the connection"));
            }
        } catch (IOException e) {
            key.cancel();
            fail(e);
        }
    }

    private void fail(IOException e) {
        if (!closed) {
            failure = e;
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            receiver.join();
            selector.close();
        } catch (IOException e) {
            throw new LabException("cannot close the selector: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(SocketConnection::close);
    }
}
