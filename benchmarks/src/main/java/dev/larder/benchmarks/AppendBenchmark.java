package dev.larder.benchmarks;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Appends 64 MiB of messages, by one writer and by two, into prepared space. The baseline is a plain copy into present memory.
 *
 * <p>The score is the time of the whole 64 MiB; divide by {@code 64 MiB / messageBytes} for one message.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx256m", "--enable-native-access=ALL-UNNAMED"})
public class AppendBenchmark {

    private static final long RECORD_HEADER_BYTES = 8;
    private static final int WRITERS_MAX = 2;

    @Param({"64", "256", "1024", "65536"})
    int messageBytes;

    @Param({"RECORD", "SEAL", "NONE"})
    IntegrityMode integrity = IntegrityMode.SEAL;

    private @Nullable Path directory;
    private @Nullable LarderQueue queue;
    private @Nullable Appender appender;
    private MemorySegment message = MemorySegment.NULL;

    /** The target of the plain copy: present memory. */
    @State(Scope.Thread)
    public static class Present {

        private final MemorySegment memory =
                Arena.ofAuto().allocate(QueueFiles.CALL_BYTES, 4096).fill((byte) 1);
    }

    /** Opens a new queue for each measured call, so that earlier writes do not count. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        message = Arena.ofAuto().allocate(messageBytes, 64).fill((byte) 'x');
        directory = QueueFiles.create();
        queue = LarderQueue.open(
                directory, LogOptions.defaults().withIntegrity(integrity).withSync(SyncPolicy.none()));
        appender = queue.appender();
        queue.prepare(WRITERS_MAX * count() * (messageBytes + RECORD_HEADER_BYTES));
    }

    /** Removes the queue. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        if (queue != null && directory != null) {
            queue.close();
            QueueFiles.delete(directory);
        }
    }

    private long count() {
        return QueueFiles.CALL_BYTES / messageBytes;
    }

    /** One writer. */
    @Benchmark
    @Threads(1)
    public long oneWriter() {
        return append();
    }

    /** Two writers of one queue. Each writes as much as the single writer. */
    @Benchmark
    @Threads(2)
    public long twoWriters() {
        return append();
    }

    /** The same bytes copied into present memory: the least time on this machine. */
    @Benchmark
    @Threads(1)
    public MemorySegment plainCopy(Present present) {
        for (long at = 0; at <= QueueFiles.CALL_BYTES - messageBytes; at += messageBytes) {
            MemorySegment.copy(message, 0, present.memory, at, messageBytes);
        }
        return present.memory;
    }

    private long append() {
        Appender target = Objects.requireNonNull(appender);
        long position = 0;
        for (long left = count(); left > 0; left--) {
            position = target.append(message, 0, messageBytes);
        }
        return position;
    }
}
