package dev.larder.benchmarks;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
 * Reads 64 MiB of messages through the handler and sums every byte as 64-bit words. The baseline is the same sum over plain
 * memory. The score is the time of the whole 64 MiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx256m", "--enable-native-access=ALL-UNNAMED"})
public class ReadBenchmark {

    private static final int DRAIN = 4096;

    @Param({"64", "256", "1024", "65536"})
    int messageBytes;

    @Param({"RECORD", "SEAL", "NONE"})
    IntegrityMode integrity = IntegrityMode.SEAL;

    private final MemorySegment plain =
            Arena.ofAuto().allocate(QueueFiles.CALL_BYTES, 4096).fill((byte) 'x');
    private @Nullable Path directory;
    private @Nullable LarderQueue queue;
    private @Nullable Tailer tailer;
    private long sum;

    /** Fills one queue for all calls. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        directory = QueueFiles.create();
        queue = LarderQueue.open(
                directory, LogOptions.defaults().withIntegrity(integrity).withSync(SyncPolicy.none()));
        try (Batch batch = queue.appender().batch()) {
            for (long at = 0; at <= QueueFiles.CALL_BYTES - messageBytes; at += messageBytes) {
                batch.add(plain, at, messageBytes);
            }
        }
        queue.sync();
        tailer = queue.tailer();
    }

    /** Removes the queue. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (queue != null && directory != null) {
            queue.close();
            QueueFiles.delete(directory);
        }
    }

    /** Through the handler. */
    @Benchmark
    public long handler() {
        Tailer reader = Objects.requireNonNull(tailer).toStart();
        sum = 0;
        while (reader.drain((segment, offset, length) -> sum += sumWords(segment, offset, length), DRAIN) > 0) {
            // until the end
        }
        return sum;
    }

    /** The same loop over the same bytes without headers: the least time on this machine. */
    @Benchmark
    public long plainSum() {
        long total = 0;
        for (long at = 0; at <= QueueFiles.CALL_BYTES - messageBytes; at += messageBytes) {
            total += sumWords(plain, at, messageBytes);
        }
        return total;
    }

    private static long sumWords(MemorySegment segment, long offset, int length) {
        long total = 0;
        for (int at = 0; at < length; at += Long.BYTES) {
            total += segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + at);
        }
        return total;
    }
}
