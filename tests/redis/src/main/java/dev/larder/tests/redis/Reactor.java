package dev.larder.tests.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One thread that serves the suite's events and, while commands are recorded, the connections of its clients.
 *
 * <p>An event for the begin or end of a test is read only after all that the clients had sent before it: events are read
 * between two turns, and {@link #turn} ends when the connections have nothing more to read.
 */
final class Reactor implements AutoCloseable {

    /** The most rounds of a turn: a client may send without end, and the turn must not wait for it. */
    private static final int ROUNDS_MAX = 1000;

    /** The code that serves a channel when it is ready. */
    interface Handler {
        /** Serves the channel, and returns whether more may come at once. */
        void serve(SelectionKey key) throws IOException;
    }

    private final Selector selector;

    Reactor() throws IOException {
        selector = Selector.open();
    }

    SelectionKey register(SelectableChannel channel, int interest, Handler handler) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, interest, handler);
    }

    /** Waits until a channel is ready, or a time is over, and serves all channels until none is ready. */
    void turn(Duration patience) throws IOException {
        int ready = selector.select(Math.max(1, patience.toMillis()));
        for (int round = 0; ready > 0 && round < ROUNDS_MAX; round++) {
            serveReady();
            ready = selector.selectNow();
        }
    }

    private void serveReady() throws IOException {
        List<SelectionKey> keys = new ArrayList<>(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : keys) {
            if (key.isValid()) {
                ((Handler) key.attachment()).serve(key);
            }
        }
    }

    @Override
    public void close() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
