package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Bookmark;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Allocation;
import dev.larder.memory.DiskFullException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A map whose log spans as many segments as an index can tell apart, less a quarter. With segments of 4 GiB these are 1536. Each
 * of them is small here, and nearly all of it is never stored to. Only the soak profile runs the test, because so many files take
 * time.
 */
@Timeout(1800)
@EnabledIfSystemProperty(named = "larder.soak", matches = "true")
final class WindowTest {

    private static final int SPAN = 1536;
    private static final int MORE = 40;
    private static final long FILLER = -1;

    /** Two of these do not fit into a segment of 2 MiB. */
    private static final int FILLER_BYTES = 1_200_000;

    @TempDir
    Path directory;

    private final Map<Long, byte[]> expected = new HashMap<>();

    /** Returns options without checksums, which would have to read bytes that were never stored to. */
    private static LogOptions options() {
        return TestMaps.options()
                .withIntegrity(IntegrityMode.NONE)
                .withLargestSegmentBytes(4L << 30)
                .withLayout(layout -> layout.withAllocation(Allocation.GROW));
    }

    private LarderMap<Long, byte[]> open() {
        MapOptions byHand = MapOptions.defaults()
                .withLog(options())
                .withCleaning(Cleaning.defaults().withBackground(false));
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), byHand);
    }

    private static int firstSegment(LarderMap<Long, byte[]> map) {
        return Position.segment(map.info().log().firstPosition());
    }

    private static int tailSegment(LarderMap<Long, byte[]> map) {
        return Position.segment(map.info().log().endPosition());
    }

    private void set(LarderMap<Long, byte[]> map, long key) {
        byte[] value = {(byte) key};
        map.set(key, value);
        expected.put(key, value);
    }

    /** Puts an entry that stays, and one that fills the rest of the segment until it is overwritten. */
    private void fillSegment(LarderMap<Long, byte[]> map) {
        set(map, expected.size());
        map.write(FILLER, FILLER_BYTES, (segment, offset, length) -> {});
    }

    private void fillWindow(LarderMap<Long, byte[]> map) {
        for (int i = 0; i < SPAN; i++) {
            fillSegment(map);
        }
        assertThat(tailSegment(map)).isEqualTo(SPAN - 1);
        assertThat(firstSegment(map)).isZero();
    }

    private void check(LarderMap<Long, byte[]> map) {
        assertThat(map.containsKey(FILLER)).isTrue();
        expected.forEach(
                (key, value) -> assertThat(map.get(key)).as("key %s", key).isEqualTo(value));
        assertThat(map.longSize()).isEqualTo(expected.size() + 1L);
    }

    private void checkOpenedAgain() {
        try (LarderMap<Long, byte[]> map = open()) {
            check(map);
        }
    }

    /** Dead entries at the beginning of the log go, so that puts of every kind continue. */
    @Test
    void movesOnAsLongAsSomethingIsDead() {
        try (LarderMap<Long, byte[]> map = open()) {
            fillWindow(map);
            for (int i = 0; i < MORE; i++) {
                fillSegment(map);
                assertThat(tailSegment(map) - firstSegment(map)).isLessThanOrEqualTo(SPAN);
            }
            try (MapLoader<Long, byte[]> loader = map.loader()) {
                for (int i = 0; i < 100_000; i++) {
                    long key = expected.size();
                    byte[] value = {(byte) key};
                    loader.put(key, value);
                    expected.put(key, value);
                }
            }
            assertThat(firstSegment(map)).isGreaterThanOrEqualTo(MORE);
            check(map);
        }
        checkOpenedAgain();
    }

    /** If the entries at the beginning cannot go, puts are refused by name. Existing entries stay, and can be removed. */
    @Test
    void refusesWhatWouldNotBeToldApart() {
        try (LarderMap<Long, byte[]> map = open();
                Log log = Log.open(directory, HookedOptions.with(options(), doors -> doors.withLinked(true)));
                Bookmark holder = log.bookmark("holder")) {
            fillWindow(map);
            for (int i = 0; i < MORE; i++) {
                assertThatThrownBy(() -> map.write(FILLER, FILLER_BYTES, (segment, offset, length) -> {}))
                        .isInstanceOf(DiskFullException.class)
                        .hasMessageStartingWith(directory + ": the map is full: its log ends at ")
                        .hasMessageContaining("an index covers at most " + SPAN + " segments from the first one on");
            }
            assertThat(tailSegment(map)).as("what is refused takes nothing").isLessThan(SPAN);
            check(map);
            assertThat(map.remove(3L)).isEqualTo(expected.remove(3L));
            check(map);
            holder.move(log.endPosition());
            fillSegment(map);
            check(map);
        }
        checkOpenedAgain();
    }
}
