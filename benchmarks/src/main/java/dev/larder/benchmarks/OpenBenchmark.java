package dev.larder.benchmarks;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
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
 * Opens and closes a queue of very many segments of 1 GiB, and reads it to its end. The files have holes: a segment has a few
 * small messages, and abandoned claims between them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 10)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx256m", "--enable-native-access=ALL-UNNAMED"})
public class OpenBenchmark {

    private static final long SEGMENT_BYTES = 1L << 30;

    @Param({"10", "1024"})
    int segments;

    private @Nullable Path directory;

    /** Thrown by a writer that abandons its claim. */
    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GivenUp() {
            super("given up", null, false, false);
        }
    }

    /** Makes the queue. */
    @Setup(Level.Trial)
    public void make() throws IOException {
        directory = QueueFiles.create();
        LogOptions options = HookedOptions.withStorage(
                        LogOptions.defaults(), sparse(Storage.class, SystemStorage.system()))
                .withIntegrity(IntegrityMode.NONE)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
        try (LarderQueue queue = LarderQueue.open(directory, options);
                Appender appender = queue.appender()) {
            while (Position.segment(appender.append("message")) < segments - 1) {
                giveUp(appender);
            }
        }
    }

    private static void giveUp(Appender appender) {
        try {
            appender.append((int) (SEGMENT_BYTES / 4), (segment, offset, length) -> {
                throw new GivenUp();
            });
        } catch (GivenUp e) {
            // its space becomes padding
        }
    }

    /** Returns a storage, or a file of it, that leaves holes in place of reserved space. */
    private static <T> T sparse(Class<T> type, Object target) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("allocate")) {
                arguments[1] = Allocation.GROW;
            }
            Object result = call(target, method, arguments);
            return method.getName().equals("create")
                    ? ((Optional<?>) Objects.requireNonNull(result)).map(file -> sparse(StorageFile.class, file))
                    : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** Removes it. */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
        if (directory != null) {
            QueueFiles.delete(directory);
        }
    }

    private Path directory() {
        return Objects.requireNonNull(directory);
    }

    /** Opens, and closes again. */
    @Benchmark
    public long open() {
        try (LarderQueue queue = LarderQueue.open(directory())) {
            return queue.durablePosition();
        }
    }

    /** Opens, maps every segment, and reads all messages. */
    @Benchmark
    public long readAll() {
        long messages = 0;
        try (LarderQueue queue = LarderQueue.open(directory());
                Tailer tailer = queue.tailer()) {
            int drained = 1;
            while (drained > 0) {
                drained = tailer.drain((segment, offset, length) -> {}, 1000);
                messages += drained;
            }
        }
        return messages;
    }
}
