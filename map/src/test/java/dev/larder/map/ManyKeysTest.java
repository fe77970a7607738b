package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.memory.ClosedException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many keys at once: the answers equal those for one key at a time. */
@Timeout(120)
final class ManyKeysTest {

    @TempDir
    Path directory;

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    /** A codec that runs another action while it reads. */
    private record Intruding(Runnable intrusion) implements ValueCodec<Long> {

        @Override
        public String name() {
            return "intruding";
        }

        @Override
        public int lengthBytes(Long value) {
            return Long.BYTES;
        }

        @Override
        public void write(Long value, MemorySegment segment, long offset, int length) {
            if (value < 0) {
                throw new UnsupportedOperationException("as asked");
            }
            ValueCodec.longs().write(value, segment, offset, length);
        }

        @Override
        public Long read(MemorySegment segment, long offset, int length) {
            intrusion.run();
            return ValueCodec.longs().read(segment, offset, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 33, 64, 1000})
    void findsThoseThatAreThere(int count) {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            Map<Long, Long> expected = new HashMap<>();
            for (long key = 0; key < count; key += 3) {
                map.set(key, ~key);
                expected.put(key, ~key);
            }
            for (long key = 0; key < count; key += 21) {
                map.remove((Object) key);
                expected.remove(key);
            }
            assertThat(map.getAll(numbers(0, count))).isEqualTo(expected);
            List<Long> seen = new ArrayList<>();
            long found = map.readAll(numbers(0, count), (key, segment, offset, length) -> {
                assertThat(segment.isReadOnly()).isTrue();
                assertThat(ValueCodec.longs().read(segment, offset, length)).isEqualTo(~key);
                seen.add(key);
            });
            assertThat(found).isEqualTo(expected.size());
            assertThat(seen).isSorted().containsExactlyInAnyOrderElementsOf(expected.keySet());
        }
    }

    @Test
    void takesAKeyTwice() {
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            map.put("a", "1");
            assertThat(map.getAll(List.of("a", "b", "a"))).isEqualTo(Map.of("a", "1"));
            assertThat(map.readAll(List.of("a", "b", "a"), (key, segment, offset, length) -> {}))
                    .isEqualTo(2);
        }
    }

    @Test
    void takesKeysOfAllLengths() {
        try (LarderMap<byte[], byte[]> map =
                LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.bytes(), TestMaps.options())) {
            List<byte[]> keys = new ArrayList<>();
            IdentityHashMap<byte[], byte[]> entries = new IdentityHashMap<>();
            for (int length : new int[] {0, 1, 8, 63, 64, 65, 1000, 65_535, 3, 70_000 / 2}) {
                byte[] key = new byte[length];
                Arrays.fill(key, (byte) length);
                keys.add(key);
                entries.put(key, key);
            }
            map.putAll(entries);
            assertThat(map).hasSize(10);
            map.getAll(keys).forEach((key, value) -> assertThat(value).isEqualTo(key));
            assertThat(map.getAll(keys)).hasSize(10);
        }
    }

    /** The index grows under the groups, so the results of looking ahead are out of date by then. */
    @Test
    void putsAllWhileTheIndexGrows() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            Map<Long, Long> all = new HashMap<>();
            for (long key = 0; key < 300_000; key++) {
                all.put(key, key * key);
            }
            map.set(7L, 0L);
            map.putAll(all);
            assertThat(map.longSize()).isEqualTo(all.size());
            assertThat(map.getAll(numbers(-10, 300_010))).isEqualTo(all);
        }
    }

    /** A handler may use the map in every way, also for many keys. The bytes that it was given do not change by that. */
    @Test
    void letsAHandlerUseTheMap() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            numbers(0, 100).forEach(key -> map.set(key, key));
            List<Long> seen = new ArrayList<>();
            map.readAll(numbers(0, 100), (key, segment, offset, length) -> {
                map.putAll(Map.of(key, -key, key + 1000, key));
                assertThat(map.getAll(List.of(key, key + 1000))).isEqualTo(Map.of(key, -key, key + 1000, key));
                seen.add(ValueCodec.longs().read(segment, offset, length));
            });
            assertThat(seen).isEqualTo(numbers(0, 100));
            assertThat(map).hasSize(200);
        }
    }

    @Test
    void letsACodecUseTheMap() {
        List<Map<Long, Long>> inside = new ArrayList<>();
        List<LarderMap<Long, Long>> own = new ArrayList<>();
        boolean[] within = new boolean[1];
        Intruding codec = new Intruding(() -> {
            if (!within[0]) {
                within[0] = true;
                inside.add(own.getFirst().getAll(numbers(50, 100)));
                within[0] = false;
            }
        });
        try (LarderMap<Long, Long> map = LarderMap.open(directory, ValueCodec.longs(), codec, TestMaps.options())) {
            own.add(map);
            numbers(0, 80).forEach(key -> map.set(key, key));
            assertThat(map.getAll(numbers(0, 40))).hasSize(40);
            assertThat(inside).hasSize(40).allSatisfy(found -> assertThat(found).hasSize(30));
        }
    }

    @Test
    void keepsWhatCameBeforeAnError() {
        try (LarderMap<Long, Long> map =
                LarderMap.open(directory, ValueCodec.longs(), new Intruding(() -> {}), TestMaps.options())) {
            Map<Long, Long> entries = new LinkedHashMap<>();
            numbers(0, 50).forEach(key -> entries.put(key, key == 40 ? -1 : key));
            assertThatThrownBy(() -> map.putAll(entries)).hasMessage("as asked");
            assertThat(map.keySet()).containsExactlyInAnyOrderElementsOf(numbers(0, 40));
            map.putAll(Map.of(40L, 40L));
            assertThat(map).hasSize(41);
        }
    }

    @Test
    void refusesNothingAndTellsOfClosing() {
        LarderMap<String, String> map = TestMaps.texts(directory);
        assertThatThrownBy(() -> map.getAll(Arrays.asList("a", null))).isInstanceOf(NullPointerException.class);
        Map<String, String> nothing = new HashMap<>();
        nothing.put("a", null);
        assertThatThrownBy(() -> map.putAll(nothing)).isInstanceOf(NullPointerException.class);
        assertThat(map).isEmpty();
        map.close();
        assertThatThrownBy(() -> map.getAll(List.of("a"))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> map.readAll(List.of("a"), (key, segment, offset, length) -> {}))
                .isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> map.putAll(Map.of("a", "b"))).isInstanceOf(ClosedException.class);
    }
}
