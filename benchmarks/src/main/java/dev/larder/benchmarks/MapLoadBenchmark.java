package dev.larder.benchmarks;

import dev.larder.map.LarderMap;
import dev.larder.map.MapLoader;
import java.io.IOException;
import java.util.Objects;
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
 * Puts all entries into an empty map, by one thread: 8 bytes of key, in no order, and 100 of value.
 *
 * <pre>
 * loader                    LarderMap.loader        at least 2 times as fast as heapPut
 * set                       LarderMap.set
 * heapPut, heapPutSized     ConcurrentHashMap.put, which gets its own array
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-Xms4g",
            "-Xmx4g",
            "-XX:+UseParallelGC",
            "-XX:+AlwaysPreTouch",
            "--enable-native-access=ALL-UNNAMED"
        })
public class MapLoadBenchmark {

    private static final int VALUE_BYTES = 100;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** The number of entries. */
    @Param({"5000000"})
    public int entries;

    private final byte[] value = new byte[VALUE_BYTES];
    private @Nullable NewMap own;

    private LarderMap<Long, byte[]> map() {
        return Objects.requireNonNull(own).map;
    }

    /** Makes an empty map. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        own = new NewMap();
    }

    /** Removes it. */
    @TearDown(Level.Iteration)
    public void remove() throws IOException {
        Objects.requireNonNull(own).close();
    }

    /** By the loader. */
    @Benchmark
    public void loader() {
        try (MapLoader<Long, byte[]> loader = map().loader()) {
            for (long number = 0; number < entries; number++) {
                loader.put(number * SPREAD, value);
            }
        }
    }

    /** One after the other. */
    @Benchmark
    public void set() {
        LarderMap<Long, byte[]> all = map();
        for (long number = 0; number < entries; number++) {
            all.set(number * SPREAD, value);
        }
    }

    /** The heap's map, which grows. */
    @Benchmark
    public ConcurrentHashMap<Long, byte[]> heapPut() {
        return put(new ConcurrentHashMap<>());
    }

    /** The heap's map, created with the number of entries. */
    @Benchmark
    public ConcurrentHashMap<Long, byte[]> heapPutSized() {
        return put(new ConcurrentHashMap<>(entries));
    }

    private ConcurrentHashMap<Long, byte[]> put(ConcurrentHashMap<Long, byte[]> all) {
        for (long number = 0; number < entries; number++) {
            all.put(number * SPREAD, value.clone());
        }
        return all;
    }
}
