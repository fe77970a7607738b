package dev.larder.lab.heap;

import dev.larder.lab.load.Pacer;
import dev.larder.lab.result.Attempt;
import org.jspecify.annotations.Nullable;

/**
 * An endless bulk load: one thread replaces the values of all keys, one after the other, at its own rate. It catches
 * up after pauses of the process.
 */
final class Refresh implements AutoCloseable {

    private static final long STEP_NANOS = 1_000_000;
    private static final double SECOND_NANOS = 1e9;

    private final ValueStore store;
    private final long keys;
    private final double perSecond;
    private final Thread thread = Thread.ofPlatform().daemon().name("refresh").unstarted(this::run);
    private volatile long done;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    Refresh(ValueStore store, long keys, double perSecond) {
        this.store = store;
        this.keys = keys;
        this.perSecond = perSecond;
        thread.start();
    }

    private void run() {
        try {
            refresh();
        } catch (RuntimeException | Error e) { // thrown when the count is read
            failure = e;
        }
    }

    private void refresh() {
        byte[] bytes = new byte[Value.BYTES];
        Pacer pacer = new Pacer(0);
        long start = System.nanoTime();
        long key = 0;
        for (long next = 0; !closed; pacer.await(System.nanoTime() + STEP_NANOS)) {
            long due = (long) ((System.nanoTime() - start) / SECOND_NANOS * perSecond);
            for (; next < due && !closed; next++) {
                Value.write(bytes, key, next);
                store.put(key, bytes);
                key = key + 1 < keys ? key + 1 : 0;
                done = next + 1;
            }
        }
    }

    long done() {
        Throwable failed = failure;
        if (failed != null) {
            throw new IllegalStateException("the refresh has ended: " + failed, failed);
        }
        return done;
    }

    @Override
    public void close() {
        closed = true;
        Attempt.join(thread);
    }
}
