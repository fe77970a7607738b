package dev.larder.map;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values that are being loaded, by the bytes of their keys: who wants one that another thread loads waits for it, so that a
 * key which many miss at once is loaded once. Of one process; two may load a key at the same time.
 *
 * @param <V> the values
 */
final class Loads<V extends @Nullable Object> {

    /** A value to come, and the number of the thread that brings it. */
    private static final class Load<V extends @Nullable Object> extends CompletableFuture<V> {
        private final long loaderId = Thread.currentThread().threadId();
    }

    private final ConcurrentHashMap<ByteBuffer, Load<V>> running = new ConcurrentHashMap<>();

    /**
     * Returns what a loader returns for a key, here or in the thread that was first; what it throws all of them throw.
     *
     * @throws IllegalStateException when this thread is just loading that key
     */
    V load(ByteBuffer key, Supplier<V> loader) {
        Load<V> own = new Load<>();
        Load<V> first = running.putIfAbsent(key, own);
        if (first == null) {
            return run(key, own, loader);
        }
        if (first.loaderId == Thread.currentThread().threadId()) {
            throw new IllegalStateException("a loader asks for the key that it loads");
        }
        return await(first);
    }

    private V run(ByteBuffer key, Load<V> own, Supplier<V> loader) {
        try {
            V value = loader.get();
            own.complete(value);
            return value;
        } catch (Throwable e) {
            own.completeExceptionally(e);
            throw e;
        } finally {
            running.remove(key, own);
        }
    }

    private V await(Load<V> first) {
        try {
            return first.join();
        } catch (CompletionException e) {
            switch (Objects.requireNonNullElse(e.getCause(), e)) {
                case RuntimeException failed -> throw failed;
                case Error failed -> throw failed;
                default -> throw e;
            }
        }
    }
}
