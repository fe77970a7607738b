package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.GoneException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map returns to its restore point, whatever was changed or cleaned since, and however often it is interrupted. */
final class RestorePointTest {

    private static final Path MAP = Path.of("/", "map");
    private static final int KEYS = 400;
    private static final int VALUE_BYTES = 3000;
    private static final long BEGIN_MILLIS = 1_800_000_000_000L;

    @TempDir
    private Path directory;

    private static LogOptions log(Storage storage) {
        return HookedOptions.withStorage(LogOptions.defaults(), storage)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    private static MapOptions options(Storage storage, OptionalLong point) {
        return MapOptions.defaults()
                .withLog(log(storage))
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withRestorePoint(point);
    }

    private static LarderMap<Long, byte[]> open(Path path, MapOptions options) {
        return LarderMap.open(path, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    private static Map<Long, Integer> content(LarderMap<Long, byte[]> map) {
        Map<Long, Integer> content = new HashMap<>();
        map.forEach((key, value) -> content.put(key, DerivedValue.version(key, value)));
        return content;
    }

    /** Random changes, known by their versions. */
    private static final class Changes {

        private final SplittableRandom random;
        private final Map<Long, Integer> expected = new HashMap<>();
        private int version;

        Changes(long seed) {
            random = new SplittableRandom(seed);
        }

        void make(LarderMap<Long, byte[]> map, int count) {
            for (int i = 0; i < count; i++) {
                long key = random.nextInt(KEYS);
                if (random.nextInt(5) == 0) {
                    map.remove(key);
                    expected.remove(key);
                } else {
                    version++;
                    map.put(key, DerivedValue.of(key, version));
                    expected.put(key, version);
                }
            }
        }
    }

    @Test
    void whatWasChangedLaterIsUndone() {
        Changes changes = new Changes(1);
        Path path = directory.resolve("map");
        long point;
        Map<Long, Integer> then;
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(0)))) {
            changes.make(map, 2000);
            point = map.restorePoint();
            map.keepFrom(point);
            then = Map.copyOf(changes.expected);
            changes.make(map, 2000);
            map.compact();
            assertThat(content(map)).isEqualTo(changes.expected).isNotEqualTo(then);
        }
        for (int opening = 0; opening < 3; opening++) { // each undoes the changes that the one before has written
            try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(point)))) {
                assertThat(content(map)).isEqualTo(then);
                changes.make(map, 300);
                map.compact();
            }
        }
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(0)))) {
            assertThat(map).isEmpty();
        }
    }

    /** The checkpoint leads behind the restore point, but is one of this log. */
    @Test
    void anImageBehindThePointStays() throws IOException {
        Changes changes = new Changes(4);
        Path path = directory.resolve("map");
        long point;
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(0)))) {
            changes.make(map, 500);
            point = map.restorePoint();
            changes.make(map, 500);
        }
        Path image = path.resolve(CheckpointLayout.FILE_NAME);
        byte[] before = Files.readAllBytes(image);
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(point)))) {
            assertThat(map).isNotEmpty();
            map.leaveOutLastCheckpoint();
        }
        assertThat(image).hasBinaryContent(before);
        Map<Long, Integer> replayed;
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.empty()))) {
            replayed = content(map);
            map.leaveOutLastCheckpoint();
        }
        Files.delete(image);
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.empty()))) {
            assertThat(content(map)).isEqualTo(replayed);
        }
    }

    /** The control: an opening without a restore point finds the last change of each key. */
    @Test
    void withoutARestorePointNothingIsUndone() {
        Changes changes = new Changes(2);
        Path path = directory.resolve("map");
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(0)))) {
            changes.make(map, 500);
            map.keepFrom(map.restorePoint());
            changes.make(map, 500);
        }
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.empty()))) {
            assertThat(content(map)).isEqualTo(changes.expected);
            assertThatThrownBy(() -> map.keepFrom(0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("without a restore point");
        }
    }

    @Test
    void deadlinesComeBackToo() {
        AtomicLong millis = new AtomicLong(BEGIN_MILLIS);
        MapTime time = MapTime.of(() -> Instant.ofEpochMilli(millis.get()));
        Path path = directory.resolve("map");
        Instant expiry = Instant.ofEpochMilli(BEGIN_MILLIS + 1000);
        long point;
        try (LarderMap<Long, byte[]> map =
                open(path, options(TestMaps.storage(), OptionalLong.of(0)).withTime(time))) {
            map.set(1L, new byte[] {1}, expiry);
            map.set(2L, new byte[] {2});
            point = map.restorePoint();
            map.set(1L, new byte[] {3});
            map.set(2L, new byte[] {4}, expiry);
        }
        try (LarderMap<Long, byte[]> map =
                open(path, options(TestMaps.storage(), OptionalLong.of(point)).withTime(time))) {
            assertThat(map.expiry(1L)).contains(expiry);
            assertThat(map.get(1L)).containsExactly(1);
            assertThat(map.expiry(2L)).isEmpty();
            millis.addAndGet(1000);
            assertThat(map.get(1L)).isNull();
            assertThat(map.get(2L)).containsExactly(2);
        }
    }

    /** Emptied segments that are not needed any more are freed, so a map that is overwritten does not grow without end. */
    @Test
    void theSpaceOfFormerPointsIsGivenBack() {
        Path path = directory.resolve("map");
        try (LarderMap<Long, byte[]> map = open(path, options(TestMaps.storage(), OptionalLong.of(0)))) {
            long most = 0;
            for (int round = 0; round < 30; round++) {
                for (long key = 0; key < KEYS; key++) {
                    map.set(key, new byte[VALUE_BYTES]);
                }
                map.keepFrom(map.restorePoint());
                map.compact();
                most = Math.max(most, map.info().space().fileBytes());
            }
            assertThat(map.info().space().cleanedBytes()).isPositive();
            assertThat(most).isLessThan(24L << 20); // 36 MB were written
        }
    }

    /** The content at a dropped point is unknown: the map would come back without the entries that were carried since. */
    @Test
    void aPointThatWasDroppedIsRefused() {
        Path path = directory.resolve("map");
        MapOptions atPoint = options(TestMaps.storage(), OptionalLong.of(0));
        long former;
        long point;
        try (LarderMap<Long, byte[]> map = open(path, atPoint)) {
            map.set(-1L, new byte[VALUE_BYTES]);
            former = map.restorePoint();
            fill(map, 8, 2);
            map.keepFrom(map.restorePoint());
            map.compact();
            point = map.restorePoint();
            map.keepFrom(point);
            map.compact();
        }
        assertThatThrownBy(() -> open(path, atPoint.withRestorePoint(OptionalLong.of(former))))
                .isInstanceOf(GoneException.class)
                .hasMessageContaining("the restore point")
                .hasMessageContaining("was dropped");
        try (LarderMap<Long, byte[]> map = open(path, atPoint.withRestorePoint(OptionalLong.of(point)))) {
            assertThat(map.containsKey(-1L)).isTrue();
        }
    }

    /** Nothing would be undone, or all segments that are emptied from now on would go at once. */
    @Test
    void aPointBehindTheEndIsRefused() {
        Path path = directory.resolve("map");
        MapOptions atPoint = options(TestMaps.storage(), OptionalLong.of(0));
        long end;
        try (LarderMap<Long, byte[]> map = open(path, atPoint)) {
            fill(map, 8, 1);
            end = map.restorePoint();
            assertThatThrownBy(() -> map.keepFrom(end + 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(path.toString(), Position.toString(end + 8), Position.toString(end));
            fill(map, 8, 1);
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isZero();
            map.keepFrom(map.restorePoint());
        }
        long behind = Position.of(Position.segment(end) + 100, 0);
        assertThatThrownBy(() -> open(path, atPoint.withRestorePoint(OptionalLong.of(behind))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(path.toString(), Position.toString(behind));
        try (LarderMap<Long, byte[]> map = open(path, atPoint)) {
            assertThat(map).isEmpty();
        }
    }

    /** The live entries fill several segments. None may go, so cleaning once more would only copy them again. */
    @Test
    @Timeout(300)
    void compactingEndsWhileThePointKeepsAll() {
        Path path = directory.resolve("map");
        SmallStorage small = new SmallStorage(TestMaps.storage(), path, 128L << 20);
        try (LarderMap<Long, byte[]> map = open(path, options(small, OptionalLong.of(0)))) {
            fill(map, 8, 2);
            map.compact();
            long files = map.info().space().fileBytes();
            assertThat(files)
                    .isLessThan((5 * 8L) << 20); // twice the live bytes were put, and the live ones were carried once
            map.compact();
            assertThat(map.info().space().fileBytes()).isLessThan(files + ((2 * 8L) << 20));
            map.keepFrom(map.restorePoint());
            map.compact();
            assertThat(map.info().space().fileBytes()).isLessThan(files);
        }
    }

    /** A put that finds no room because of the point adds no more than it must. It works again once the point has moved. */
    @Test
    @Timeout(300)
    void aBoundHoldsWhileThePointKeepsAll() {
        long most = 48L << 20;
        Path path = directory.resolve("map");
        MapOptions bounded = options(TestMaps.storage(), OptionalLong.of(0));
        try (LarderMap<Long, byte[]> map =
                open(path, bounded.withCleaning(bounded.cleaning().withMaxBytes(most)))) {
            assertThatThrownBy(() -> fill(map, 8, 10))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("a restore point keeps");
            for (int tries = 0; tries < 5; tries++) {
                assertThatThrownBy(() -> map.set(0L, new byte[VALUE_BYTES])).isInstanceOf(DiskFullException.class);
            }
            assertThat(map.info().space().fileBytes()).isLessThan(most + (8L << 20));
            map.keepFrom(map.restorePoint());
            fill(map, 8, 1);
        }
    }

    /** The cleaner forgets removals in each segment that it empties, and all these segments stay for the point. */
    @Test
    void aMapWhoseEmptiedSegmentsStayIsSound() {
        Path path = directory.resolve("map");
        MapOptions atPoint = options(TestMaps.storage(), OptionalLong.of(0));
        int segments;
        try (LarderMap<Long, byte[]> map = open(path, atPoint)) {
            fill(map, 2, 1);
            for (long key = 0; key < KEYS; key++) {
                map.set(-1 - key, new byte[VALUE_BYTES]);
            }
            for (long key = 0; key < KEYS; key++) {
                map.remove(-1 - key);
            }
            fill(map, 8, 1);
            map.compact();
            segments = map.info().log().segments();
        }
        assertThat(segments).isGreaterThan(4);
        assertThat(problems(path)).isEmpty();
        try (LarderMap<Long, byte[]> map = open(path, atPoint.withRestorePoint(OptionalLong.empty()))) {
            map.set(0L, new byte[VALUE_BYTES]); // so that another checkpoint is written
        }
        assertThat(problems(path)).isEmpty();
    }

    private static List<String> problems(Path path) {
        try (StoredMap stored = StoredMap.open(path, log(TestMaps.storage()))) {
            return stored.verify().problems();
        }
    }

    private static void fill(LarderMap<Long, byte[]> map, int mebibytes, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (long key = 0; key < ((long) mebibytes << 20) / VALUE_BYTES; key++) {
                map.set(key, new byte[VALUE_BYTES]);
            }
        }
    }

    /** A point that was not synced may be set. Entries that were synced long before must not be lost with it. */
    @Test
    void anEmptiedSegmentGoesOnceItsCopiesAreDurable() {
        SplittableRandom random = new SplittableRandom(5);
        List<PowerLossStorage> images = new ArrayList<>();
        try (PowerLossStorage power = new PowerLossStorage(5)) {
            LogOptions log = HookedOptions.withFailpoints(log(power), step -> {
                if (step.equals("clean.dropped")) {
                    images.add(power.image(random));
                }
            });
            MapOptions atPoint = options(power, OptionalLong.of(0)).withLog(log);
            try (LarderMap<Long, byte[]> map = open(MAP, atPoint)) {
                fill(map, 1, 1);
                map.sync();
                for (int i = 0; i < 2000; i++) {
                    map.set(-1L, new byte[VALUE_BYTES]);
                }
                map.compact();
                assertThat(images).as("all segments stay").isEmpty();
                map.keepFrom(map.info().log().endPosition());
                map.compact();
            }
        }
        assertThat(images).isNotEmpty();
        for (PowerLossStorage image : images) {
            try (image;
                    LarderMap<Long, byte[]> map = open(MAP, options(image, OptionalLong.empty()))) {
                for (long key = 0; key < (1 << 20) / VALUE_BYTES; key++) {
                    assertThat(map.get(key)).isNotNull();
                }
            }
        }
    }

    /** The power fails at any time. The map is then as at the last recorded restore point. */
    @Test
    void aLossOfPowerLeadsToTheRestorePoint() {
        int seeds = Effort.of(3, 8, 200);
        for (long seed = 1; seed <= seeds; seed++) {
            lose(seed);
        }
    }

    private static void lose(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Changes changes = new Changes(seed);
        try (PowerLossStorage power = new PowerLossStorage(seed);
                LarderMap<Long, byte[]> map = open(MAP, options(power, OptionalLong.of(0)))) {
            for (int round = 0; round < 4; round++) {
                changes.make(map, 500);
                if (random.nextBoolean()) {
                    map.checkpoint();
                }
                long point = map.restorePoint();
                map.keepFrom(point);
                Map<Long, Integer> then = Map.copyOf(changes.expected);
                for (int loss = 0; loss < 2; loss++) {
                    changes.make(map, 200);
                    switch (random.nextInt(4)) {
                        case 0 -> map.sync();
                        case 1 -> map.compact();
                        case 2 -> map.checkpoint();
                        default -> power.writeBackSome(0.5);
                    }
                    changes.make(map, 50);
                    requireAt(power, random, point, then);
                }
            }
        }
    }

    /** Checks an image of the disk, and one in which the power fails again meanwhile. */
    private static void requireAt(
            PowerLossStorage power, SplittableRandom random, long point, Map<Long, Integer> then) {
        try (PowerLossStorage image = power.image(random)) {
            try (LarderMap<Long, byte[]> map = open(MAP, options(image, OptionalLong.of(point)))) {
                assertThat(content(map)).isEqualTo(then);
                new Changes(point).make(map, 100);
                try (PowerLossStorage again = image.image(random);
                        LarderMap<Long, byte[]> second = open(MAP, options(again, OptionalLong.of(point)))) {
                    assertThat(content(second)).isEqualTo(then);
                }
            }
        }
    }
}
