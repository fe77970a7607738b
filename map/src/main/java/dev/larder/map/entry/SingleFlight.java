package dev.larder.map.entry;

import dev.larder.memory.raw.EarlyClasses;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values that are being loaded, by the bytes of their keys. A thread that wants a value which another thread loads waits for
 * it. So a key that many threads miss at once is loaded once. This covers one process; two processes may load a key at the same
 * time.
 *
 * <p>Loaders may ask for further keys, of any map. If threads would wait for each other in a circle, the last one gets an
 * error:
 *
 * <pre>
 *  thread 1 loads a, waits for b     thread 2 loads b, asks for a:   an error
 * </pre>
 *
 * @param <V> the values
 */
final class SingleFlight<V extends @Nullable Object> {

    static {
        EarlyClasses.initialize(Load.class);
        boolean _ = ByteBuffer.allocate(64)
                .equals(ByteBuffer.allocate(64)); // also initializes the classes of the JDK that compare bytes
    }

    /** How often a waiting thread checks whether the loading thread is still at work. */
    private static final long LOOK_MILLIS = 1000;

    /** The load that each thread waits for, across all maps of this process; guarded by itself. */
    private static final Map<Thread, Load<?>> WAITING = new HashMap<>();

    /** A value to come, and the thread that loads it. */
    static final class Load<V extends @Nullable Object> extends CompletableFuture<V> {
        private final Thread loader = Thread.currentThread();
        private final Object key;
        private final Path directory;

        /** Whether its loader has left, even by an error of the JVM that kept it from completing this future. */
        volatile boolean ended;

        Load(Object key, Path directory) {
            this.key = key;
            this.directory = directory;
        }

        private String name() {
            return "key " + key + " of " + directory;
        }
    }

    private final ConcurrentMap<ByteBuffer, Load<V>> running;
    private final Path directory;

    /** Creates the loads of a map; the directory appears in errors. */
    SingleFlight(Path directory) {
        this(directory, new ConcurrentHashMap<>());
    }

    SingleFlight(Path directory, ConcurrentMap<ByteBuffer, Load<V>> running) {
        this.directory = directory;
        this.running = running;
    }

    /**
     * Returns the loader's value for a key, loaded by this thread or by the first one. An exception of the loader is thrown in
     * all of these threads.
     *
     * @param bytes the bytes of the key
     * @throws IllegalStateException when this thread already loads that key, or the thread that loads it waits for a key that
     *     this thread loads
     */
    V load(Object key, ByteBuffer bytes, Supplier<V> loader) {
        while (true) {
            Load<V> own = new Load<>(key, directory);
            Load<V> first;
            try {
                first = running.putIfAbsent(bytes, own);
                if (first == null) {
                    return run(bytes, own, loader);
                }
            } finally {
                own.ended = true; // a store: the calls that report it might not fit on the stack
            }
            boolean left =
                    first.ended && running.remove(bytes, first); // the loading thread removes the load before it ends
            if (!left && isDone(first)) {
                return result(first);
            }
            running.remove(bytes, first);
        }
    }

    /** Waits for a load; returns false if its loader left without a result. Not interruptible. */
    private static boolean isDone(Load<?> first) {
        if (first.ended || first.isDone()) {
            return first.isDone();
        }
        boolean interrupted = false;
        beginWaiting(first);
        try {
            while (!first.isDone() && !first.ended) {
                try {
                    first.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException | CancellationException | TimeoutException waited) {
                    // the state of the load tells which of these it was
                }
            }
        } finally {
            endWaiting();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return first.isDone();
    }

    private V run(ByteBuffer bytes, Load<V> own, Supplier<V> loader) {
        try {
            V value = loader.get();
            own.complete(value);
            return value;
        } catch (Throwable e) {
            own.completeExceptionally(e);
            throw e;
        } finally {
            running.remove(bytes, own);
        }
    }

    private V result(Load<V> first) {
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

    /** Checks all waiting threads under one lock: of several threads that close a circle, the last one is refused. */
    private static void beginWaiting(Load<?> first) {
        Thread self = Thread.currentThread();
        synchronized (WAITING) {
            StringBuilder way = new StringBuilder(first.name());
            Load<?> next = first;
            while (next != null && !next.loader.equals(self)) {
                next = waitingFor(next.loader);
                way.append(next == null ? "" : ", which waits for " + next.name());
            }
            if (next != null) {
                throw new IllegalStateException(
                        next.equals(first)
                                ? "a loader calls the map for the key that it loads, " + first.name()
                                : "the loader of " + next.name() + " waits for itself: it waits for " + way);
            }
            WAITING.put(self, first);
        }
    }

    /**
     * Returns the load that a thread waits for. One that has ended does not count: an error of the JVM may have left its entry
     * behind.
     */
    private static @Nullable Load<?> waitingFor(Thread thread) {
        Load<?> load = WAITING.get(thread);
        return load == null || load.ended || load.isDone() ? null : load;
    }

    private static void endWaiting() {
        synchronized (WAITING) {
            WAITING.remove(Thread.currentThread());
        }
    }
}
