package dev.larder.examples;

import dev.larder.codec.ValueCodec;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.Lifetime;
import dev.larder.map.MapOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Start it twice with one directory: both JVMs share a cache of at most 64 MiB, and each sees the other's changes at once. */
public final class SharedCache {

    private static final int PAGES = 1000;

    private SharedCache() {}

    public static void main(String[] arguments) throws InterruptedException {
        MapOptions options = MapOptions.defaults()
                .withCleaning(Cleaning.evicting(64L << 20))
                .withLifetime(Lifetime.sinceWrite(Duration.ofHours(1)));
        try (LarderMap<String, Long> cache =
                LarderMap.open(Path.of(arguments[0]), ValueCodec.texts(), ValueCodec.longs(), options)) {
            for (int page = 0; page < PAGES; page++) {
                cache.merge("page " + page, 1L, Long::sum); // atomic across processes
            }
            cache.merge("processes", 1L, Long::sum);
            awaitTheOther(cache);
            for (int page = 0; page < PAGES; page++) {
                if (cache.getOrDefault("page " + page, 0L) != 2) {
                    throw new IllegalStateException("page " + page + " was asked for by one process alone");
                }
            }
        }
        System.out.println("two processes have counted " + PAGES + " pages");
    }

    private static void awaitTheOther(LarderMap<String, Long> cache) throws InterruptedException {
        Instant end = Instant.now().plusSeconds(120);
        while (cache.getOrDefault("processes", 0L) < 2) {
            if (Instant.now().isAfter(end)) {
                throw new IllegalStateException("no second process has come for two minutes");
            }
            Thread.sleep(10);
        }
    }
}
