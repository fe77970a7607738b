package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A map for all states of a test, each with its own keys. The map cleans itself meanwhile. */
final class StressMap<V> {

    /** Stands for no value. */
    static final long NONE = -1;

    private static final long MIB = 1 << 20;

    final LarderMap<Long, V> map;
    private final AtomicLong keys = new AtomicLong();

    /** Makes a map that keeps all entries. */
    StressMap(ValueCodec<V> values) {
        this(values, Cleaning.defaults());
    }

    StressMap(ValueCodec<V> values, Cleaning cleaning) {
        Path directory = create();
        MapOptions options = MapOptions.defaults()
                .withLog(LogOptions.defaults().withSync(SyncPolicy.none()).withLargestSegmentBytes(2 * MIB))
                .withCleaning(cleaning);
        map = LarderMap.open(directory, ValueCodec.longs(), values, options);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            map.close();
            delete(directory);
        }));
    }

    /** Returns a key that no other state has. */
    long key() {
        return keys.getAndIncrement();
    }

    static long orNone(@Nullable Long value) {
        return value == null ? NONE : value;
    }

    static Path create() {
        try {
            return Files.createTempDirectory("larder-stress");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
