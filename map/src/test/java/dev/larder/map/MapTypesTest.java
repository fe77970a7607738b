package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.TypedValue;
import dev.larder.codec.ValueCodec;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.CorruptException;
import dev.larder.memory.TruncatedException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of codecs that a map stores. */
final class MapTypesTest {

    @TempDir
    Path directory;

    record Point(int x, int y) {}

    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    interface Tick {
        int symbol();

        Tick symbol(int value);
    }

    private <K, V> LarderMap<K, V> open(ValueCodec<K> keys, ValueCodec<V> values) {
        return LarderMap.open(directory, keys, values, TestMaps.options());
    }

    @Test
    void refusesOtherCodecsAndNamesBoth() {
        open(ValueCodec.texts(), ValueCodec.longs()).close();
        assertThatThrownBy(() -> open(ValueCodec.texts(), ValueCodec.doubles()))
                .isInstanceOf(CodecMismatchException.class)
                .hasMessage(directory.resolve(MapFile.FILE_NAME)
                        + ": the map stores keys text and values long; it is opened with keys text and values double");
        assertThatThrownBy(() -> open(ValueCodec.bytes(), ValueCodec.longs()))
                .isInstanceOf(CodecMismatchException.class);
        try (LarderMap<String, Long> map = open(ValueCodec.texts(), ValueCodec.longs())) {
            assertThat(map.info().types()).isEqualTo(new MapTypes("text", "long"));
        }
    }

    @Test
    void opensAsBytesByTheNamesOfItsCodecs() {
        try (LarderMap<Long, Point> map =
                open(ValueCodec.longs(), Codec.records(Point.class, MethodHandles.lookup()))) {
            map.put(1L, new Point(2, 3));
        }
        MapTypes types = StoredMap.types(directory, TestMaps.options());
        assertThat(types).isEqualTo(new MapTypes("long", "record:Point"));
        try (LarderMap<byte[], byte[]> map =
                open(ValueCodec.bytesOf(types.keyCodec()), ValueCodec.bytesOf(types.valueCodec()))) {
            map.forEach((key, value) -> {
                key[0] = 2;
                map.put(key, value);
            });
        }
        try (LarderMap<Long, Point> map =
                open(ValueCodec.longs(), Codec.records(Point.class, MethodHandles.lookup()))) {
            assertThat(map.get(2L)).isEqualTo(new Point(2, 3));
        }
        try (StoredMap stored = StoredMap.open(directory, TestMaps.options())) {
            assertThat(stored.info().types()).contains(types);
        }
    }

    @Test
    void codecsOfRecordsAreNamedByTheirType() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        assertThat(Codec.records(Point.class, lookup).name()).isEqualTo("record:Point");
        assertThat(Codec.records(Shape.class, lookup).name()).isEqualTo("records:Shape");
        assertThat(Codec.views(Tick.class, lookup).name()).isEqualTo("record:Tick");
        ValueCodec<TypedValue> any = Codec.values();
        assertThat(any.name()).isEqualTo("record");
        assertThat(Codec.texts().name()).isEqualTo(ValueCodec.texts().name());
        assertThat(ValueCodec.bytesOf("bytes")).isSameAs(ValueCodec.bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\u0000"})
    void refusesANameThatIsNone(String name) {
        assertThatThrownBy(() -> open(ValueCodec.texts(), ValueCodec.bytesOf(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 255 bytes");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void takesNamesAsLongAsTheyMayBe() {
        String longest = "\u00e9".repeat(127) + "x";
        open(ValueCodec.bytesOf(longest), ValueCodec.bytesOf(longest)).close();
        assertThat(StoredMap.types(directory, TestMaps.options())).isEqualTo(new MapTypes(longest, longest));
        assertThatThrownBy(() -> new MapTypes(longest + "x", "text")).hasMessageContaining("not 256");
    }

    @Test
    void refusesDamagedNames() throws IOException {
        open(ValueCodec.texts(), ValueCodec.longs()).close();
        Path file = directory.resolve(MapFile.FILE_NAME);
        byte[] whole = Files.readAllBytes(file);
        byte[] damaged = whole.clone();
        damaged[whole.length - 1] ^= 1;
        Files.write(file, damaged);
        assertThatThrownBy(() -> StoredMap.types(directory, TestMaps.options())).isInstanceOf(CorruptException.class);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> StoredMap.types(directory, TestMaps.options())).isInstanceOf(TruncatedException.class);
    }
}
