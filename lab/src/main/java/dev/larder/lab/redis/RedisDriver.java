package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Driver;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.KeyedValue;
import dev.larder.lab.load.Request;
import dev.larder.lab.load.Service;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The driver of a {@link KeyWorkload} for Redis: GET and SET by Lettuce, over several connections in turn, pipelined as the
 * generator flushes. It checks the values read.
 */
final class RedisDriver implements Driver {

    /** The status of a GET whose value was not written under its key. */
    static final int WRONG_VALUE = 2;

    /** The status of a GET of a key that should have a value. */
    static final int NO_VALUE = 3;

    /** Reads and writes. */
    private static final int KINDS = 2;

    private final RedisClientSettings settings;
    private final Answers answers;
    private final RedisConnections redis;
    private final boolean isParted;
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private final AtomicLong versions;
    private final PatientRequests requests;

    private RedisDriver(
            RedisClientSettings settings,
            RedisConnections redis,
            boolean isParted,
            int underWayMost,
            AtomicLong versions,
            Answers answers) {
        this.isParted = isParted;
        this.settings = settings;
        this.redis = redis;
        this.versions = versions;
        this.answers = answers;
        this.requests = new PatientRequests(KINDS, underWayMost, this::send, System::nanoTime);
    }

    /**
     * Connects.
     *
     * @param figures {@link RedisClientSettings}, {@code connections}, {@code parted} (whether reads and writes have separate
     *     connections) and, for a patient client, {@code under_way_most}: the most reads, and the most writes, under way
     * @param versions written since the fill
     */
    static Driver open(Figures figures, AtomicLong versions, Answers answers) {
        RedisClientSettings settings = RedisClientSettings.of(figures);
        RedisConnections redis = new RedisConnections(settings, (int) figures.whole("connections"));
        try {
            RedisKeys.reach(redis, settings);
        } catch (RuntimeException e) {
            redis.close(); // the caller has nothing to close
            throw e;
        }
        redis.holdBack();
        int most = settings.patient() ? (int) figures.whole("under_way_most") : Integer.MAX_VALUE;
        return new RedisDriver(settings, redis, figures.flag("parted"), most, versions, answers);
    }

    @Override
    public void send(long id, Request request) {
        requests.take(id, request.kind(), request.argument());
    }

    private void send(PatientRequests.Attempt attempt) {
        boolean isWrite = attempt.kind() == KeyWorkload.PUT;
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                isParted ? redis.commands(attempt.id(), isWrite) : redis.commands(attempt.id());
        byte[] key = RedisKeys.bytes(attempt.key());
        if (isWrite) {
            byte[] value = KeyedValue.of(attempt.key(), versions.incrementAndGet(), settings.valueBytes());
            var _ = commands.set(key, value).whenComplete((answer, error) -> end(attempt, error, Service.SERVED));
        } else {
            var _ = commands.get(key)
                    .whenComplete((value, error) ->
                            end(attempt, error, error == null ? status(attempt.key(), value) : Service.FAILED));
        }
    }

    private void end(PatientRequests.Attempt attempt, @Nullable Throwable error, int status) {
        if (error != null && settings.patient()) {
            requests.failed(attempt);
            return;
        }
        if (error != null) {
            firstError.compareAndSet(null, RedisConnections.fault(error));
        }
        requests.answered(attempt);
        answers.answered(attempt.id(), error == null ? status : Service.FAILED, -1, -1);
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
        boolean isDone = requests.send();
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
