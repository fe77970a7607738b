package dev.larder.benchmarks;

import dev.larder.map.LarderMap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * 32 random keys at once, beside as many keys one after the other, in a map of 8 bytes of key and 100 of value. One thread;
 * each figure is per key.
 *
 * <pre>
 *                                one by one      at once
 * a byte read in place           read            readAll           at least 2 times as fast
 * value into an array            readCopy        readAllCopy       at least 1.7 times
 * value as a new array           get             getAll            getAll also makes a map of them
 * value replaced                 set             putAll
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(MapGroupBenchmark.KEYS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "--enable-native-access=ALL-UNNAMED"})
public class MapGroupBenchmark {

    static final int KEYS = 32;
    private static final int VALUE_BYTES = 100;

    /** The number of entries. */
    @Param({"5000000"})
    public int entries;

    private @Nullable NewMap own;

    /** The state of one thread. The choice of keys is part of both figures. */
    @State(Scope.Thread)
    public static class Hand {
        final SplittableRandom random = new SplittableRandom();
        final List<Long> keys = new ArrayList<>(KEYS);
        final byte[] bytes = new byte[VALUE_BYTES];
        long sum;

        List<Long> choose(int entries) {
            keys.clear();
            for (int i = 0; i < KEYS; i++) {
                keys.add((long) random.nextInt(entries));
            }
            return keys;
        }

        void take(MemorySegment segment, long offset, int length) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
            sum += bytes[0];
        }

        void look(MemorySegment segment, long offset) {
            sum += segment.get(ValueLayout.JAVA_BYTE, offset);
        }
    }

    private LarderMap<Long, byte[]> map() {
        return Objects.requireNonNull(own).map;
    }

    /** Loads the map. */
    @Setup(Level.Trial)
    public void load() throws IOException {
        own = new NewMap();
        own.fill(entries, new byte[VALUE_BYTES]);
    }

    /** Removes its files. */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
        Objects.requireNonNull(own).close();
    }

    /** One byte of each, read in place, one after the other. */
    @Benchmark
    public long read(Hand hand) {
        for (Long key : hand.choose(entries)) {
            map().read(key, (segment, offset, length) -> hand.look(segment, offset));
        }
        return hand.sum;
    }

    /** One byte of each, read in place, at once. */
    @Benchmark
    public long readAll(Hand hand) {
        map().readAll(hand.choose(entries), (key, segment, offset, length) -> hand.look(segment, offset));
        return hand.sum;
    }

    /** Each copied into an array, one after the other. */
    @Benchmark
    public long readCopy(Hand hand) {
        for (Long key : hand.choose(entries)) {
            map().read(key, hand::take);
        }
        return hand.sum;
    }

    /** Each copied into an array, at once. */
    @Benchmark
    public long readAllCopy(Hand hand) {
        map().readAll(hand.choose(entries), (key, segment, offset, length) -> hand.take(segment, offset, length));
        return hand.sum;
    }

    /** A new array of each, one after the other. */
    @Benchmark
    public long get(Hand hand) {
        for (Long key : hand.choose(entries)) {
            hand.sum += Objects.requireNonNull(map().get(key))[0];
        }
        return hand.sum;
    }

    /** A new array of each, at once. */
    @Benchmark
    public Map<Long, byte[]> getAll(Hand hand) {
        return map().getAll(hand.choose(entries));
    }

    /** Each replaced, one after the other. */
    @Benchmark
    public void set(Hand hand) {
        for (Long key : hand.choose(entries)) {
            map().set(key, hand.bytes);
        }
    }

    /** Each replaced, at once; making the map that is passed is part of the time. */
    @Benchmark
    public void putAll(Hand hand) {
        Map<Long, byte[]> all = new java.util.HashMap<>(2 * KEYS);
        hand.choose(entries).forEach(key -> all.put(key, hand.bytes));
        map().putAll(all);
    }
}
