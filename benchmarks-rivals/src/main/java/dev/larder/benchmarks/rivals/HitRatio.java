package dev.larder.benchmarks.rivals;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Compares the hit ratios of Larder's evicting map, exact LRU, and Caffeine (W-TinyLFU), with the same keys in the same order.
 * After a miss the key is put, with a value of 1,000 bytes.
 *
 * <p>Larder's limit is in bytes; the others' limit is the number of entries whose keys and values have as many bytes. So
 * Larder's headers, free segments and the room for its cleaner count against it.
 *
 * <p>Arguments: MiB (64 by default), then trace files: the words of each file, in order, are the keys of one trace.
 */
public final class HitRatio {

    private static final int VALUE_BYTES = 1000;
    private static final int KEY_BYTES = 4;
    private static final int REQUESTS = 4_000_000;
    private static final int SCAN_EVERY = 10;

    private final long bytes;

    private HitRatio(long bytes) {
        this.bytes = bytes;
    }

    /** Runs all traces. */
    public static void main(String[] arguments) throws IOException {
        HitRatio ratio = new HitRatio((arguments.length > 0 ? Long.parseLong(arguments[0]) : 64) << 20);
        System.out.println("| trace | requests | keys | Larder | LRU | Caffeine |");
        System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
        int keys = 16 * ratio.entries();
        ratio.run("Zipf 0.8", zipf(keys, 0.8));
        ratio.run("Zipf 0.99", zipf(keys, 0.99));
        ratio.run("Zipf 0.99, every tenth key never asked for again", scanned(zipf(keys, 0.99)));
        ratio.run("a loop over 1.2 times what fits", loop((int) (1.2 * ratio.entries())));
        for (int i = 1; i < arguments.length; i++) {
            Path file = Path.of(arguments[i]);
            ratio.run(String.valueOf(file.getFileName()), words(file));
        }
    }

    private int entries() {
        return (int) (bytes / (VALUE_BYTES + KEY_BYTES));
    }

    private void run(String name, int[] trace) throws IOException {
        double larder = larder(trace);
        Map<Integer, byte[]> lru = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
                return size() > entries();
            }
        };
        byte[] value = new byte[0];
        double exact = ratio(trace, key -> lru.get(key) != null || lru.put(key, value) != null);
        Cache<Integer, byte[]> caffeine = Caffeine.newBuilder()
                .maximumSize(entries())
                .executor(Runnable::run)
                .build();
        double tiny = ratio(trace, key -> {
            boolean hit = caffeine.getIfPresent(key) != null;
            if (!hit) {
                caffeine.put(key, value);
            }
            return hit;
        });
        long keys = java.util.Arrays.stream(trace).distinct().count();
        System.out.printf(
                Locale.ROOT, "| %s | %d | %d | %.4f | %.4f | %.4f |%n", name, trace.length, keys, larder, exact, tiny);
    }

    private double larder(int[] trace) throws IOException {
        Path directory = Files.createTempDirectory("larder-hits");
        MapOptions options = MapOptions.defaults()
                .withLog(LogOptions.defaults().withSync(SyncPolicy.none()))
                .withCleaning(Cleaning.evicting(bytes));
        byte[] value = new byte[VALUE_BYTES];
        try (LarderMap<Integer, byte[]> map =
                LarderMap.open(directory, ValueCodec.ints(), ValueCodec.bytes(), options)) {
            return ratio(trace, key -> {
                boolean hit = map.containsKey(key);
                if (!hit) {
                    map.set(key, value);
                }
                return hit;
            });
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static double ratio(int[] trace, IntPredicate isHit) {
        long hits = 0;
        for (int key : trace) {
            hits += isHit.test(key) ? 1 : 0;
        }
        return (double) hits / trace.length;
    }

    /** Keys whose popularity falls with their rank, by the inverse of the continuous distribution. */
    private static int[] zipf(int keys, double skew) {
        SplittableRandom random = new SplittableRandom(1);
        double power = 1 - skew;
        double whole = Math.pow(keys + 1.0, power) - 1;
        int[] trace = new int[REQUESTS];
        for (int i = 0; i < trace.length; i++) {
            int rank = (int) Math.pow(random.nextDouble() * whole + 1, 1 / power);
            trace[i] = Integer.reverse(rank * 0x9E3779B1); // neighbouring ranks get distant keys
        }
        return trace;
    }

    private static int[] scanned(int[] trace) {
        for (int i = 0; i < trace.length; i += SCAN_EVERY) {
            trace[i] = -i;
        }
        return trace;
    }

    private static int[] loop(int keys) {
        int[] trace = new int[REQUESTS / 4];
        for (int i = 0; i < trace.length; i++) {
            trace[i] = i % keys;
        }
        return trace;
    }

    private static int[] words(Path file) throws IOException {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        List<Integer> trace = new ArrayList<>();
        try (Scanner words = new Scanner(file, StandardCharsets.UTF_8)) {
            while (words.hasNext()) {
                trace.add(numbers.computeIfAbsent(words.next(), word -> numbers.size()));
            }
        }
        return trace.stream().mapToInt(Integer::intValue).toArray();
    }
}
