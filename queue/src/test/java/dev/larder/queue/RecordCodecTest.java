package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType.Simple;
import dev.larder.codec.schema.Input;
import dev.larder.codec.schema.ManyCode;
import dev.larder.codec.schema.Output;
import dev.larder.codec.schema.SimpleCode;
import dev.larder.codec.schema.ValueCode;
import dev.larder.tests.support.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records become messages and come back, whichever program wrote them and whatever has changed since. */
@Tag("any-storage")
@Timeout(300)
final class RecordCodecTest {

    @TempDir
    Path directory;

    enum Side {
        BUY,
        SELL
    }

    record Leg(int quantity, @Nullable Side side) {}

    /** One of each primitive type. */
    record Primitives(
            boolean flag, byte small, short shorter, char letter, int whole, long longer, float broken, double exact) {}

    /** One of everything that has a length, or may be missing. */
    @SuppressWarnings("ArrayRecordComponent") // users have such records
    record Everything(
            @Nullable String text,
            byte @Nullable [] bytes,
            @Nullable Integer boxed,
            @Nullable Leg leg,
            @Nullable List<@Nullable Leg> legs,
            @Nullable Map<String, List<Integer>> counts,
            @Nullable Set<Side> sides,
            Optional<String> note,
            OptionalInt maybeInt,
            OptionalLong maybeLong,
            OptionalDouble maybeDouble,
            int[] numbers,
            String[] names,
            @Nullable Instant at,
            @Nullable Duration took,
            @Nullable LocalDate day,
            @Nullable LocalTime time,
            @Nullable UUID key,
            @Nullable BigDecimal amount,
            long last) {}

    record Chain(int value, @Nullable Chain next) {}

    sealed interface Event permits Opened, Closed {}

    record Opened(String name) implements Event {}

    record Closed(String name, long millis) implements Event {}

    private <T> List<T> roundTrip(Codec<T> codec, List<T> values) {
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<T> appender = queue.appender(codec);
                TypedTailer<T> tailer = queue.tailer(codec)) {
            values.forEach(appender::append);
            List<T> read = new ArrayList<>();
            assertThat(tailer.drain(read::add, Integer.MAX_VALUE)).isEqualTo(values.size());
            return read;
        }
    }

    @Test
    void carriesEveryPrimitiveType() {
        List<Primitives> values = new ArrayList<>();
        values.add(
                new Primitives(true, Byte.MIN_VALUE, Short.MIN_VALUE, '\uffff', -1, Long.MIN_VALUE, -0f, Double.NaN));
        Samples.check(random -> values.add(new Primitives(
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                (char) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                Float.intBitsToFloat(random.nextInt()),
                Double.longBitsToDouble(random.nextLong()))));
        assertThat(roundTrip(Codec.records(Primitives.class), values)).isEqualTo(values);
    }

    @Test
    void carriesEverythingThatHasALengthOrMayBeMissing() {
        List<Everything> values = new ArrayList<>();
        values.add(empty());
        Samples.check(random -> values.add(any(random)));
        List<Everything> read = roundTrip(Codec.records(Everything.class), values);
        assertThat(read).usingRecursiveFieldByFieldElementComparator().isEqualTo(values);
    }

    private static Everything empty() {
        return new Everything(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                new int[0],
                new String[0],
                null,
                null,
                null,
                null,
                null,
                null,
                7);
    }

    private static Everything any(RandomGenerator random) {
        List<@Nullable Leg> legs = new ArrayList<>();
        legs.add(null);
        legs.add(new Leg(random.nextInt(), null));
        legs.add(new Leg(random.nextInt(), Side.SELL));
        return new Everything(
                "t\u00e4xt \ud83d\ude00".repeat(random.nextInt(9)),
                new byte[random.nextInt(9)],
                random.nextInt(),
                new Leg(random.nextInt(), Side.BUY),
                legs,
                Map.of("a", List.of(1, random.nextInt()), "", List.of()),
                Set.of(Side.BUY, Side.SELL),
                Optional.of("note"),
                OptionalInt.of(random.nextInt()),
                OptionalLong.of(random.nextLong()),
                OptionalDouble.of(random.nextDouble()),
                new int[] {random.nextInt(), 2, 3},
                new String[] {"x", "", "z"},
                Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                Duration.ofSeconds(random.nextLong(), random.nextInt(1_000_000_000)),
                LocalDate.ofEpochDay(random.nextInt()),
                LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L)),
                new UUID(random.nextLong(), random.nextLong()),
                new BigDecimal(
                        new BigInteger(random.nextInt(200), new java.util.Random(random.nextLong())),
                        random.nextInt(9)),
                random.nextLong());
    }

    @Test
    void carriesARecordWithinItself() {
        Chain chain = new Chain(1, new Chain(2, new Chain(3, null)));
        assertThat(roundTrip(Codec.records(Chain.class), List.of(chain))).containsExactly(chain);
    }

    @Test
    void carriesTheRecordsOfASealedInterface() {
        List<Event> events = List.of(new Opened("one"), new Closed("one", 5), new Opened("two"));
        assertThat(roundTrip(Codec.records(Event.class), events)).isEqualTo(events);
        try (LarderQueue queue = TestQueues.open(directory)) {
            assertThat(queue.schemas().values()).extracting(Schema::name).containsExactly("Opened", "Closed");
        }
    }

    @Test
    void carriesTextsBytesAndNumbersWithoutASchema() {
        assertThat(roundTrip(Codec.texts(), List.of("", "t\u00e4xt"))).containsExactly("", "t\u00e4xt");
        try (LarderQueue queue = TestQueues.open(directory.resolve("numbers"))) {
            queue.appender(Codec.longs()).append(-5L);
            queue.appender(Codec.ints()).append(6);
            queue.appender(Codec.doubles()).append(7.5);
            queue.appender(Codec.bytes()).append(new byte[] {8});
            TypedTailer<Long> longs = queue.tailer(Codec.longs());
            assertThat(longs.next()).contains(-5L);
            assertThatThrownBy(longs::next)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll("4 bytes", "one long has 8", directory.toString());
            assertThat(longs.skip()).isTrue();
            assertThat(queue.typed(queue.tailer().moveTo(longs.position()), Codec.doubles())
                            .next())
                    .contains(7.5);
            assertThat(queue.schemas()).isEmpty();
        }
    }

    @Test
    void writesTheBytesOfTheFormatPage() {
        record Sample(
                byte tag,
                int count,
                String name,
                List<Leg> legs,
                @Nullable Integer none) {}
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Sample> appender = queue.appender(Codec.records(Sample.class));
                Tailer tailer = queue.tailer()) {
            appender.append(new Sample((byte) 9, 258, "h\u00e9", List.of(new Leg(3, Side.SELL)), null));
            List<String> bytes = new ArrayList<>();
            tailer.poll(MessageHandler.ofSlices(
                    slice -> bytes.add(HexFormat.of().formatHex(slice.toArray(ValueLayout.JAVA_BYTE)))));
            assertThat(bytes)
                    .containsExactly("fd010000" + "09" + "02010000" + "03000000" + "68c3a9" + "01000000" + "01"
                            + "03000000" + "0100" + "00");
            assertThat(queue.schemas().get(1)).extracting(Schema::text).isEqualTo("""
                record Sample
                 tag byte
                 count int
                 name text
                 legs list record Leg
                 none optional int
                record Leg
                 quantity int
                 side enum Side
                enum Side
                 BUY
                 SELL
                """);
        }
    }

    @Test
    void writesASchemaOnceForAllAppendersAndOpenings() {
        Codec<Opened> codec = Codec.records(Opened.class);
        for (int opening = 0; opening < 3; opening++) {
            try (LarderQueue queue = TestQueues.open(directory)) {
                queue.appender(codec).append(new Opened("a"));
                queue.appender(Codec.records(Opened.class)).append(new Opened("b"));
                assertThat(queue.schemas()).hasSize(1);
            }
        }
        try (LarderQueue queue = TestQueues.open(directory);
                TypedTailer<Opened> tailer = queue.tailer(codec)) {
            assertThat(tailer.drain(opened -> {}, 100)).isEqualTo(6);
        }
    }

    @Test
    void saysWhichTypesHaveNoForm() {
        record Odd(int fine, StringBuilder odd) {}
        assertThatThrownBy(() -> Codec.records(Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("Odd", "component odd", "java.lang.StringBuilder");
        assertThatThrownBy(() -> Codec.records(RecordCodecTest.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither a record nor a sealed interface");
    }

    sealed interface Shape permits Round, Flat {}

    sealed interface Round extends Shape permits Disc, Ball {}

    sealed interface Flat extends Shape permits Disc, Square {}

    record Ball(int radius) implements Round {}

    record Disc(int radius) implements Round, Flat {}

    record Square(int side) implements Flat {}

    @Test
    void carriesARecordThatTwoSealedInterfacesPermit() {
        List<Shape> shapes = List.of(new Disc(1), new Ball(2), new Square(3));
        assertThat(roundTrip(Codec.records(Shape.class, MethodHandles.lookup()), shapes))
                .isEqualTo(shapes);
    }

    @Test
    void readsNothingBeyondTheMessage() {
        Codec<Opened> codec = Codec.records(Opened.class);
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Opened> typed = queue.appender(codec);
                Appender raw = queue.appender();
                TypedTailer<Opened> tailer = queue.tailer(codec)) {
            raw.append(HexFormat.of().parseHex("fd010000" + "ffffff7f" + "61"));
            raw.append(HexFormat.of().parseHex("fd010000" + "0100"));
            raw.append(HexFormat.of().parseHex("fd010000" + "01000000" + "6162"));
            raw.append(HexFormat.of().parseHex("fd020000"));
            raw.append("text");
            raw.append("");
            typed.append(new Opened("sound"));
            for (String reason : List.of(
                    "1 bytes left for 2147483647 values",
                    "ends after 2 bytes",
                    "1 bytes more than its schema",
                    "schema 2, which is not in",
                    "does not begin with fd",
                    "names no schema")) {
                assertThatThrownBy(() -> tailer.poll(opened -> {}))
                        .isInstanceOf(SchemaMismatchException.class)
                        .hasMessageContainingAll(reason, directory.toString(), "position");
                assertThat(tailer.skip()).isTrue();
            }
            assertThat(tailer.next()).contains(new Opened("sound"));
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // users have such records
    record Measured(int id, long @Nullable [] numbers, double[] values) {}

    /** Otherwise each element would be an object, twice. */
    @Test
    void writesArraysOfNumbersWithoutObjects() {
        readManagement();
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Measured> measured = queue.appender(Codec.records(Measured.class))) {
            Measured value = new Measured(7, new long[10_000], new double[1_000]);
            for (int warm = 0; warm < 20; warm++) {
                measured.append(value);
            }
            long before = allocatedBytes();
            for (int time = 0; time < 100; time++) {
                measured.append(value);
            }
            assertThat((allocatedBytes() - before) / 100).isLessThan(8 << 10);
        }
    }

    /** The queue itself reads neither of the two modules; the memory module does, so both are there. */
    private static void readManagement() {
        for (String name : List.of("java.management", "jdk.management")) {
            RecordCodecTest.class
                    .getModule()
                    .addReads(ModuleLayer.boot().findModule(name).orElseThrow());
        }
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** An array is written like a list of the same numbers, which is written one by one. */
    @Test
    void writesArraysOfNumbersAsLists() {
        List<Object> arrays = List.of(
                new boolean[] {true, false, true},
                new byte[] {1, -2, Byte.MIN_VALUE},
                new short[] {1, -2, Short.MIN_VALUE},
                new char[] {'a', '\uffee'},
                new int[] {1, -2, Integer.MIN_VALUE},
                new long[] {1, -2, Long.MIN_VALUE},
                new float[] {1.5f, Float.NaN, -0.0f},
                new double[] {1.5, Double.NEGATIVE_INFINITY, -0.0},
                new double[0]);
        for (Object array : arrays) {
            Class<?> type = array.getClass().getComponentType();
            Simple simple = Simple.valueOf(type.getName().toUpperCase(java.util.Locale.ROOT));
            List<Object> list = new ArrayList<>();
            for (int index = 0; index < java.lang.reflect.Array.getLength(array); index++) {
                list.add(java.lang.reflect.Array.get(array, index));
            }
            ValueCode one = ManyCode.ofArray(SimpleCode.of(simple), type);
            ValueCode many = ManyCode.ofList(SimpleCode.of(simple));
            byte[] written = written(one, array);
            assertThat(written).as(type.getName()).isEqualTo(written(many, list));
            Input input = new Input().over(MemorySegment.ofArray(written), 0, written.length);
            assertThat(one.read(input)).isEqualTo(array);
            input.requireEnd();
            Input tooShort = new Input().over(MemorySegment.ofArray(written), 0, Math.max(0, written.length - 1));
            assertThatThrownBy(() -> one.read(tooShort)).isInstanceOf(SchemaMismatchException.class);
            assertThat(written(one, null)).containsExactly(-1, -1, -1, -1);
        }
    }

    private static byte[] written(ValueCode code, @Nullable Object value) {
        Output output = Output.growing();
        code.write(value, output);
        assertThat(output.at()).isEqualTo(code.lengthBytes(value));
        return output.segment().asSlice(0, output.at()).toArray(ValueLayout.JAVA_BYTE);
    }
}
