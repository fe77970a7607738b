package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Maps whose logs begin just below positions where some bits wrap around, and are written beyond them. They are compared with a
 * plain map, in every way of changing, reading and opening them.
 */
@Tag(Effort.LONG)
@Timeout(300)
final class LateStartTest {

    private static final int KEYS = 600;
    private static final int CHANGES = 1500;
    private static final int LENGTH_MAX = 2000;
    private static final int BELOW = 2;
    private static final int ABOVE = 3;

    @TempDir
    Path folder;

    private final Map<Long, String> expected = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(7);

    private Path directory() {
        return folder.resolve("map");
    }

    private static LogOptions options(int largestShift) {
        return TestMaps.options().withLargestSegmentBytes(1L << largestShift);
    }

    private static LarderMap<Long, String> open(Path directory, int largestShift) {
        MapOptions byHand = MapOptions.defaults()
                .withLog(options(largestShift))
                .withCleaning(Cleaning.defaults().withBackground(false));
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts(), byHand);
    }

    /** Puts, overwrites and removes, by every kind of call. */
    private void change(LarderMap<Long, String> map, int changes) {
        for (int i = 0; i < changes; i++) {
            long key = random.nextInt(KEYS);
            String value = key + " " + random.nextLong() + "x".repeat(random.nextInt(LENGTH_MAX));
            switch (random.nextInt(6)) {
                case 0 -> assertThat(map.remove(key)).isEqualTo(expected.remove(key));
                case 1 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(expected.putIfAbsent(key, value));
                case 2 -> assertThat(map.replace(key, value)).isEqualTo(expected.replace(key, value));
                case 3 -> {
                    map.set(key, value);
                    expected.put(key, value);
                }
                default -> assertThat(map.put(key, value)).isEqualTo(expected.put(key, value));
            }
        }
        load(map);
    }

    private void load(LarderMap<Long, String> map) {
        try (MapLoader<Long, String> loader = map.loader()) {
            for (int i = 0; i < 20; i++) {
                long key = random.nextInt(KEYS);
                loader.put(key, "loaded " + i);
                expected.put(key, "loaded " + i);
            }
        }
    }

    private void check(LarderMap<Long, String> map) {
        assertThat(map.longSize()).isEqualTo(expected.size());
        assertThat(new HashMap<>(map)).as("iterated").isEqualTo(expected);
        assertThat(map.getAll(expected.keySet())).as("looked up").isEqualTo(expected);
        for (long key = 0; key < KEYS; key++) {
            assertThat(map.get(key)).as("key %s", key).isEqualTo(expected.get(key));
        }
    }

    private static Map<Long, String> entries(MapSnapshot<Long, String> snapshot) {
        Map<Long, String> entries = new HashMap<>();
        snapshot.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
        return entries;
    }

    private static int firstSegment(LarderMap<Long, String> map) {
        return Position.segment(map.info().log().firstPosition());
    }

    private static int tailSegment(LarderMap<Long, String> map) {
        return Position.segment(map.info().log().endPosition());
    }

    private void changeUpTo(LarderMap<Long, String> map, int segment) {
        while (tailSegment(map) < segment) {
            change(map, CHANGES);
        }
    }

    private void checkOpened(Path directory, int largestShift) {
        try (LarderMap<Long, String> map = open(directory, largestShift)) {
            check(map);
        }
        try (StoredMap stored = StoredMap.open(directory, options(largestShift))) {
            assertThat(stored.verify().problems()).isEmpty();
        }
    }

    /** Checks the map as a kill of the process leaves it. */
    private void checkKilled(String name, int largestShift) throws IOException {
        checkOpened(TestMaps.copy(directory(), folder.resolve(name)), largestShift);
    }

    /** Checks the map as a loss of power leaves it, where its last checkpoint is gone, too. */
    private void checkPowerLost(String name, int largestShift) throws IOException {
        Path copy = TestMaps.copy(directory(), folder.resolve(name));
        LaterLog.forgetBoot(copy);
        Files.deleteIfExists(copy.resolve(CheckpointLayout.FILE_NAME));
        checkOpened(copy, largestShift);
    }

    private void checkRepaired(int largestShift) {
        Path target = folder.resolve("repaired");
        assertThat(MapRepair.repair(directory(), target, options(largestShift)).problems())
                .isEmpty();
        checkOpened(target, largestShift);
    }

    /** Cleans all segments below a given one, while the map is changed. */
    private void cleanUpTo(LarderMap<Long, String> map, int segment) {
        while (firstSegment(map) < segment) {
            change(map, CHANGES);
            map.compact();
            check(map);
        }
    }

    /** The number of the segment with which bits wrap around: bits of positions, or of the bytes since the log began. */
    @ParameterizedTest(name = "segments of up to 2^{0} bytes, from number {1} on")
    @CsvSource({
        "21, 256, position 2^40",
        "21, 2048, byte 2^32",
        "21, 32768, position 2^47",
        "21, 524288, byte 2^40",
        "21, 4194304, byte 2^43: the index's place begins anew",
        "21, 67108864, byte 2^47",
        "28, 16, byte 2^32",
        "28, 4096, byte 2^40",
        "28, 32768, byte 2^43",
        "28, 65536, byte 2^44: the index's place begins anew once more",
        "28, 524288, byte 2^47",
        "32, 256, byte 2^40",
        "32, 2048, byte 2^43",
        "32, 32768, byte 2^47 and position 2^47",
    })
    void goesOnWhereItsPositionsComeRound(int largestShift, int number, String what) throws IOException {
        boolean isLong = Boolean.getBoolean("larder.soak");
        assumeTrue(isLong || TestMaps.storage().isNative(), "without native calls in the long run (-Psoak) only");
        try (LarderMap<Long, String> map = open(directory(), largestShift)) {
            change(map, 300);
        }
        LaterLog.beginAt(directory(), number - BELOW);
        Map<Long, String> then;
        try (LarderMap<Long, String> map = open(directory(), largestShift)) {
            assertThat(firstSegment(map)).as(what).isEqualTo(number - BELOW);
            check(map);
            changeUpTo(map, number - 1);
            map.checkpoint();
            then = Map.copyOf(expected);
            try (MapSnapshot<Long, String> snapshot = map.snapshot()) {
                changeUpTo(map, number + 1);
                check(map);
                checkKilled("across", largestShift);
                cleanUpTo(map, number - 1);
                map.sync();
                checkPowerLost("half cleaned", largestShift);
                assertThat(entries(snapshot)).isEqualTo(then);
            }
        }
        checkOpened(directory(), largestShift);
        checkRepaired(largestShift);
        try (LarderMap<Long, String> map = open(directory(), largestShift)) {
            cleanUpTo(map, number + ABOVE);
            checkKilled("cleaned", largestShift);
        }
        checkOpened(directory(), largestShift);
    }
}
