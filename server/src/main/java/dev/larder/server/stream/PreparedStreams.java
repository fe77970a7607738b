package dev.larder.server.stream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A few empty streams whose queues were made in the background. Making a queue syncs files, and would delay the client that
 * adds the first entry. Streams left when the server stops have no name, and the next start removes them.
 */
final class PreparedStreams {

    private static final int COUNT = 4;

    private final Supplier<Stream> maker;
    private final Queue<Stream> ready = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean making = new AtomicBoolean();

    PreparedStreams(Supplier<Stream> maker) {
        this.maker = maker;
    }

    /** Returns an unused stream; null if none is ready. */
    @Nullable
    Stream take() {
        return ready.poll();
    }

    /** Returns whether some should be made; the caller then has {@link #make} run. */
    boolean begin() {
        return ready.size() < COUNT / 2 && making.compareAndSet(false, true);
    }

    void make() {
        try {
            make(COUNT);
        } finally {
            making.set(false);
        }
    }

    /** Returns whether this many are ready. */
    boolean has(int count) {
        return ready.size() >= count;
    }

    /** Makes streams until this many are ready; perhaps more, if another thread makes some as well. */
    void make(int count) {
        while (!has(count)) {
            ready.add(maker.get());
        }
    }
}
