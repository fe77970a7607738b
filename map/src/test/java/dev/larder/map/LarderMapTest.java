package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.codec.ValueMismatchException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.memory.ClosedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class LarderMapTest {

    @TempDir
    Path directory;

    @Test
    void findsWhatWasPutAndNothingElse() {
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            assertThat(map.put("one", "1")).isNull();
            assertThat(map.put("one", "uno")).isEqualTo("1");
            map.set("two", "2");
            assertThat(map).containsOnly(Map.entry("one", "uno"), Map.entry("two", "2"));
            assertThat(map.get("three")).isNull();
            assertThat(map.remove("one")).isEqualTo("uno");
            assertThat(map.remove("one")).isNull();
            assertThat(map).containsOnly(Map.entry("two", "2"));
            assertThat(map.put("one", "again")).isNull();
            assertThat(map.longSize()).isEqualTo(2);
        }
    }

    @Test
    void handsTheValueOverWhereItLies() {
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            map.put("key", "value");
            StringBuilder seen = new StringBuilder();
            boolean found = map.read("key", (segment, offset, length) -> {
                assertThat(segment.isReadOnly()).isTrue();
                seen.append(new String(
                        segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
            });
            assertThat(found).isTrue();
            assertThat(seen).hasToString("value");
            assertThat(map.read("none", (segment, offset, length) -> seen.append("never")))
                    .isFalse();
            assertThat(seen).hasToString("value");
        }
    }

    /** Copies into the middle of memory, and not beyond its end. */
    @Test
    void copiesAValueToWhereItIsWanted() {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
            map.set(1L, new byte[] {1, 2, 3});
            map.set(2L, new byte[0]);
            byte[] into = new byte[5];
            MemorySegment target = MemorySegment.ofArray(into);
            assertThat(map.get(1L, target, 2)).isEqualTo(3);
            assertThat(into).containsExactly(0, 0, 1, 2, 3);
            assertThat(map.get(1L, target, 3))
                    .as("it has no room, and says how much it takes")
                    .isEqualTo(3);
            assertThat(map.get(2L, target, 5)).isZero();
            assertThat(map.get(3L, target, 0)).isEqualTo(-1);
            assertThat(into).containsExactly(0, 0, 1, 2, 3);
            assertThatThrownBy(() -> map.get(1L, target, 6)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> map.get(1L, target.asReadOnly(), 0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void comparesValuesByTheirBytes() {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
            map.put(1L, new byte[] {1, 2, 3});
            assertThat(map.replace(1L, new byte[] {1, 2}, new byte[] {9})).isFalse();
            assertThat(map.replace(1L, new byte[] {1, 2, 3}, new byte[] {4, 5})).isTrue();
            assertThat(map.remove(1L, new byte[] {1, 2, 3})).isFalse();
            assertThat(map.entrySet().contains(Map.entry(1L, new byte[] {4, 5})))
                    .isTrue();
            assertThat(map.remove(1L, new byte[] {4, 5})).isTrue();
            assertThat(map).isEmpty();
        }
    }

    @Test
    void takesKeysAndValuesOfAllLengths() {
        try (LarderMap<byte[], byte[]> map =
                LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.bytes(), TestMaps.options())) {
            for (int length : new int[] {0, 1, 7, 8, 9, 63, 64, 65, 1000, 65_535}) {
                byte[] key = new byte[length];
                Arrays.fill(key, (byte) length);
                map.put(key, key);
                assertThat(map.get(key)).isEqualTo(key);
            }
            assertThat(map).hasSize(10);
            assertThatThrownBy(() -> map.put(new byte[65_536], new byte[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key of 65536 bytes; the largest is 65535");
            assertThatThrownBy(() -> map.put(new byte[1], new byte[2 << 20]))
                    .isInstanceOf(RecordTooLargeException.class);
            assertThat(map).hasSize(10);
        }
    }

    @Test
    void growsStepByStepAndLosesNothing() {
        int entries = 600_000;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (long key = 0; key < entries; key++) {
                map.set(key, ~key);
            }
            assertThat(map.longSize()).isEqualTo(entries);
            for (long key = 0; key < entries; key++) {
                assertThat(map.get(key)).isEqualTo(~key);
                assertThat(map.get(key + entries)).isNull();
            }
            assertThat(map.info().indexSteps() * IndexPageLayout.BYTES / entries)
                    .isLessThan(20);
        }
    }

    @Test
    void comesToEachEntryOnceWhileItGrows() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (long key = 0; key < 300_000; key++) {
                map.set(key, key);
            }
            boolean[] seen = new boolean[300_000];
            long more = 1_000_000;
            for (Map.Entry<Long, Long> entry : map.entrySet()) {
                map.set(more++, 0L);
                if (entry.getKey() < seen.length) {
                    int key = entry.getKey().intValue();
                    assertThat(seen[key]).as("key %s came before", key).isFalse();
                    seen[key] = true;
                }
            }
            assertThat(seen).doesNotContain(false);
        }
    }

    @Test
    void changesThroughItsViews() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            Map<Long, Long> expected = new HashMap<>();
            for (long key = 0; key < 1000; key++) {
                map.set(key, key);
                expected.put(key, key % 3 == 0 ? -key : key);
            }
            for (Map.Entry<Long, Long> entry : map.entrySet()) {
                if (entry.getKey() % 3 == 0) {
                    assertThat(entry.setValue(-entry.getKey())).isEqualTo(entry.getKey());
                }
            }
            assertThat(map).isEqualTo(expected);
            Iterator<Long> keys = map.keySet().iterator();
            expected.remove(keys.next());
            keys.remove();
            assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
            assertThat(map).hasSameSizeAs(expected);
            map.values().removeIf(value -> value < 0);
            expected.values().removeIf(value -> value < 0);
            map.replaceAll((key, value) -> value + 1);
            expected.replaceAll((key, value) -> value + 1);
            assertThat(map).containsExactlyInAnyOrderEntriesOf(map).isEqualTo(expected);
            map.clear();
            assertThat(map).isEmpty();
        }
    }

    @Test
    void computesFromWhatIsThere() {
        try (LarderMap<String, Long> map =
                LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), TestMaps.options())) {
            assertThat(map.merge("a", 1L, Long::sum)).isEqualTo(1);
            assertThat(map.merge("a", 2L, Long::sum)).isEqualTo(3);
            assertThat(map.merge("a", 2L, (there, given) -> null)).isNull();
            assertThat(map).isEmpty();
            assertThat(map.computeIfPresent("a", (key, value) -> value + 1)).isNull();
            assertThat(map.computeIfAbsent("a", key -> 7L)).isEqualTo(7);
            assertThat(map.computeIfAbsent("a", key -> 8L)).isEqualTo(7);
            assertThat(map.computeIfAbsent("b", key -> null)).isNull();
            assertThat(map.computeIfPresent("a", (key, value) -> value * 2)).isEqualTo(14);
            assertThat(map.compute("a", (key, value) -> null)).isNull();
            assertThat(map).isEmpty();
        }
    }

    /** The function of one key may read and change other keys: nothing is held meanwhile. */
    @Test
    void letsAFunctionUseTheMap() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.put(1L, 10L);
            map.compute(2L, (key, value) -> {
                map.merge(1L, 5L, Long::sum);
                return map.getOrDefault(1L, 0L) * 2;
            });
            assertThat(map).containsOnly(Map.entry(1L, 15L), Map.entry(2L, 30L));
            map.read(1L, (segment, offset, length) -> map.put(1L, 0L));
            assertThat(map).containsEntry(1L, 0L);
        }
    }

    /** A put whose codec throws changes nothing, and leaves no claim behind that would hold up a sync. */
    @Test
    void givesUpAClaimWhoseCodecThrows() {
        ValueCodec<String> failing = new ValueCodec<>() {
            @Override
            public String name() {
                return "failing";
            }

            @Override
            public int lengthBytes(String value) {
                return value.length();
            }

            @Override
            public void write(String value, java.lang.foreign.MemorySegment segment, long offset, int length) {
                if (value.equals("fail")) {
                    throw new UnsupportedOperationException("as asked");
                }
                ValueCodec.texts().write(value, segment, offset, length);
            }

            @Override
            public String read(java.lang.foreign.MemorySegment segment, long offset, int length) {
                return ValueCodec.texts().read(segment, offset, length);
            }
        };
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), failing, TestMaps.options())) {
            map.put(1L, "before");
            assertThatThrownBy(() -> map.put(1L, "fail")).hasMessage("as asked");
            assertThat(map).containsEntry(1L, "before");
            map.put(2L, "after");
            map.sync(); // waits for every claim
        }
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), failing, TestMaps.options())) {
            assertThat(map).containsOnly(Map.entry(1L, "before"), Map.entry(2L, "after"));
        }
    }

    @Test
    void saysWhatAValueOfAnotherTypeIs() {
        try (LarderMap<String, Long> map =
                LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), TestMaps.options())) {
            map.write("key", 4, (segment, offset, length) -> {});
            assertThatThrownBy(() -> map.get("key"))
                    .isInstanceOf(ValueMismatchException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("it has 4 bytes, and one long has 8");
        }
    }

    @Test
    void aSecondOpeningSharesTheFirst() {
        LarderMap<String, String> first = TestMaps.texts(directory);
        first.put("by the first", "1");
        MapSnapshot<String, String> ofFirst;
        try (LarderMap<String, String> second = TestMaps.texts(directory);
                MapSnapshot<String, String> ofSecond = second.snapshot()) {
            assertThat(second).containsEntry("by the first", "1");
            ofFirst = first.snapshot();
            first.close();
            first.close();
            assertThatThrownBy(() -> first.put("later", "2"))
                    .isInstanceOf(ClosedException.class)
                    .hasMessage(directory + ": the map was closed");
            assertThatThrownBy(() -> ofFirst.get("by the first")).isInstanceOf(ClosedException.class);
            assertThat(ofSecond.get("by the first")).isEqualTo("1");
            second.put("still", "open");
            second.remove("by the first");
        }
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            assertThat(map).containsOnlyKeys("still");
        }
    }

    @Test
    void aSecondOpeningBringsTheSameOptionsAndCodecs() throws IOException {
        MapOptions options = MapOptions.defaults().withLog(TestMaps.options());
        ValueCodec<String> other = ValueCodec.texts();
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            assertThatThrownBy(() -> LarderMap.open(directory, other, other, options.withCounted(true)))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessage(
                            directory + ": the map is open in this JVM with other options: counted is false, asked for"
                                    + " true");
            ValueCodec<byte[]> bytes = ValueCodec.bytesOf("text");
            assertThatThrownBy(() -> LarderMap.open(directory, bytes, bytes, options))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessageContaining("with other codecs of the names keys text and values text");
            assertThatThrownBy(() -> TestMaps.longs(directory)).isInstanceOf(CodecMismatchException.class);
            Files.delete(directory.resolve("map.ctl"));
            assertThatThrownBy(() -> TestMaps.texts(directory))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessageContaining("its files were removed");
            map.put("still", "open");
        }
    }

    /** A codec that counts as equal to every other lenient codec. */
    private static class Lenient<T> implements ValueCodec<T> {
        private final ValueCodec<T> codec;

        Lenient(ValueCodec<T> codec) {
            this.codec = codec;
        }

        @Override
        public String name() {
            return "lenient";
        }

        @Override
        public int lengthBytes(T value) {
            return codec.lengthBytes(value);
        }

        @Override
        public void write(T value, MemorySegment segment, long offset, int length) {
            codec.write(value, segment, offset, length);
        }

        @Override
        public T read(MemorySegment segment, long offset, int length) {
            return codec.read(segment, offset, length);
        }

        @Override
        public final boolean equals(Object other) {
            return other instanceof Lenient<?>;
        }

        @Override
        public final int hashCode() {
            return 1;
        }
    }

    private static final class LenientBytes extends Lenient<byte[]> {
        LenientBytes() {
            super(ValueCodec.bytes());
        }
    }

    /** The session would read texts for the caller that opened the map for arrays of bytes. */
    @Test
    void aSecondOpeningBringsCodecsOfTheSameClass() {
        ValueCodec<String> texts = new Lenient<>(ValueCodec.texts());
        ValueCodec<byte[]> bytes = new LenientBytes();
        assertThat(texts).isEqualTo(bytes);
        try (LarderMap<String, String> map = LarderMap.open(directory, ValueCodec.texts(), texts, TestMaps.options())) {
            map.put("key", "1");
            assertThatThrownBy(() -> LarderMap.open(directory, ValueCodec.texts(), bytes, TestMaps.options()))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessageContaining("$Lenient, asked for with ")
                    .hasMessageContaining("$LenientBytes; pass the same codecs");
        }
    }

    @Test
    void aListenerClosesNoOpening() {
        LarderMap<String, String> first = TestMaps.texts(directory);
        try (LarderMap<String, String> second = TestMaps.texts(directory)) {
            List<Throwable> met = new ArrayList<>();
            second.listener((key, value, cause) -> {
                try {
                    first.close();
                } catch (IllegalStateException e) {
                    met.add(e);
                }
            });
            second.put("key", "1");
            second.put("key", "2");
            assertThat(met).hasSize(1);
            first.put("key", "3");
            first.close();
            assertThat(second).containsEntry("key", "3");
        }
    }

    @Test
    void openingsOfManyThreadsAreOne() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> counted = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                counted.add(threads.submit(this::countInAnOpeningOfItsOwn));
            }
            for (Future<?> one : counted) {
                one.get();
            }
        }
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            assertThat(map).containsOnly(Map.entry("count", "100"));
        }
    }

    private void countInAnOpeningOfItsOwn() {
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            map.merge("count", "1", (before, one) -> String.valueOf(Integer.parseInt(before) + 1));
        }
    }

    @Test
    void refusesWhatItCannotDoYet() {
        assertThatThrownBy(() -> LarderMap.open(
                        directory,
                        ValueCodec.texts(),
                        ValueCodec.texts(),
                        TestMaps.options().withRetention(kept -> kept.withBytes(1L << 30))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("retention");
    }

    @Test
    void isClosedForGood() {
        LarderMap<String, String> map = TestMaps.texts(directory);
        map.put("key", "value");
        map.close();
        map.close();
        assertThatThrownBy(() -> map.get("key"))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> map.put("key", "more")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> map.entrySet().iterator().next()).isInstanceOf(ClosedException.class);
        assertThatThrownBy(map::size).isInstanceOf(ClosedException.class);
    }
}
