package dev.larder.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server and a redis-server beside it, for tests that send both the same. */
public final class RedisComparison implements AutoCloseable {

    private final RealRedis redis;
    private final ServerFixture fixture;

    /** Starts both servers on subfolders of a folder. The test is skipped if there is no redis-server. */
    public RedisComparison(Path directory) {
        try {
            redis = RealRedis.start(Files.createDirectory(directory.resolve("redis")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            fixture = new ServerFixture(directory.resolve("larder"));
        } catch (RuntimeException | Error e) {
            redis.close();
            throw e;
        }
    }

    /** Returns the reference. */
    public RealRedis redis() {
        return redis;
    }

    /** Returns the server that is compared with it. */
    public ServerFixture larder() {
        return fixture;
    }

    @Override
    public void close() {
        try (redis) {
            fixture.close();
        }
    }
}
