package dev.larder.benchmarks;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Seeks a random message by its sequence and by its time, gets the sequence at a random position, and reads backward. The queue
 * is in the page cache. Use {@code -p queueMib=16384} for the size of the promised figures.
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx256m", "--enable-native-access=ALL-UNNAMED"})
public class SeekBenchmark {

    private static final int POSITIONS = 1 << 16;
    private static final long RECORD_HEADER_BYTES = 8;

    @Param({"64", "1024"})
    int messageBytes;

    @Param("1024")
    int queueMib;

    private final SplittableRandom random = new SplittableRandom(1);
    private final long[] positions = new long[POSITIONS];
    private @Nullable Path directory;
    private @Nullable LarderQueue queue;
    private @Nullable Tailer tailer;
    private long messages;
    private long startMillis;
    private long endMillis;

    /** Fills one queue for all calls. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        directory = QueueFiles.create();
        LarderQueue opened = LarderQueue.open(directory, LogOptions.defaults().withSync(SyncPolicy.none()));
        queue = opened;
        MemorySegment message = Arena.ofAuto().allocate(messageBytes).fill((byte) 'x');
        messages = ((long) queueMib << 20) / (messageBytes + RECORD_HEADER_BYTES);
        startMillis = System.currentTimeMillis();
        try (Batch batch = opened.appender().batch()) {
            for (long i = 0; i < messages; i++) {
                batch.add(message);
            }
        }
        endMillis = System.currentTimeMillis();
        opened.sync();
        Tailer reader = opened.tailer();
        tailer = reader;
        for (int i = 0; i < POSITIONS; i++) {
            positions[i] = reader.toSequence(random.nextLong(messages)).position();
        }
    }

    /** Removes the queue. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (queue != null && directory != null) {
            queue.close();
            QueueFiles.delete(directory);
        }
    }

    /** By sequence. */
    @Benchmark
    public long toSequence() {
        return Objects.requireNonNull(tailer)
                .toSequence(random.nextLong(messages))
                .position();
    }

    /** By time. */
    @Benchmark
    public long toTime() {
        Instant time = Instant.ofEpochMilli(random.nextLong(startMillis, endMillis + 1));
        return Objects.requireNonNull(tailer).toTime(time).position();
    }

    /** From a position to the sequence. */
    @Benchmark
    public long sequence() {
        return Objects.requireNonNull(tailer)
                .moveTo(positions[random.nextInt(POSITIONS)])
                .sequence();
    }

    /** To a random message, and the hundred before it. */
    @Benchmark
    public int backward() {
        Tailer reader = Objects.requireNonNull(tailer).toSequence(random.nextLong(messages));
        return reader.drainBackward((segment, offset, length) -> {}, 100);
    }
}
