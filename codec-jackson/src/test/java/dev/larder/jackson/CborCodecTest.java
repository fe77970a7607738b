package dev.larder.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.ValueMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TypedAppender;
import dev.larder.queue.TypedTailer;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;

/** Values become CBOR and come back, in queues and maps; bytes that are something else are refused. */
@Timeout(300)
final class CborCodecTest {

    private static final LogOptions OPTIONS =
            LogOptions.defaults().withPrepareBytes(0).withSync(SyncPolicy.none());

    @TempDir
    Path directory;

    record Leg(int quantity, @Nullable String side) {}

    record Trade(
            String symbol,
            double price,
            List<Leg> legs,
            @Nullable Instant at,
            @Nullable BigDecimal amount) {}

    /** A later form: without the price, and with fields that the earlier one does not have. */
    record LaterTrade(
            String symbol, int size, boolean firm, @Nullable String note, List<Leg> legs) {}

    /** What is read depends on the codec alone. */
    record Anything(Object content) {}

    private static final CborCodec<Trade> TRADES = CborCodec.of(Trade.class);

    private static Trade trade(int number) {
        return new Trade(
                "S" + number,
                number / 3.0,
                List.of(new Leg(number, "BUY"), new Leg(-number, null)),
                Instant.ofEpochSecond(number, 123_456_789),
                new BigDecimal("1.50"));
    }

    private static <T> MemorySegment write(Codec<T> codec, T value) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[codec.lengthBytes(value) + 7]);
        codec.write(value, bytes, 7, (int) bytes.byteSize() - 7);
        return bytes;
    }

    private static <T> T read(Codec<T> codec, MemorySegment bytes) {
        return codec.read(bytes.asReadOnly(), 7, (int) bytes.byteSize() - 7);
    }

    private static <T> T roundTrip(Codec<T> codec, T value) {
        return read(codec, write(codec, value));
    }

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex("00".repeat(7) + hex));
    }

    @Test
    void carriesValues() {
        assertThat(roundTrip(TRADES, trade(7))).isEqualTo(trade(7));
        assertThat(roundTrip(TRADES, new Trade("", Double.NaN, List.of(), null, null)))
                .isEqualTo(new Trade("", Double.NaN, List.of(), null, null));
        CborCodec<Map<String, List<Leg>>> maps = CborCodec.of(new TypeReference<>() {});
        assertThat(roundTrip(maps, Map.of("a", List.of(new Leg(1, "b")))))
                .isEqualTo(Map.of("a", List.of(new Leg(1, "b"))));
    }

    record Times(
            OffsetDateTime offset, ZonedDateTime zoned, OffsetTime time, Map<ZonedDateTime, OffsetDateTime> byTime) {}

    private static Times times() {
        OffsetDateTime offset = OffsetDateTime.parse("2026-01-01T12:00:00+02:00");
        ZonedDateTime zoned = ZonedDateTime.parse("2026-07-01T12:00:00.123456789+02:00[Europe/Paris]");
        return new Times(offset, zoned, OffsetTime.parse("12:00:00-05:30"), Map.of(zoned, offset));
    }

    /** Once, a time was read in UTC: it was the same instant, and not equal. */
    @Test
    void keepsTheOffsetAndTheZoneOfATime() {
        CborCodec<Times> codec = CborCodec.of(Times.class);
        Times read = roundTrip(codec, times());
        assertThat(read).isEqualTo(times());
        assertThat(write(codec, read).mismatch(write(codec, times()))).isEqualTo(-1);
        ZonedDateTime fixed = ZonedDateTime.parse("2026-01-01T12:00:00+01:00");
        assertThat(roundTrip(CborCodec.of(ZonedDateTime.class), fixed)).isEqualTo(fixed);
        ZonedDateTime twice =
                ZonedDateTime.parse("2026-10-25T02:30:00+01:00[Europe/Paris]"); // the second one of that night
        assertThat(roundTrip(CborCodec.of(ZonedDateTime.class), twice)).isEqualTo(twice);
    }

    @Test
    void findsAnEntryByAKeyThatTheMapReturned() {
        CborCodec<OffsetDateTime> keys = CborCodec.of(OffsetDateTime.class);
        try (LarderMap<OffsetDateTime, Leg> map = LarderMap.open(directory, keys, CborCodec.of(Leg.class), OPTIONS)) {
            map.put(times().offset(), new Leg(1, "a"));
            for (OffsetDateTime key : map.keySet()) {
                assertThat(map.get(key)).isEqualTo(new Leg(1, "a"));
            }
            assertThat(map).hasSize(1);
        }
    }

    @Test
    void writesCbor() {
        assertThat(write(CborCodec.of(Leg.class), new Leg(1, "a"))
                        .mismatch(bytes("bf687175616e746974790164736964656161ff")))
                .isEqualTo(-1);
    }

    @Test
    void namesItsType() {
        assertThat(TRADES.name()).isEqualTo("cbor:" + Trade.class.getName());
        assertThat(CborCodec.of(new TypeReference<List<Leg>>() {}).name())
                .isEqualTo("cbor:java.util.List<" + Leg.class.getName() + ">");
        assertThat(TRADES.named("example.com/trade").name()).isEqualTo("example.com/trade");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TRADES.named("x".repeat(256)))
                .withMessageContaining("256");
    }

    @Test
    void isCarriedByAQueue() {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS);
                TypedAppender<Trade> appender = queue.appender(TRADES);
                TypedTailer<Trade> tailer = queue.tailer(TRADES)) {
            for (int i = 0; i < 100; i++) {
                appender.append(trade(i));
            }
            assertThat(tailer.stream().toList()).hasSize(100).last().isEqualTo(trade(99));
            queue.append("no CBOR");
            assertThatThrownBy(tailer::next)
                    .isInstanceOf(ValueMismatchException.class)
                    .hasMessageContainingAll(directory.toString(), "the message at position", "it is not");
        }
    }

    @Test
    void isCarriedByAMapAsKeyAndValue() {
        CborCodec<Leg> legs = CborCodec.of(Leg.class);
        try (LarderMap<Leg, Trade> map = LarderMap.open(directory, legs, TRADES, OPTIONS)) {
            for (int i = 0; i < 100; i++) {
                map.put(new Leg(i, "a"), trade(i));
            }
            assertThat(map.get(new Leg(77, "a"))).isEqualTo(trade(77));
            assertThat(map.get(new Leg(77, "b"))).isNull();
        }
        try (LarderMap<Leg, Trade> map = LarderMap.open(directory, legs, TRADES, OPTIONS)) {
            assertThat(map).hasSize(100).containsEntry(new Leg(3, "a"), trade(3));
        }
    }

    @Test
    void readsWhatOtherReleasesWrote() {
        MemorySegment old = write(TRADES, trade(7));
        assertThat(read(CborCodec.of(LaterTrade.class), old))
                .isEqualTo(new LaterTrade("S7", 0, false, null, trade(7).legs()));
        MemorySegment later = write(CborCodec.of(LaterTrade.class), new LaterTrade("S", 5, true, "new", List.of()));
        assertThat(read(TRADES, later)).isEqualTo(new Trade("S", 0, List.of(), null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // nothing
                "1c", // a reserved type
                "bf", // a map without an end
                "a16673796d626f6c", // a key without a value
                "a16673796d626f6c6358", // a text that is cut short
                "ff", // an end without a beginning
                "01", // a number
                "80", // a list
                "6178", // a text
                "a16673796d626f6c80", // a list where a text should be
                "a1657072696365617a" // a text where a number should be
            })
    void refusesBytesOfAnotherKind(String hex) {
        assertThatThrownBy(() -> read(TRADES, bytes(hex)))
                .isInstanceOf(ValueMismatchException.class)
                .hasMessageStartingWith("it is not ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "a0", "ff", "1c", "6178"})
    void refusesBytesBehindTheValue(String trailing) {
        assertThatThrownBy(() -> read(TRADES, bytes("a0" + trailing)))
                .isInstanceOf(ValueMismatchException.class)
                .hasMessageStartingWith("it is not ");
    }

    /** The names of classes in the bytes are data. */
    @Test
    void makesNoObjectsOfClassesThatTheBytesName() {
        Map<String, Object> hostile = new HashMap<>();
        hostile.put("@class", "java.net.URL");
        hostile.put("content", List.of("java.util.ArrayList", List.of(1)));
        CborCodec<Map<String, Object>> maps = CborCodec.of(new TypeReference<>() {});
        Anything read = read(CborCodec.of(Anything.class), write(maps, hostile));
        assertThat(read.content()).isEqualTo(List.of("java.util.ArrayList", List.of(1)));
    }

    /** Beyond Jackson's limits for documents of strangers. */
    @Test
    void carriesLargeValues() {
        String text = "x".repeat(5_000_000);
        assertThat(roundTrip(CborCodec.of(String.class), text).equals(text)).isTrue();
        CborCodec<Map<String, Integer>> maps = CborCodec.of(new TypeReference<>() {});
        assertThat(roundTrip(maps, Map.of("k".repeat(100_000), 1))).hasSize(1);
        BigInteger number = BigInteger.TWO.pow(100_000);
        assertThat(roundTrip(CborCodec.of(BigInteger.class), number)).isEqualTo(number);
    }

    @Test
    void refusesValuesThatCannotBeWritten() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        CborCodec<List<Object>> lists = CborCodec.of(new TypeReference<>() {});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lists.lengthBytes(endless))
                .withMessageContaining("cbor:java.util.List");
    }

    /** Values are written as they were when their length was asked for, also where others were asked for in between. */
    @Test
    void writesAValueThatChangesMeanwhile() {
        CborCodec<List<Integer>> lists = CborCodec.of(new TypeReference<>() {});
        List<Integer> first = new ArrayList<>(List.of(1));
        MemorySegment bytes = MemorySegment.ofArray(new byte[7 + lists.lengthBytes(first)]);
        first.add(2);
        lists.write(first, bytes, 7, (int) bytes.byteSize() - 7);
        assertThat(read(lists, bytes)).containsExactly(1);
        int length = lists.lengthBytes(first);
        lists.lengthBytes(List.of(7, 8, 9));
        first.add(3);
        MemorySegment other = MemorySegment.ofArray(new byte[7 + length]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lists.write(first, other, 7, length))
                .withMessageContaining("has changed");
    }

    @Test
    void aSecondOpeningOfAMapSharesTheFirst() {
        CborCodec<Trade> again = CborCodec.of(Trade.class);
        assertThat(again).isEqualTo(TRADES).hasSameHashCodeAs(TRADES);
        assertThat(again.named("other")).isNotEqualTo(TRADES);
        assertThat(CborCodec.of(Leg.class)).isNotEqualTo(TRADES);
        try (LarderMap<Trade, Trade> first = LarderMap.open(directory, TRADES, TRADES, OPTIONS);
                LarderMap<Trade, Trade> second = LarderMap.open(directory, again, again, OPTIONS)) {
            first.put(trade(1), trade(2));
            assertThat(second.get(trade(1))).isEqualTo(trade(2));
        }
    }
}
