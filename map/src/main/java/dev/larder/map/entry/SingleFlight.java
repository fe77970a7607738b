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
 * Values that are being loaded, by the bytes of their keys: a thread that wants one which another thread loads waits for it,
 * so that a key which many miss at once is loaded once. Of one process; two processes may load a key at the same time.
 *
 * <p>Loaders may ask for further keys, of any map. Threads that would wait for each other in a circle are told so:
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
                .equals(ByteBuffer.allocate(64)); // so are the classes of the JDK that compare bytes
    }

    /** How often a thread that waits looks whether there still is who loads. */
    private static final long LOOK_MILLIS = 1000;

    /** Which load each thread waits for, of all maps of this process; guarded by itself. */
    private static final Map<Thread, Load<?>> WAITING = new HashMap<>();

    /** A value to come, and the thread that brings it. */
    static final class Load<V extends @Nullable Object> extends CompletableFuture<V> {
        private final Thread loader = Thread.currentThread();
        private final Object key;
        private final Path directory;

        /** Whether its loader has left, also by an error of the JVM that has kept it from telling what came of it. */
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

    /** Loads of the map in a directory, which is for errors. */
    SingleFlight(Path directory) {
        this(directory, new ConcurrentHashMap<>());
    }

    SingleFlight(Path directory, ConcurrentMap<ByteBuffer, Load<V>> running) {
        this.directory = directory;
        this.running = running;
    }

    /**
     * Returns what a loader returns for a key, here or in the thread that was first; what it throws all of them throw.
     *
     * @param bytes of the key
     * @throws IllegalStateException when this thread is just loading that key, or a key for which the thread waits that loads
     *     this one
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
                own.ended = true; // a store: the calls that tell of it might not fit on the stack
            }
            boolean left = first.ended && running.remove(bytes, first); // who loads takes it out before he ends
            if (!left && isDone(first)) {
                return result(first);
            }
            running.remove(bytes, first);
        }
    }

    /** Waits for a load; returns false where its loader has left without a word. Not interruptible. */
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
                    // what it is says a look at the load
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

    /** All that wait are looked at together: of several threads that close a circle, the last one is refused. */
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
                                ? "a loader asks for the key that it loads, " + first.name()
                                : "the loader of " + next.name() + " waits for itself: it asks for " + way);
            }
            WAITING.put(self, first);
        }
    }

    /** Nobody waits for a load that has come to its end: an error of the JVM may have left that he did. */
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
