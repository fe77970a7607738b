package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.CodecFolder;
import dev.larder.codec.ValueCodec;
import dev.larder.codec.ViewCodec;
import dev.larder.log.ReadOnlyException;
import dev.larder.memory.ClosedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a map refuses or accepts, and what is true of its openings. */
@Timeout(60)
final class MapContractTest {

    @TempDir
    Path directory;

    interface Tick {
        int symbol();

        Tick symbol(int value);
    }

    private LarderMap<Long, Long> open() {
        return TestMaps.longs(directory);
    }

    private MapOptions options() {
        return MapOptions.defaults().withLog(TestMaps.options());
    }

    /** Regression: the values of all keys, and of an iterator, were one object, which showed whatever was read last. */
    @Test
    void refusesViews() {
        ViewCodec<Tick> views = Codec.views(Tick.class, MethodHandles.lookup());
        requireViewsRefused("values", () -> LarderMap.open(directory, ValueCodec.longs(), views, options()));
        requireViewsRefused("keys", () -> LarderMap.open(directory, views, ValueCodec.longs(), options()));
        requireViewsRefused("values", () -> LarderMap.temporary(directory, ValueCodec.longs(), views, options()));
        requireViewsRefused("keys", () -> LarderMap.temporary(directory, views, ValueCodec.longs(), options()));
        assertThat(directory).isEmptyDirectory();
        open().close();
        MapOptions reading = options().withLog(TestMaps.options().withReadOnly(true));
        requireViewsRefused("values", () -> LarderMap.open(directory, ValueCodec.longs(), views, reading));
    }

    private void requireViewsRefused(String what, ThrowingCallable opening) {
        assertThatThrownBy(opening)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(directory + ": the codec \"record:Tick\" of the " + what + " is one of views. A map cannot"
                        + " hand out views: the bytes end with the call. Use Codec.records");
    }

    /** Regression: the second opening was refused, though both codecs write the same bytes under the same name. */
    @Test
    void aCodecForMessagesIsThatOfItsValues() {
        try (LarderMap<Long, Long> map = open();
                LarderMap<Long, Long> same =
                        LarderMap.open(directory, Codec.longs(), Codec.longs(), TestMaps.options());
                Arena arena = Arena.ofConfined()) {
            same.put(1L, 7L);
            assertThat(map.get(1L)).isEqualTo(7);
            MemorySegment target = arena.allocate(Long.BYTES, Long.BYTES);
            assertThat(same.get(1L, target, 0)).isEqualTo(Long.BYTES);
            assertThat(target.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
        }
        try (LarderMap<Long, Long> map = LarderMap.open(
                directory, Codec.longs(), Codec.longs(), TestMaps.options().withReadOnly(true))) {
            assertThat(map).containsOnly(Map.entry(1L, 7L));
        }
    }

    /** A codec of the user that wraps one for messages passes the folder on. */
    @Test
    void aCodecForMessagesIsBoundAsThatOfItsValues() {
        CodecFolder folder = new CodecFolder(
                directory, TestMaps.storage(), TestMaps.options().access().files());
        assertThat(Codec.texts().in(folder, false)).isEqualTo(Codec.texts());
        assertThat(Codec.texts().in(folder, true)).isNotEqualTo(Codec.texts());
    }

    /** Regression: no number ended the scan at once, and a negative one, too: the result was the given cursor. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesAScanOfNoKeys(int least) {
        try (LarderMap<Long, Long> map = open()) {
            map.set(1L, 1L);
            List<Long> keys = new ArrayList<>();
            assertThatThrownBy(() -> map.scanKeys(0, least, keys::add))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(directory + ": a scan of " + least + " keys; the least is 1");
            assertThat(keys).isEmpty();
        }
    }

    @Test
    void namesItsDirectory() {
        LarderMap<Long, Long> map = open();
        assertThat(map.directory()).isEqualTo(directory);
        map.close();
        assertThat(map.directory()).isEqualTo(directory);
    }

    @Test
    void aReadOnlyMapRefusesAListener() {
        open().close();
        LarderMap<Long, Long> map =
                TestMaps.longs(directory, options().withLog(TestMaps.options().withReadOnly(true)));
        assertThatThrownBy(() -> map.listener((key, value, cause) -> {})).isInstanceOf(ReadOnlyException.class);
        assertThatThrownBy(() -> map.lossListener((key, cause) -> {})).isInstanceOf(ReadOnlyException.class);
        map.close();
        assertThatThrownBy(() -> map.listener((key, value, cause) -> {})).isInstanceOf(ClosedException.class);
    }

    @Test
    void aListenerStaysUntilTheLastOpeningCloses() {
        List<Long> gone = new ArrayList<>();
        try (LarderMap<Long, Long> map = open()) {
            try (LarderMap<Long, Long> other = open()) {
                other.listener((key, value, cause) -> gone.add(key));
            }
            map.set(1L, 1L);
            map.delete(1L);
            assertThat(gone).containsExactly(1L);
        }
        try (LarderMap<Long, Long> map = open()) {
            map.set(1L, 1L);
            map.delete(1L);
            assertThat(gone).containsExactly(1L);
        }
    }

    @Test
    void iteratorsOfAClosedOpeningStillRead() {
        LarderMap<Long, Long> map = open();
        try (LarderMap<Long, Long> other = open()) {
            map.set(1L, 1L);
            Iterator<Map.Entry<Long, Long>> entries = map.entrySet().iterator();
            map.close();
            Map.Entry<Long, Long> entry = entries.next();
            assertThat(entry.getValue()).isEqualTo(1);
            assertThatThrownBy(entries::remove).isInstanceOf(ClosedException.class);
            assertThatThrownBy(() -> entry.setValue(2L)).isInstanceOf(ClosedException.class);
            assertThat(other).containsOnly(Map.entry(1L, 1L));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // as of a caller that no checker warns
    void optionsNameWhatIsNull() {
        MapOptions options = options();
        requireNamed("log", () -> options.withLog(null));
        requireNamed("cleaning", () -> options.withCleaning(null));
        requireNamed("lifetime", () -> options.withLifetime(null));
        requireNamed("sharing", () -> options.withSharing(null));
        requireNamed("checkpoints", () -> options.withCheckpoints(null));
        requireNamed("coldKeys", () -> options.withColdKeys(null));
        requireNamed("time", () -> options.withTime(null));
        requireNamed("restorePoint", () -> options.withRestorePoint(null));
        requireNamed("maxBytes", () -> new Cleaning(2, null, true, false));
        requireNamed("sinceWrite", () -> new Lifetime(null, Optional.empty()));
        requireNamed("sinceUse", () -> new Lifetime(Optional.empty(), null));
        requireNamed("folder", () -> new Sharing(null));
        requireNamed("logBytes", () -> new Checkpoints(null));
        requireNamed("maxBytes", () -> new ColdKeys(null));
        requireNamed("calls", () -> new MapTime(null, Optional.empty(), Optional.empty()));
        requireNamed("cleaning", () -> new MapTime(Optional.empty(), null, Optional.empty()));
        requireNamed("alive", () -> new MapTime(Optional.empty(), Optional.empty(), null));
        requireNamed("keys", () -> LarderMap.open(directory, null, ValueCodec.longs(), options));
        requireNamed("values", () -> LarderMap.open(directory, ValueCodec.longs(), null, options));
    }

    private static void requireNamed(String what, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(what);
    }
}
