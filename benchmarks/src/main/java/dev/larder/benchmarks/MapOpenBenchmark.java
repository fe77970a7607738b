package dev.larder.benchmarks;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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
 * Opening and closing a map in a warm JVM, with its files in the page cache: keys of 8 bytes, values of 100. Opening and
 * closing are separate benchmarks, so that each is timed alone.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 21)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx512m", "--enable-native-access=ALL-UNNAMED"})
public class MapOpenBenchmark {

    private static final byte[] VALUE = new byte[100];

    @Param("5000000")
    int entries;

    private @Nullable Path directory;
    private @Nullable LarderMap<Long, byte[]> map;

    /** Makes the map. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        directory = QueueFiles.create();
        try (LarderMap<Long, byte[]> made = openMap()) {
            for (long key = 0; key < entries; key++) {
                made.set(key, VALUE);
            }
        }
    }

    private LarderMap<Long, byte[]> openMap() {
        return LarderMap.open(
                Objects.requireNonNull(directory),
                ValueCodec.longs(),
                ValueCodec.bytes(),
                LogOptions.defaults().withSync(SyncPolicy.none()));
    }

    private LarderMap<Long, byte[]> map() {
        return Objects.requireNonNull(map);
    }

    /** An open map, for the benchmark of closing. */
    @State(Scope.Benchmark)
    public static class Opened {

        /** The number of entries that are changed before the map is closed. */
        @Param({"0", "1", "1000000"})
        int changes;

        /** Opens the map and changes some of it. */
        @Setup(Level.Invocation)
        public void open(MapOpenBenchmark benchmark) {
            benchmark.map = benchmark.openMap();
            for (long key = 0; key < changes; key++) {
                benchmark.map().set(key, VALUE);
            }
        }
    }

    /** Closes the map. */
    @TearDown(Level.Invocation)
    public void end() {
        map().close();
    }

    /** Removes it. */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
        if (directory != null) {
            QueueFiles.delete(directory);
        }
    }

    /** Opens, and looks one entry up. */
    @Benchmark
    public boolean open() {
        map = openMap();
        return map.containsKey(1L);
    }

    /** A map without its image, for the benchmark of the rebuild. */
    @State(Scope.Benchmark)
    public static class WithoutImage {

        /** Deletes the image. */
        @Setup(Level.Invocation)
        public void delete(MapOpenBenchmark benchmark) throws IOException {
            Files.delete(Objects.requireNonNull(benchmark.directory).resolve("map.checkpoint"));
        }
    }

    /** Opens, and rebuilds the index from the log; with {@code -XX:ActiveProcessorCount=1} by one thread. */
    @Benchmark
    @Warmup(iterations = 2)
    @Measurement(iterations = 7)
    public boolean rebuild(WithoutImage none) {
        return open();
    }

    /** Closes. */
    @Benchmark
    public void close(Opened opened) {
        map().close();
    }
}
