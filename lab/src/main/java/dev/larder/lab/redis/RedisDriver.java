package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Driver;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.Request;
import dev.larder.lab.load.Service;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
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

    private final RedisClientSettings settings;
    private final Answers answers;
    private final RedisConnections redis;
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private final AtomicLong versions;

    private RedisDriver(RedisClientSettings settings, RedisConnections redis, AtomicLong versions, Answers answers) {
        this.settings = settings;
        this.redis = redis;
        this.versions = versions;
        this.answers = answers;
    }

    /**
     * Connects.
     *
     * @param figures {@link RedisClientSettings}, and {@code connections}
     * @param versions that were written since the keys were filled
     */
    static Driver open(Figures figures, AtomicLong versions, Answers answers) {
        RedisClientSettings settings = RedisClientSettings.of(figures);
        RedisConnections redis = new RedisConnections(settings, (int) figures.whole("connections"));
        RedisKeys.reach(redis, settings);
        redis.holdBack();
        return new RedisDriver(settings, redis, versions, answers);
    }

    @Override
    public void send(long id, Request request) {
        RedisClusterAsyncCommands<byte[], byte[]> commands = redis.commands(id);
        if (request.kind() == KeyWorkload.PUT) {
            put(commands, id, request.argument());
        } else {
            get(commands, id, request.argument());
        }
    }

    private void put(RedisClusterAsyncCommands<byte[], byte[]> commands, long id, long key) {
        byte[] value = RedisValue.of(key, versions.incrementAndGet(), settings.valueBytes());
        var _ = commands.set(RedisKeys.bytes(key), value)
                .whenComplete((answer, error) -> answer(id, error == null ? Service.SERVED : failed(error)));
    }

    private void get(RedisClusterAsyncCommands<byte[], byte[]> commands, long id, long key) {
        var _ = commands.get(RedisKeys.bytes(key))
                .whenComplete((value, error) -> answer(id, error == null ? status(key, value) : failed(error)));
    }

    private void answer(long id, int status) {
        answers.answered(id, status, -1, -1);
    }

    private int failed(Throwable error) {
        firstError.compareAndSet(null, RedisFaults.text(error));
        return Service.FAILED;
    }

    private int status(long key, byte @Nullable [] value) {
        if (value == null) {
            return settings.filled() ? wrong("key " + key + " has no value", NO_VALUE) : Service.SERVED;
        }
        long last = settings.filled() ? versions.get() : Long.MAX_VALUE;
        String fault = RedisValue.fault(value, key, last, settings.valueBytes());
        return fault == null ? Service.SERVED : wrong(fault, WRONG_VALUE);
    }

    private int wrong(String fault, int status) {
        firstError.compareAndSet(null, fault);
        return status;
    }

    @Override
    public boolean flush() {
        redis.flush();
        return true;
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
