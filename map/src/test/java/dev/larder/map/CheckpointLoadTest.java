package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.checkpoint.PageRows;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexPointer;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map that is opened from a checkpoint of its index. */
@Timeout(120)
final class CheckpointLoadTest {

    private static final int KEYS = 150_000;

    @TempDir
    Path directory;

    private Path image;

    @BeforeEach
    void fill() {
        image = directory.resolve(CheckpointLayout.FILE_NAME);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (long key = 0; key < KEYS; key++) {
                map.set(key, 3 * key);
            }
            for (long key = 0; key < KEYS; key += 10) {
                map.remove(key);
            }
        }
    }

    private static boolean isThere(long key) {
        return key % 10 != 0;
    }

    private static void requireAll(LarderMap<Long, Long> map) {
        for (long key = 0; key < KEYS; key++) {
            assertThat(map.get(key)).isEqualTo(isThere(key) ? 3 * key : null);
        }
    }

    private void requireAllAfterAReopening() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
            requireAll(map);
        }
    }

    private static long steps(LarderMap<?, ?> map) {
        return map.info().indexSteps();
    }

    @Test
    void shouldBeLoadedAtTheOpening() {
        long all;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            all = steps(map);
            assertThat(all).isGreaterThanOrEqualTo(Placement.PARTITIONS);
            assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
            requireAll(map);
            assertThat(steps(map)).as("none comes later").isEqualTo(all);
            assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
        }
    }

    /** A checkpoint asks for space for more pages than it has in the end, if some merge while it is made. */
    @Test
    void shouldBeFoundInAFileWithRoomForMore() throws IOException {
        Files.write(image, new byte[IndexPageLayout.BYTES], StandardOpenOption.APPEND);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            requireAll(map);
        }
    }

    @Test
    void shouldHaveTheirRowsBehindThemInAFileWithRoomForMore() {
        PageRows rows = new PageRows();
        rows.add(1, 2);
        Path made = directory.resolve("made");
        try (StorageFile file = TestMaps.storage()
                .create(made, TestMaps.options().access().files())
                .orElseThrow()) {
            file.allocate(CheckpointLayout.step(3), Allocation.RESERVE);
            rows.write(file);
            assertThat(file.sizeBytes()).isEqualTo(CheckpointLayout.step(3));
        }
    }

    @Test
    void shouldBeWalkedAndCounted() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory);
                MapSnapshot<Long, Long> snapshot = map.snapshot()) {
            map.set(-1L, 0L);
            assertThat(snapshot.longSize()).isEqualTo(KEYS / 10 * 9);
            assertThat(snapshot.get(9L)).isEqualTo(27);
            assertThat(map.keySet().stream().mapToLong(key -> key).sum())
                    .isEqualTo(LongStream.range(0, KEYS)
                                    .filter(CheckpointLoadTest::isThere)
                                    .sum()
                            - 1);
        }
    }

    @Test
    void shouldBeChangedLikeOthers() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.put(11L, 5L)).isEqualTo(33);
            assertThat(map.remove(12L)).isEqualTo(36);
            assertThat(map.putIfAbsent(10L, 1L)).isNull();
            assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.get(11L)).isEqualTo(5);
            assertThat(map.get(12L)).isNull();
            assertThat(map.get(10L)).isEqualTo(1);
            assertThat(map.get(13L)).isEqualTo(39);
        }
    }

    @Test
    void shouldAllBeInTheNextImage() throws IOException {
        Path next = directory.resolve("next");
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.set(-1L, 0L);
            map.checkpoint();
            Files.copy(image, next);
            map.set(-2L, 0L);
            requireAll(map);
        }
        Files.move(next, image, StandardCopyOption.REPLACE_EXISTING);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.get(-1L)).isZero();
            assertThat(map.get(-2L)).as("of the log behind the image").isZero();
            requireAll(map);
            map.remove(-1L);
            map.remove(-2L);
        }
        requireAllAfterAReopening();
    }

    @Test
    void shouldGoFromImageToImage() {
        for (long round = 0; round < 5; round++) {
            try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
                map.set(round * 10, 3 * round * 10);
                map.remove(round * 10);
            }
        }
        requireAllAfterAReopening();
    }

    /** An opening notices the damage, and makes the checkpoint again from the log. */
    @Test
    void shouldBeMadeAgainWhereTheyAreDamaged() throws IOException {
        long steps = (Files.size(image) - CheckpointLayout.STEPS_AT) / IndexPageLayout.BYTES;
        for (long step = 0; step < steps; step += 7) {
            FlippedBit.in(image, CheckpointLayout.step(step) + 64 + 8 * step);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.set(-1L, 0L);
            assertThat(map.put(10L, 30L)).isNull();
            assertThat(map.remove(10L)).isEqualTo(30);
            map.remove(-1L);
            requireAll(map);
        }
        try (StoredMap stored = StoredMap.open(directory, TestMaps.options())) {
            assertThat(stored.verify().problems()).as("the image is another").isEmpty();
        }
        requireAllAfterAReopening();
    }

    /** A page of another map's checkpoint, of equal positions, lies where this map's page was lost: its disk wrote nothing. */
    @Test
    void shouldNotBeTakenFromAnotherCheckpointOfTheSamePosition(@TempDir Path parent) throws IOException {
        Path first = parent.resolve("one");
        Path one = checkpointOf(first);
        Path other = checkpointOf(parent.resolve("other"));
        assertThat(longAt(other, CheckpointLayout.REPLAY)).isEqualTo(longAt(one, CheckpointLayout.REPLAY));
        for (long step = 0; step < Placement.PARTITIONS; step += 9) {
            copyPage(other, one, step);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(first)) {
            for (long key = 0; key < 2000; key++) {
                assertThat(map.get(key)).isEqualTo(key);
            }
        }
    }

    private static Path checkpointOf(Path directory) {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            LongStream.range(0, 2000).forEach(key -> map.set(key, key));
        }
        return directory.resolve(CheckpointLayout.FILE_NAME);
    }

    private static long longAt(Path file, long offset) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            opened.seek(offset);
            return Long.reverseBytes(opened.readLong());
        }
    }

    private static void copyPage(Path from, Path to, long step) throws IOException {
        byte[] page = new byte[IndexPageLayout.BYTES];
        try (RandomAccessFile source = new RandomAccessFile(from.toFile(), "r");
                RandomAccessFile target = new RandomAccessFile(to.toFile(), "rw")) {
            source.seek(CheckpointLayout.step(step));
            source.readFully(page);
            target.seek(CheckpointLayout.step(step));
            target.write(page);
        }
    }

    /** A sector that cannot be read is damage, too. */
    @Test
    void shouldBeMadeAgainWhereTheyCannotBeRead() {
        Storage unreadable = new DelegatingStorage(TestMaps.storage()) {
            @Override
            public void bringIn(MemorySegment mapped, Path file, long offset) {
                if (file.equals(image) && offset % (7L * IndexPageLayout.BYTES) == CheckpointLayout.step(0)) {
                    throw new StorageException(file + ": cannot be read at offset " + offset + ": EIO");
                }
                super.bringIn(mapped, file, offset);
            }
        };
        LogOptions options = HookedOptions.withStorage(TestMaps.options(), unreadable);
        try (LarderMap<Long, Long> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options)) {
            requireAll(map);
            map.checkpoint();
            map.compact();
        }
        requireAllAfterAReopening();
    }

    /** If the cleaner has dropped segments since the checkpoint was made, the remaining log has everything that counts. */
    @Test
    void shouldBeMadeAgainWhereTheLogHasGoneOnSince() throws IOException {
        MapOptions byHand = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false));
        Path older = Files.copy(image, directory.resolve("older"));
        try (LarderMap<Long, Long> map = TestMaps.longs(directory, byHand)) {
            for (long key = 0; key < KEYS; key += 3) {
                map.remove(key);
            }
            map.compact();
        }
        Files.move(older, image, StandardCopyOption.REPLACE_EXISTING);
        for (long step = 0; step < Placement.PARTITIONS; step += 5) {
            FlippedBit.in(image, CheckpointLayout.step(step) + 64 + 8 * step);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory, byHand)) {
            for (long key = 0; key < KEYS; key++) {
                assertThat(map.get(key)).isEqualTo(isThere(key) && key % 3 != 0 ? 3 * key : null);
            }
            long there = LongStream.range(0, KEYS)
                    .filter(key -> isThere(key) && key % 3 != 0)
                    .count();
            assertThat(map.longSize()).isEqualTo(there);
        }
        try (StoredMap stored = StoredMap.open(directory, TestMaps.options())) {
            assertThat(stored.verify().problems()).as("the image is another").isEmpty();
        }
    }

    @Test
    void shouldCountWhatIsAliveWhereTheyWereDamaged() throws IOException {
        long live;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            live = map.info().space().liveBytes();
        }
        for (long step = 0; step < Placement.PARTITIONS; step += 7) {
            FlippedBit.in(image, CheckpointLayout.step(step) + 64 + 8 * step);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.info().space().liveBytes()).isCloseTo(live, withinPercentage(1));
        }
    }

    /** An opening finds all entries of the checkpoint, though the cleaner goes through the log meanwhile. */
    @Test
    void shouldFollowTheCleaner() {
        MapOptions byHand = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false));
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory, byHand)) {
            for (long key = 0; key < KEYS; key += 3) {
                map.set(key, key);
                expected.put(key, key);
            }
            map.compact();
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory, byHand)) {
            map.compact();
            for (long key = 0; key < KEYS; key++) {
                assertThat(map.get(key)).isEqualTo(expected.getOrDefault(key, isThere(key) ? 3 * key : null));
            }
        }
    }

    @Test
    void shouldBeCountedByWhoLooksOn() {
        Storage memory = TestMaps.storage().isNative() ? SystemStorage.system() : SystemStorage.portable();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.get(1L)).isEqualTo(3);
            IndexPointer there =
                    IndexPointer.read(directory, TestMaps.storage()).orElseThrow();
            try (IndexFile file =
                    IndexFile.view(there.path(), there.opening(), memory).orElseThrow()) {
                assertThat(MapNow.of(file).entries()).isEqualTo(KEYS / 10 * 9);
            }
        }
    }
}
