package dev.larder.benchmarks.rivals;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import dev.larder.map.MapLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/**
 * Loads an empty map, by one thread: keys of 8 bytes in no order, values of 100 bytes. A process measures one map; start one
 * for each map, in turns.
 *
 * <pre>
 * java ... dev.larder.benchmarks.rivals.LoadPairs SUBJECT [entries] [loads] [warm-up loads]
 *
 * larder           a loader that knows the number of entries
 * larder-untold    a loader that does not
 * heap             ConcurrentHashMap, created with its size; a new array for each value
 * chronicle        Chronicle Map, created with its size and the size of each value
 * </pre>
 */
public final class LoadPairs {

    private static final int VALUE_BYTES = 100;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final int entries;
    private final byte[] value = new byte[VALUE_BYTES];

    private LoadPairs(int entries) {
        this.entries = entries;
    }

    /** Prints the median of the loads, in nanoseconds per entry. */
    public static void main(String[] args) throws IOException {
        String subject = args[0];
        LoadPairs pairs = new LoadPairs(args.length > 1 ? Integer.parseInt(args[1]) : 5_000_000);
        double[] times = new double[args.length > 2 ? Integer.parseInt(args[2]) : 3];
        int before = args.length > 3 ? Integer.parseInt(args[3]) : 2;
        for (int load = -before; load < times.length; load++) {
            double nanos = pairs.load(subject);
            times[Math.max(load, 0)] = nanos;
        }
        Arrays.sort(times);
        System.out.printf(Locale.ROOT, "%.1f%n", times[times.length / 2]);
    }

    private double load(String subject) throws IOException {
        System.gc();
        return switch (subject) {
            case "larder" -> larder(entries);
            case "larder-untold" -> larder(0);
            case "heap" -> heap();
            case "chronicle" -> chronicle();
            default -> throw new IllegalArgumentException("unknown map '" + subject + "'");
        };
    }

    private double larder(long expectedEntries) throws IOException {
        Path directory = directory();
        LogOptions options = LogOptions.defaults().withSync(SyncPolicy.none());
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            long begun = System.nanoTime();
            try (MapLoader<Long, byte[]> loader = map.loader(expectedEntries)) {
                for (long number = 0; number < entries; number++) {
                    loader.put(number * SPREAD, value);
                }
            }
            return since(begun);
        } finally {
            delete(directory);
        }
    }

    @SuppressWarnings("UnnecessaryAsync") // this map is measured
    private double heap() {
        long begun = System.nanoTime();
        ConcurrentHashMap<Long, byte[]> map = new ConcurrentHashMap<>(entries);
        for (long number = 0; number < entries; number++) {
            map.put(number * SPREAD, value.clone());
        }
        double nanos = since(begun);
        if (map.size() != entries) {
            throw new IllegalStateException("entries are missing");
        }
        return nanos;
    }

    private double chronicle() throws IOException {
        Path directory = directory();
        ChronicleMapBuilder<Long, byte[]> builder = ChronicleMapBuilder.of(Long.class, byte[].class)
                .name("load")
                .entries(entries)
                .constantValueSizeBySample(value)
                .putReturnsNull(true);
        try (ChronicleMap<Long, byte[]> map =
                builder.createPersistedTo(directory.resolve("map.dat").toFile())) {
            long begun = System.nanoTime();
            for (long number = 0; number < entries; number++) {
                map.put(number * SPREAD, value);
            }
            return since(begun);
        } finally {
            delete(directory);
        }
    }

    private double since(long begun) {
        return (System.nanoTime() - begun) / (double) entries;
    }

    private static Path directory() throws IOException {
        Path parent = Path.of(System.getProperty("larder.benchmarks.directory", "."));
        return Files.createTempDirectory(parent.toAbsolutePath(), "larder-benchmark-");
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
