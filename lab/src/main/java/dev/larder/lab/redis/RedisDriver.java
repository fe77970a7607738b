package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Driver;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.KeyedValue;
import dev.larder.lab.load.Request;
import dev.larder.lab.load.Service;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Queue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way of a {@link KeyWorkload} to a Redis: GET and SET by Lettuce, over several connections in turn, pipelined as the
 * generator flushes. What is read is checked.
 */
final class RedisDriver implements Driver {

    /** The status of a GET whose value is not one that was written under its key. */
    static final int WRONG_VALUE = 2;

    /** The status of a GET of a key that should have a value. */
    static final int NO_VALUE = 3;

    /** The first pause; each one is twice as long as the one before. */
    private static final long PAUSE_NANOS = 20_000_000;

    private static final long PAUSE_MOST_NANOS = 2_000_000_000;

    private final RedisClientSettings settings;
    private final Answers answers;
    private final RedisConnections redis;
    private final boolean isParted;
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private final AtomicLong versions;
    private final Queue<Attempt> failed =
            new PriorityBlockingQueue<>(16, (one, other) -> Long.signum(one.dueNanos - other.dueNanos));

    /** A request that is sent once, or again. */
    private record Attempt(long id, int kind, long key, long dueNanos, long pauseNanos) {

        /** What a busy server has not answered in time, it does nevertheless: repeats without pauses would keep it busy for ever. */
        Attempt again() {
            long pause = Math.min(pauseNanos, PAUSE_MOST_NANOS);
            return new Attempt(id, kind, key, System.nanoTime() + pause, 2 * pause);
        }
    }

    private RedisDriver(
            RedisClientSettings settings,
            RedisConnections redis,
            boolean isParted,
            AtomicLong versions,
            Answers answers) {
        this.isParted = isParted;
        this.settings = settings;
        this.redis = redis;
        this.versions = versions;
        this.answers = answers;
    }

    /**
     * Connects.
     *
     * @param figures {@link RedisClientSettings}, {@code connections}, and {@code parted}: whether reads and writes have
     *     connections of their own
     * @param versions that were written since the keys were filled
     */
    static Driver open(Figures figures, AtomicLong versions, Answers answers) {
        RedisClientSettings settings = RedisClientSettings.of(figures);
        RedisConnections redis = new RedisConnections(settings, (int) figures.whole("connections"));
        RedisKeys.reach(redis, settings);
        redis.holdBack();
        return new RedisDriver(settings, redis, figures.flag("parted"), versions, answers);
    }

    @Override
    public void send(long id, Request request) {
        send(new Attempt(id, request.kind(), request.argument(), 0, PAUSE_NANOS));
    }

    private void send(Attempt attempt) {
        boolean isWrite = attempt.kind == KeyWorkload.PUT;
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                isParted ? redis.commands(attempt.id, isWrite) : redis.commands(attempt.id);
        byte[] key = RedisKeys.bytes(attempt.key);
        if (isWrite) {
            byte[] value = KeyedValue.of(attempt.key, versions.incrementAndGet(), settings.valueBytes());
            var _ = commands.set(key, value).whenComplete((answer, error) -> end(attempt, error, Service.SERVED));
        } else {
            var _ = commands.get(key)
                    .whenComplete((value, error) ->
                            end(attempt, error, error == null ? status(attempt.key, value) : Service.FAILED));
        }
    }

    /** What has failed is repeated later, and later each time, by a client that is patient. */
    private void end(Attempt attempt, @Nullable Throwable error, int status) {
        if (error == null) {
            answers.answered(attempt.id, status, -1, -1);
        } else if (settings.patient()) {
            failed.add(attempt.again());
        } else {
            firstError.compareAndSet(null, RedisConnections.fault(error));
            answers.answered(attempt.id, Service.FAILED, -1, -1);
        }
    }

    /** Sends again what is due; returns whether nothing is left. */
    private boolean repeat() {
        for (Attempt first = failed.peek();
                first != null && first.dueNanos - System.nanoTime() <= 0;
                first = failed.peek()) {
            failed.remove(first);
            send(first);
        }
        return failed.isEmpty();
    }

    private int status(long key, byte @Nullable [] value) {
        if (value == null) {
            return settings.filled() ? wrong("key " + key + " has no value", NO_VALUE) : Service.SERVED;
        }
        long last = settings.filled() && !settings.shared() ? versions.get() : Long.MAX_VALUE;
        String fault = KeyedValue.fault(value, key, last, settings.valueBytes());
        return fault == null ? Service.SERVED : wrong(fault, WRONG_VALUE);
    }

    private int wrong(String fault, int status) {
        firstError.compareAndSet(null, fault);
        return status;
    }

    @Override
    public boolean flush() {
        boolean isDone = repeat();
        redis.flush();
        return isDone;
    }

    @Override
    public @Nullable String firstError() {
        return firstError.get();
    }

    @Override
    public void close() {
        redis.close();
    }
}
