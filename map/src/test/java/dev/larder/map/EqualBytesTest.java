package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys and values whose classes compare objects: the map and its views compare their bytes. */
@Timeout(60)
final class EqualBytesTest {

    @TempDir
    Path directory;

    private LarderMap<byte[], byte[]> map;

    @BeforeEach
    void fill() {
        map = LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.bytes(), TestMaps.options());
        for (byte i = 0; i < 10; i++) {
            map.set(of(i), of(100 + i / 2)); // each value twice
        }
    }

    @AfterEach
    void close() {
        map.close();
    }

    private static byte[] of(int value) {
        return new byte[] {(byte) value};
    }

    private static Map.Entry<byte[], byte[]> entry(int key, int value) {
        return new SimpleEntry<>(of(key), of(value));
    }

    private List<Integer> keys() {
        return map.keySet().stream().map(key -> (int) key[0]).sorted().toList();
    }

    @Test
    void aValueIsThereIfItsBytesAre() {
        assertThat(map.containsValue(of(104))).isTrue();
        assertThat(map.containsValue(of(105))).isFalse();
        assertThat(map.values().contains(of(100))).isTrue();
        assertThat(map.values().containsAll(List.of(of(100), of(104)))).isTrue();
        assertThat(map.values().containsAll(List.of(of(100), of(99)))).isFalse();
    }

    @Test
    @SuppressWarnings("NullAway") // as of a caller that no checker warns
    void noNullIsAskedFor() {
        Collection<byte[]> values = map.values();
        assertThatThrownBy(() -> map.containsValue(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("value");
        assertThatThrownBy(() -> values.contains(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> values.remove(null)).isInstanceOf(NullPointerException.class);
        List<byte[]> nothing = Arrays.asList(null, of(99));
        assertThat(values.removeAll(nothing)).isFalse();
        assertThat(map.keySet().removeAll(nothing)).isFalse();
        assertThat(map.entrySet().removeAll(Arrays.asList(null, entry(99, 99)))).isFalse();
        assertThat(keys()).hasSize(10);
    }

    @Test
    void aValueIsRemovedByItsBytes() {
        assertThat(map.values().remove(of(100))).isTrue();
        assertThat(map).hasSize(9);
        assertThat(map.values().remove(of(100))).isTrue();
        assertThat(map.values().remove(of(100))).isFalse();
        assertThat(keys()).containsExactly(2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void valuesAreRemovedAndRetainedByTheirBytes() {
        assertThat(map.values().removeAll(List.of(of(100), of(1), of(101)))).isTrue();
        assertThat(map.values().removeAll(List.of(of(100), of(1)))).isFalse();
        assertThat(keys()).containsExactly(4, 5, 6, 7, 8, 9);
        assertThat(map.values().retainAll(List.of(of(100), of(104)))).isTrue();
        assertThat(keys()).containsExactly(8, 9);
        assertThat(map.values().retainAll(List.of(of(104)))).isFalse();
    }

    /** More elements than the map has entries: a set may then compare by the given collection. */
    @Test
    void keysAndEntriesAreRemovedByTheirBytesHoweverManyAreGiven() {
        List<byte[]> many = Stream.iterate(5, key -> key + 1)
                .limit(100)
                .map(EqualBytesTest::of)
                .toList();
        assertThat(map.keySet().removeAll(many)).isTrue();
        assertThat(keys()).containsExactly(0, 1, 2, 3, 4);
        List<Map.Entry<byte[], byte[]>> entries = Stream.iterate(1, key -> key + 1)
                .limit(100)
                .map(key -> entry(key, 101))
                .toList();
        assertThat(map.entrySet().removeAll(entries)).isTrue();
        assertThat(keys()).containsExactly(0, 1, 4);
        assertThat(map.entrySet().removeAll(entries)).isFalse();
    }

    @Test
    void keysAndEntriesAreRetainedByTheirBytes() {
        assertThat(map.keySet().retainAll(List.of(of(1), of(2), of(3), of(77)))).isTrue();
        assertThat(keys()).containsExactly(1, 2, 3);
        assertThat(map.keySet().retainAll(List.of(of(1), of(2), of(3)))).isFalse();
        List<Object> others = Arrays.asList("no entry", new SimpleEntry<>(of(2), null), entry(1, 101), entry(3, 101));
        assertThat(map.entrySet().retainAll(others)).isTrue();
        assertThat(keys()).containsExactly(3);
        assertThat(map.entrySet().retainAll(others)).isFalse();
    }
}
