package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.TypedValue;
import dev.larder.log.IntegrityMode;
import dev.larder.tests.support.OtherThread;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that share an appender of values, and fill batches of it meanwhile: every accepted value is stored unharmed. */
@Timeout(300)
final class SharedTypedAppenderTest {

    private static final int VALUES = 30_000;
    private static final Schema SCHEMA = new Schema("record Pair\n first long\n second long\n third long\n");

    @TempDir
    Path directory;

    record Pair(long first, long second, long third) {}

    interface Tick {
        long first();

        Tick first(long value);

        long second();

        Tick second(long value);

        long third();

        Tick third(long value);
    }

    /** A value as each codec writes and reads it: three numbers of which the others tell whether they are whole. */
    private record Kind<T>(Codec<T> codec, java.util.function.LongFunction<T> of, ToLongFunction<T> number) {}

    private static Kind<?> kind(String name) {
        return switch (name) {
            case "record" ->
                new Kind<>(Codec.records(Pair.class, MethodHandles.lookup()), SharedTypedAppenderTest::pair, pair -> {
                    assertThat(pair).isEqualTo(pair(pair.first()));
                    return pair.first();
                });
            case "view" ->
                new Kind<>(Codec.views(Tick.class, MethodHandles.lookup()), SharedTypedAppenderTest::tick, tick -> {
                    assertThat(tick.second()).isEqualTo(-tick.first());
                    assertThat(tick.third()).isEqualTo(3 * tick.first());
                    return tick.first();
                });
            case "value" ->
                new Kind<>(Codec.values(), SharedTypedAppenderTest::value, value -> {
                    long number = (Long)
                            java.util.Objects.requireNonNull(value.components().get("first"));
                    assertThat(value).isEqualTo(value(number));
                    return number;
                });
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Pair pair(long number) {
        return new Pair(number, -number, 3 * number);
    }

    private static Tick tick(long number) {
        return TICKS.get().first(number).second(-number).third(3 * number);
    }

    private static final ThreadLocal<Tick> TICKS = ThreadLocal.withInitial(
            () -> Codec.views(Tick.class, MethodHandles.lookup()).create());

    private static TypedValue value(long number) {
        return new TypedValue(SCHEMA, Map.of("first", number, "second", -number, "third", 3 * number));
    }

    @ParameterizedTest
    @CsvSource({"record, false", "record, true", "view, false", "view, true", "value, false", "value, true"})
    void batchesOfThreadsDoNotDisturbEachOther(String name, boolean onlyBatches) {
        share(kind(name), onlyBatches);
    }

    private <T> void share(Kind<T> kind, boolean onlyBatches) {
        try (LarderQueue queue =
                LarderQueue.open(directory, TestQueues.options().withIntegrity(IntegrityMode.RECORD))) {
            try (TypedAppender<T> shared = queue.appender(kind.codec())) {
                CompletableFuture<Void> other = OtherThread.run(() -> {
                    if (onlyBatches) {
                        addAll(shared, kind, VALUES);
                    } else {
                        appendAll(kind, VALUES, shared::append);
                    }
                });
                addAll(shared, kind, 0);
                other.join();
            }
            assertThat(queue.verify().problems()).isEmpty();
            List<Long> read = new ArrayList<>();
            try (TypedTailer<T> tailer = queue.tailer(kind.codec())) {
                tailer.drain(value -> read.add(kind.number().applyAsLong(value)), Integer.MAX_VALUE);
            }
            read.sort(null);
            assertThat(read).isEqualTo(LongStream.range(0, 2 * VALUES).boxed().toList());
        }
    }

    private static <T> void addAll(TypedAppender<T> shared, Kind<T> kind, long from) {
        try (TypedBatch<T> batch = shared.batch()) {
            appendAll(kind, from, batch::add);
        }
    }

    private static <T> void appendAll(Kind<T> kind, long from, Consumer<T> target) {
        for (long number = from; number < from + VALUES; number++) {
            target.accept(kind.of().apply(number));
        }
    }

    /** Calls back as it is written, as a component's method of the program may. */
    record Calling(long first, long second) {

        private static @Nullable Runnable call;

        @Override
        public long second() {
            Runnable once = call;
            call = null;
            if (once != null) {
                once.run();
            }
            return second;
        }
    }

    /** The same on one thread, in each order: a batch is added to in the middle of a value of its appender, and the reverse. */
    @Test
    void aBatchIsFilledWhileItsAppenderWrites() {
        Codec<Calling> codec = Codec.records(Calling.class, MethodHandles.lookup());
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Calling> shared = queue.appender(codec);
                TypedBatch<Calling> one = shared.batch();
                TypedBatch<Calling> other = shared.batch();
                TypedTailer<Calling> tailer = queue.tailer(codec)) {
            Calling.call = () -> one.add(new Calling(2, 2));
            shared.append(new Calling(1, 1));
            one.flush();
            Calling.call = () -> shared.append(new Calling(3, 3));
            one.add(new Calling(4, 4));
            one.flush();
            Calling.call = () -> other.add(new Calling(6, 6));
            one.add(new Calling(5, 5));
            one.flush();
            other.flush();
            assertThat(tailer.stream().map(Calling::first)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(queue.verify().problems()).isEmpty();
        }
    }

    /** The same with a value of a schema alone, whose map calls back. */
    @Test
    void aBatchIsFilledWhileAnAppenderReadsAValuesMap() {
        Map<String, @Nullable Object> plain = Map.of("first", 1L, "second", 2L, "third", 3L);
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<TypedValue> shared = queue.appender(Codec.values());
                TypedBatch<TypedValue> batch = shared.batch();
                TypedTailer<TypedValue> tailer = queue.tailer(Codec.values())) {
            Map<String, @Nullable Object> calling = new HashMap<>(plain) {
                private static final long serialVersionUID = 1L;

                @Override
                public @Nullable Object get(@Nullable Object key) {
                    if ("second".equals(key)) {
                        batch.add(value(7));
                    }
                    return super.get(key);
                }
            };
            shared.append(new TypedValue(SCHEMA, calling));
            batch.flush();
            List<TypedValue> read = tailer.stream().toList();
            assertThat(read.getFirst()).isEqualTo(new TypedValue(SCHEMA, plain));
            assertThat(read.subList(1, read.size())).isNotEmpty().containsOnly(value(7));
        }
    }
}
