package dev.larder.server.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Some of the keys that were requested but missing. It holds a few and ignores the others. Thread-safe. */
final class MissedKeys {

    private static final int MOST = 256;

    private final Queue<Bytes> keys = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    void add(Bytes key) {
        if (count.get() < MOST) {
            count.incrementAndGet();
            keys.add(key.copy());
        }
    }

    /** Passes on all keys. When this returns, the keys that another thread drained meanwhile have been handled too. */
    synchronized void drain(Consumer<? super Bytes> handler) {
        for (Bytes key = keys.poll(); key != null; key = keys.poll()) {
            count.decrementAndGet();
            handler.accept(key);
        }
    }
}
