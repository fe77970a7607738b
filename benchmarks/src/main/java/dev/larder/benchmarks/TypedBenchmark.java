package dev.larder.benchmarks;

import dev.larder.codec.Codec;
import dev.larder.codec.ViewCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.MethodReader;
import dev.larder.queue.Tailer;
import dev.larder.queue.TypedAppender;
import dev.larder.queue.TypedTailer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Small messages of a fixed layout: an int, a long, a double; 24 bytes with the schema's mark. One thread writes and reads them
 * as bytes, views, records and calls. The score is the time of one message, written and read.
 *
 * <p>10 million a second are 100 ns; the target for calls is at most twice the time of bytes. The allocation profiler
 * ({@code -prof gc}) shows how much heap each takes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx256m", "--enable-native-access=ALL-UNNAMED"})
@Threads(1)
public class TypedBenchmark {

    private static final int MESSAGES = 100_000;
    private static final int MESSAGE_BYTES = 24;
    private static final int ROOM_BYTES = 512 << 20;

    private @Nullable Path directory;
    private @Nullable LarderQueue queue;
    private @Nullable Subject bytes;
    private @Nullable Subject views;
    private @Nullable Subject records;
    private @Nullable Subject calls;

    /** One way to write and to read. */
    private interface Subject {

        void write(int messages);

        double read(int messages);
    }

    /** The interface of the view. */
    public interface Tick {
        /** Returns the symbol. */
        int symbol();

        /** Sets the symbol. */
        Tick symbol(int value);

        /** Returns the time. */
        long time();

        /** Sets the time. */
        Tick time(long value);

        /** Returns the price. */
        double price();

        /** Sets the price. */
        Tick price(double value);
    }

    /** The same as a record. */
    public record TickRecord(int symbol, long time, double price) {}

    /** The same as a call. */
    @FunctionalInterface
    public interface Ticks {
        /** Takes a tick. */
        void tick(int symbol, long time, double price);
    }

    /** Opens a new queue for each iteration; old segments would only fill the disk. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        directory = QueueFiles.create();
        queue = LarderQueue.open(directory, LogOptions.defaults().withSync(SyncPolicy.none()));
        queue.prepare(ROOM_BYTES);
        bytes = new Bytes(queue);
        views = new Views(queue);
        records = new Records(queue);
        calls = new Calls(queue);
    }

    /** Removes the queue. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        if (queue != null && directory != null) {
            queue.close();
            QueueFiles.delete(directory);
        }
    }

    private static double run(@Nullable Subject subject) {
        Subject present = Objects.requireNonNull(subject);
        present.write(MESSAGES);
        return present.read(MESSAGES);
    }

    /** Existing bytes, read as bytes. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public double bytes() {
        return run(bytes);
    }

    /** Views: filled, appended, read in place. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public double views() {
        return run(views);
    }

    /** Records: one object per message, each way. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public double records() {
        return run(records);
    }

    /** Calls of a method writer and a method reader. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public double calls() {
        return run(calls);
    }

    private static final class Bytes implements Subject, MessageHandler {

        private final MemorySegment message = Arena.ofAuto().allocate(MESSAGE_BYTES, 8);
        private final Appender appender;
        private final Tailer tailer;
        private double sum;

        Bytes(LarderQueue queue) {
            appender = queue.appender();
            tailer = queue.tailer();
        }

        @Override
        public void write(int messages) {
            for (int i = 0; i < messages; i++) {
                appender.append(message, 0, MESSAGE_BYTES);
            }
        }

        @Override
        public double read(int messages) {
            tailer.drain(this, messages);
            return sum;
        }

        @Override
        public void onMessage(MemorySegment segment, long offset, int length) {
            sum += segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset + 4)
                    + segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8)
                    + segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset + 16);
        }
    }

    private static final class Views implements Subject, Consumer<Tick> {

        private final Tick tick;
        private final TypedAppender<Tick> appender;
        private final TypedTailer<Tick> tailer;
        private double sum;

        Views(LarderQueue queue) {
            ViewCodec<Tick> codec = Codec.views(Tick.class, MethodHandles.lookup());
            tick = codec.create();
            appender = queue.appender(codec);
            tailer = queue.tailer(codec);
        }

        @Override
        public void write(int messages) {
            for (int i = 0; i < messages; i++) {
                appender.append(tick.symbol(i).time(i).price(i));
            }
        }

        @Override
        public double read(int messages) {
            tailer.drain(this, messages);
            return sum;
        }

        @Override
        public void accept(Tick seen) {
            sum += seen.symbol() + seen.time() + seen.price();
        }
    }

    private static final class Records implements Subject, Consumer<TickRecord> {

        private final TypedAppender<TickRecord> appender;
        private final TypedTailer<TickRecord> tailer;
        private double sum;

        Records(LarderQueue queue) {
            Codec<TickRecord> codec = Codec.records(TickRecord.class, MethodHandles.lookup());
            appender = queue.appender(codec);
            tailer = queue.tailer(codec);
        }

        @Override
        public void write(int messages) {
            for (int i = 0; i < messages; i++) {
                appender.append(new TickRecord(i, i, i));
            }
        }

        @Override
        public double read(int messages) {
            tailer.drain(this, messages);
            return sum;
        }

        @Override
        public void accept(TickRecord seen) {
            sum += seen.symbol() + seen.time() + seen.price();
        }
    }

    private static final class Calls implements Subject, Ticks {

        private final Ticks writer;
        private final MethodReader reader;
        private double sum;

        Calls(LarderQueue queue) {
            writer = queue.methodWriter(Ticks.class, MethodHandles.lookup());
            reader = queue.methodReader(queue.tailer(), Ticks.class, this, MethodHandles.lookup());
        }

        @Override
        public void write(int messages) {
            for (int i = 0; i < messages; i++) {
                writer.tick(i, i, i);
            }
        }

        @Override
        public double read(int messages) {
            reader.drain(messages);
            return sum;
        }

        @Override
        public void tick(int symbol, long time, double price) {
            sum += symbol + time + price;
        }
    }
}
