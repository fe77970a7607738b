package dev.larder.lab.redis;

import dev.larder.lab.load.KeyedValue;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.PrimitiveIterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a load, {@code larder-lab:0} and so on, which touch no other data. They are filled before, and deleted after.
 */
final class RedisKeys {

    private static final String PREFIX = "larder-lab:";
    private static final int WINDOW = 1_000;
    private static final long PATIENCE_SECONDS = 60;
    private static final long TRIED = 200;
    private static final double PAUSE_SECONDS = 0.2;

    private RedisKeys() {}

    static byte[] bytes(long key) {
        return (PREFIX + key).getBytes(StandardCharsets.US_ASCII);
    }

    /** Gives every key a value. A patient client repeats failures, since a stripe may change its leader meanwhile. */
    static void fill(RedisClientSettings settings) {
        try (RedisConnections redis = new RedisConnections(settings, 1)) {
            RedisClusterAsyncCommands<byte[], byte[]> commands = redis.commands(0);
            all(
                    settings.keys(),
                    repeatSeconds(settings),
                    "fill",
                    key -> commands.set(bytes(key), KeyedValue.of(key, 0, settings.valueBytes())));
        }
    }

    private static long repeatSeconds(RedisClientSettings settings) {
        return settings.patient() ? PATIENCE_SECONDS : 0;
    }

    /** Deletes every key. */
    static void delete(RedisClientSettings settings) {
        try (RedisConnections redis = new RedisConnections(settings, 1)) {
            RedisClusterAsyncCommands<byte[], byte[]> commands = redis.commands(0);
            all(settings.keys(), 0, "delete", key -> commands.del(bytes(key)));
        }
    }

    /**
     * Reads some keys on every connection, so that in a cluster the connections to the nodes exist as well. A patient
     * client repeats failures, as {@link #fill} does.
     */
    static void reach(RedisConnections redis, RedisClientSettings settings) {
        for (int connection = 0; connection < redis.count(); connection++) {
            RedisClusterAsyncCommands<byte[], byte[]> commands = redis.commands(connection);
            all(Math.min(TRIED, settings.keys()), repeatSeconds(settings), "read", key -> commands.get(bytes(key)));
        }
    }

    /** Runs a command for every key, some at a time. Repeats failures for so many seconds, like users of an array. */
    private static void all(long keys, long repeatSeconds, String verb, LongFunction<RedisFuture<?>> command) {
        Pass pass = new Pass(verb, command, repeatSeconds > 0);
        pass.over(LongStream.range(0, keys).iterator());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(repeatSeconds);
        while (!pass.failed.isEmpty() && System.nanoTime() - end < 0) {
            Attempt.sleep(PAUSE_SECONDS, "wait for a leader");
            Pass next = new Pass(verb, command, true);
            next.over(pass.failed.stream().mapToLong(Long::longValue).iterator());
            pass = next;
        }
        pass.requireNoneFailed();
    }

    /** One command for each of some keys. */
    private static final class Pass {

        private final Queue<Long> failed = new ConcurrentLinkedQueue<>();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final String verb;
        private final LongFunction<RedisFuture<?>> command;
        private final boolean goesOn;

        Pass(String verb, LongFunction<RedisFuture<?>> command, boolean goesOn) {
            this.verb = verb;
            this.command = command;
            this.goesOn = goesOn;
        }

        void over(PrimitiveIterator.OfLong keys) {
            Semaphore window = new Semaphore(WINDOW);
            while (keys.hasNext() && (goesOn || failed.isEmpty())) {
                long key = keys.nextLong();
                take(window, 1, verb);
                var _ = command.apply(key).whenComplete((answer, error) -> {
                    if (error != null) {
                        failed.add(key);
                        failure.compareAndSet(null, error);
                    }
                    window.release();
                });
            }
            take(window, WINDOW, verb);
        }

        void requireNoneFailed() {
            Throwable first = failure.get();
            if (first != null) {
                throw new LabException(
                        "cannot " + verb + " the keys of the load: " + RedisConnections.fault(first), first);
            }
        }
    }

    private static void take(Semaphore window, int permits, String verb) {
        try {
            if (!window.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new LabException(
                        "cannot " + verb + " the keys of the load: no answer for " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted when asked to " + verb + " the keys of the load", e);
        }
    }

    /** Returns how the server names itself, such as {@code redis 7.0.15}; null if unknown. */
    static @Nullable String server(RedisClientSettings settings) {
        try (RedisConnections redis = new RedisConnections(settings, 1)) {
            String info = redis.commands(0).info("server").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return info.lines()
                    .filter(line -> line.startsWith("redis_version:"))
                    .map(line -> line.replace("redis_version:", "redis ").strip())
                    .findFirst()
                    .orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            return null; // not every server knows or permits INFO
        }
    }
}
