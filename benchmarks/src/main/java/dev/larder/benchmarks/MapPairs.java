package dev.larder.benchmarks;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToLongFunction;
import java.util.function.LongFunction;

/**
 * Compares gets with a copy of the value, 100 bytes, from a map, from a ConcurrentHashMap and from plain records on huge pages.
 * They take turns within one JVM, in one thread. Each round gives one ratio; the result is the median of the ratios.
 *
 * <pre>
 * java ... dev.larder.benchmarks.MapPairs long|text|set-long|set-text ENTRIES [rounds] [gets a round]
 *
 * loop     the time of all gets together
 * p50      the median of gets that are timed one by one
 * set-     the time of a set of the map alone, to be compared with another revision
 * </pre>
 *
 * @param <K> the type of the keys
 */
public final class MapPairs<K> implements AutoCloseable {

    private static final int VALUE_BYTES = 100;
    private static final int SLOT_BYTES = 128;
    private static final int TIMED = 200_000;

    /** The most keys in an array. More keys are made on demand, because an array of them would cause another cache miss. */
    private static final int KEPT_KEYS = 10_000;

    private final int entries;
    private final int gets;
    private final Object[] kept;
    private final LongFunction<K> key;
    private final Path directory = QueueFiles.create();
    private final LarderMap<K, byte[]> map;
    private final ConcurrentHashMap<K, byte[]> heap;
    private final Region plain;
    private final MemorySegment target = Arena.ofAuto().allocate(VALUE_BYTES, 64);
    private final byte[] array = new byte[VALUE_BYTES];
    private long state = 1;
    private long sum;

    private MapPairs(ValueCodec<K> codec, LongFunction<K> key, int entries, int gets) throws IOException {
        this.entries = entries;
        this.gets = gets;
        this.key = key;
        this.map = LarderMap.open(
                directory, codec, ValueCodec.bytes(), LogOptions.defaults().withSync(SyncPolicy.none()));
        this.heap = new ConcurrentHashMap<>(entries);
        RegionKind kind = RegionKind.HUGE_PAGES.unavailable().isEmpty() ? RegionKind.HUGE_PAGES : RegionKind.DIRECT;
        this.plain = Region.create(kind, (long) entries * SLOT_BYTES);
        this.kept = new Object[entries <= KEPT_KEYS ? entries : 0];
        plain.segment().fill((byte) 1);
        for (int i = 0; i < entries; i++) {
            K made = key.apply(i);
            map.set(made, array);
            heap.put(made, array.clone());
            if (kept.length > 0) {
                kept[i] = made;
            }
        }
    }

    /** Measures, and prints the medians. */
    public static void main(String[] args) throws IOException {
        int entries = Integer.parseInt(args[1]);
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 9;
        int gets = args.length > 3 ? Integer.parseInt(args[3]) : 2_000_000;
        if (args[0].endsWith("long")) {
            try (MapPairs<Long> pairs = new MapPairs<>(ValueCodec.longs(), Long::valueOf, entries, gets)) {
                pairs.measure(args[0], rounds);
            }
        } else {
            LongFunction<String> twenty = number -> String.format(Locale.ROOT, "key of text %08d", number);
            try (MapPairs<String> pairs = new MapPairs<>(ValueCodec.texts(), twenty, entries, gets)) {
                pairs.measure(args[0], rounds);
            }
        }
    }

    private void measure(String name, int rounds) {
        if (name.startsWith("set-")) {
            set(name, rounds);
        } else {
            get(name, rounds);
        }
    }

    private void get(String name, int rounds) {
        double[] own = new double[rounds];
        double[] heaps = new double[rounds];
        double[] ownP50 = new double[rounds];
        double[] copyP50 = new double[rounds];
        for (int round = -3; round < rounds; round++) {
            int at = Math.max(round, 0);
            own[at] = loopOwn();
            heaps[at] = loopHeap();
            ownP50[at] = p50(this::getOwn);
            copyP50[at] = p50(this::getPlain);
        }
        System.out.printf(
                Locale.ROOT,
                "%s, %,d entries: loop: map %.1f ns, heap %.1f ns, map / heap %.2f;"
                        + " p50: map %.0f ns, record %.0f ns, map / record %.2f (%d)%n",
                name,
                entries,
                median(own),
                median(heaps),
                medianRatio(own, heaps),
                median(ownP50),
                median(copyP50),
                medianRatio(ownP50, copyP50),
                sum);
    }

    private void set(String name, int rounds) {
        double[] sets = new double[rounds];
        for (int round = -3; round < rounds; round++) {
            sets[Math.max(round, 0)] = loopSet();
        }
        System.out.printf(Locale.ROOT, "%s, %,d entries: set %.1f ns%n", name, entries, median(sets));
    }

    // one loop for each, so that each is compiled for its own call

    private double loopOwn() {
        long begun = System.nanoTime();
        for (int i = 0; i < gets; i++) {
            sum += getOwn(next());
        }
        return since(begun);
    }

    private double loopHeap() {
        long begun = System.nanoTime();
        for (int i = 0; i < gets; i++) {
            sum += getHeap(next());
        }
        return since(begun);
    }

    private double loopSet() {
        long begun = System.nanoTime();
        for (int i = 0; i < gets; i++) {
            map.set(key(next()), array);
        }
        return since(begun);
    }

    private double since(long begun) {
        return (System.nanoTime() - begun) / (double) gets;
    }

    private double p50(IntToLongFunction get) {
        long[] times = new long[TIMED];
        for (int i = 0; i < TIMED; i++) {
            int number = next();
            long begun = System.nanoTime();
            sum += get.applyAsLong(number);
            times[i] = System.nanoTime() - begun;
        }
        Arrays.sort(times);
        return times[TIMED / 2];
    }

    private int next() {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return (int) (((state >>> 33) * entries) >>> 31);
    }

    @SuppressWarnings("unchecked")
    private K key(int number) {
        return kept.length > 0 ? (K) kept[number] : key.apply(number);
    }

    private long getOwn(int number) {
        return map.get(key(number), target, 0);
    }

    private long getHeap(int number) {
        byte[] value = Objects.requireNonNull(heap.get(key(number)));
        MemorySegment.copy(value, 0, target, ValueLayout.JAVA_BYTE, 0, VALUE_BYTES);
        return value.length;
    }

    private long getPlain(int number) {
        MemorySegment.copy(plain.segment(), (long) number * SLOT_BYTES, target, 0, VALUE_BYTES);
        return VALUE_BYTES;
    }

    private static double medianRatio(double[] times, double[] others) {
        double[] ratios = new double[times.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = times[i] / others[i];
        }
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @Override
    public void close() throws IOException {
        map.close();
        plain.close();
        QueueFiles.delete(directory);
    }
}
