package dev.larder.benchmarks;

import dev.larder.map.LarderMap;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One access to a random entry of 8 bytes of key and 100 of value, on one thread. Each of the map's operations is paired with
 * the same on plain memory, which shows the cost of memory itself. If a ConcurrentHashMap has the operation, it is paired with
 * that as well:
 *
 * <pre>
 *                              LarderMap      plain memory   ConcurrentHashMap
 * value into an array          mapReadCopy    plainCopy      heapGetCopy
 * value as a new array         mapGet         plainCopy      heapGetCopy
 * a byte read in place         mapRead        plainRead      heapRead
 * value replaced               mapSet         plainWrite     heapPut
 * the same, previous returned  mapPut         plainWrite     heapPut
 * </pre>
 *
 * <p>Plain memory is records of 128 bytes on huge pages, without an index: one cache miss, while a map has at least two. The
 * target for a get with a copy is at most 2.5 times the plain copy, and no longer than the ConcurrentHashMap's. All three hold
 * all entries at once. Writes make the map run its cleaner: its files take twice the live bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-Xms4g",
            "-Xmx4g",
            "-XX:+UseParallelGC",
            "-XX:+AlwaysPreTouch",
            "--enable-native-access=ALL-UNNAMED"
        })
public class MapBenchmark {

    private static final int VALUE_BYTES = 100;
    private static final int SLOT_BYTES = 128;

    /** The number of entries. */
    @Param({"5000000"})
    public int entries;

    private @Nullable NewMap own;
    private final ConcurrentHashMap<Long, byte[]> heap = new ConcurrentHashMap<>();
    private @Nullable Region plain;

    /** The state of one thread. */
    @State(Scope.Thread)
    public static class Hand {
        final SplittableRandom random = new SplittableRandom();
        final byte[] bytes = new byte[VALUE_BYTES];
    }

    private LarderMap<Long, byte[]> map() {
        return Objects.requireNonNull(own).map;
    }

    /** Loads all three. */
    @Setup(Level.Trial)
    public void load() throws IOException {
        own = new NewMap();
        RegionKind kind = RegionKind.HUGE_PAGES.unavailable().isEmpty() ? RegionKind.HUGE_PAGES : RegionKind.DIRECT;
        plain = Region.create(kind, (long) entries * SLOT_BYTES);
        byte[] value = new byte[VALUE_BYTES];
        own.fill(entries, value);
        for (long key = 0; key < entries; key++) {
            heap.put(key, value.clone());
            plain.segment().asSlice(key * SLOT_BYTES, SLOT_BYTES).fill((byte) key);
        }
    }

    /** Removes the map's files. */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
        if (own != null && plain != null) {
            own.close();
            plain.close();
        }
    }

    /** Memory itself: 100 bytes of a random record, copied. */
    @Benchmark
    public byte[] plainCopy(Hand hand) {
        MemorySegment bytes = Objects.requireNonNull(plain).segment();
        long at = (long) hand.random.nextInt(entries) * SLOT_BYTES;
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, hand.bytes, 0, VALUE_BYTES);
        return hand.bytes;
    }

    /** Memory itself: one byte of a random record. */
    @Benchmark
    public byte plainRead(Hand hand) {
        MemorySegment bytes = Objects.requireNonNull(plain).segment();
        return bytes.get(ValueLayout.JAVA_BYTE, (long) hand.random.nextInt(entries) * SLOT_BYTES);
    }

    /** Memory itself: 100 bytes of a random record, overwritten. */
    @Benchmark
    public void plainWrite(Hand hand) {
        MemorySegment bytes = Objects.requireNonNull(plain).segment();
        long at = (long) hand.random.nextInt(entries) * SLOT_BYTES;
        MemorySegment.copy(hand.bytes, 0, bytes, ValueLayout.JAVA_BYTE, at, VALUE_BYTES);
    }

    /** A get of the map, which makes an array of the value; beside {@link #plainCopy}, {@link #heapGetCopy}. */
    @Benchmark
    public byte[] mapGet(Hand hand) {
        return Objects.requireNonNull(map().get((long) hand.random.nextInt(entries)));
    }

    /** The value copied into an existing array; beside {@link #plainCopy}, {@link #heapGetCopy}. */
    @Benchmark
    public byte[] mapReadCopy(Hand hand) {
        map().read(
                        (long) hand.random.nextInt(entries),
                        (segment, offset, length) ->
                                MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, hand.bytes, 0, length));
        return hand.bytes;
    }

    /** One byte of the value, read in place; beside {@link #plainRead}, {@link #heapRead}. */
    @Benchmark
    public byte mapRead(Hand hand) {
        map().read(
                        (long) hand.random.nextInt(entries),
                        (segment, offset, length) -> hand.bytes[0] = segment.get(ValueLayout.JAVA_BYTE, offset));
        return hand.bytes[0];
    }

    /** The value of a ConcurrentHashMap, copied. */
    @Benchmark
    public byte[] heapGetCopy(Hand hand) {
        byte[] value = Objects.requireNonNull(heap.get((long) hand.random.nextInt(entries)));
        System.arraycopy(value, 0, hand.bytes, 0, VALUE_BYTES);
        return hand.bytes;
    }

    /** One byte of the value of a ConcurrentHashMap, in its own array. */
    @Benchmark
    public byte heapRead(Hand hand) {
        return Objects.requireNonNull(heap.get((long) hand.random.nextInt(entries)))[0];
    }

    /** A value replaced, without reading the previous one; beside {@link #plainWrite}. */
    @Benchmark
    public void mapSet(Hand hand) {
        map().set((long) hand.random.nextInt(entries), hand.bytes);
    }

    /** A value replaced, and the previous one returned; beside {@link #heapPut}. */
    @Benchmark
    public byte[] mapPut(Hand hand) {
        return Objects.requireNonNull(map().put((long) hand.random.nextInt(entries), hand.bytes));
    }

    /** The same in a ConcurrentHashMap, which gets its own array. */
    @Benchmark
    public byte[] heapPut(Hand hand) {
        return Objects.requireNonNull(heap.put((long) hand.random.nextInt(entries), hand.bytes.clone()));
    }
}
