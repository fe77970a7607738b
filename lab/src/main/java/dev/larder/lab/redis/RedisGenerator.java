package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.GeneratorLoop;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that sends requests to a Redis or to a lab target.
 *
 * <p>Besides {@code load}, its commands are {@code server} (how it names itself), {@code fill} (gives every key a
 * value) and {@code delete} (deletes them).
 */
public final class RedisGenerator {

    private RedisGenerator() {}

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        AtomicLong versions = new AtomicLong();
        GeneratorLoop loop =
                new GeneratorLoop().driver("redis", (figures, answers) -> RedisDriver.open(figures, versions, answers));
        loop.commands()
                .on("server", RedisGenerator::server)
                .on("fill", RedisGenerator::fill)
                .on("delete", RedisGenerator::delete);
        loop.serve();
    }

    private static Figures server(Figures settings) {
        return new Figures().put("server", RedisKeys.server(RedisClientSettings.of(settings)));
    }

    private static Figures fill(Figures settings) {
        RedisKeys.fill(RedisClientSettings.of(settings));
        return new Figures();
    }

    private static Figures delete(Figures settings) {
        RedisKeys.delete(RedisClientSettings.of(settings));
        return new Figures();
    }
}
