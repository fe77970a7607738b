package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.LogOptions;
import dev.larder.log.ValueCodec;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map whose steps lie in the image until somebody looks for what is in them. */
@Timeout(120)
final class ImageStepsTest {

    private static final int KEYS = 150_000;

    @TempDir
    Path directory;

    private Path image;

    @BeforeEach
    void fill() {
        assumeTrue(TestMaps.storage().replacesOpenFiles(), "else every step is loaded at the opening");
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
    void shouldBeLoadedOneByOne() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(steps(map)).isZero();
            assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
            assertThat(steps(map)).as("the rows say how many there are").isZero();
            assertThat(map.get(7L)).isEqualTo(21);
            assertThat(map.get(7L)).isEqualTo(21);
            assertThat(steps(map)).isEqualTo(1);
            requireAll(map);
            assertThat(steps(map)).isGreaterThanOrEqualTo(Placement.PARTITIONS);
            assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
        }
    }

    /** Space for more steps is asked for than there are in the end, where some become one while the image is made. */
    @Test
    void shouldBeFoundInAFileWithRoomForMore() throws IOException {
        Files.write(image, new byte[IndexStepLayout.BYTES], StandardOpenOption.APPEND);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(steps(map)).isZero();
            requireAll(map);
        }
    }

    @Test
    void shouldHaveTheirRowsBehindThemInAFileWithRoomForMore() {
        StepRows rows = new StepRows();
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
    void shouldBeWalkedAndCountedWhereTheyLie() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory);
                MapSnapshot<Long, Long> snapshot = map.snapshot()) {
            map.set(-1L, 0L);
            assertThat(snapshot.longSize()).isEqualTo(KEYS / 10 * 9);
            assertThat(snapshot.get(9L)).isEqualTo(27);
            assertThat(map.keySet().stream().mapToLong(key -> key).sum())
                    .isEqualTo(LongStream.range(0, KEYS)
                                    .filter(ImageStepsTest::isThere)
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

    /** Threads that look for the same step at once load it once. */
    @Test
    void shouldBeLoadedOnceByManyThreads() {
        long all;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            requireAll(map);
            all = steps(map);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            IntStream.range(0, 8).parallel().forEach(thread -> requireAll(map));
            assertThat(steps(map)).isEqualTo(all);
        }
    }

    /** Each is pinned while it waits for a step: nobody waits for a line that those have. */
    @Test
    void shouldBeLoadedByMoreThreadsThanThereAreLines() throws InterruptedException {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            List<Thread> threads = LongStream.range(0, 3000)
                    .mapToObj(key -> Thread.ofVirtual().unstarted(() -> map.put(50 * key + 1, -key)))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            for (long key = 0; key < 3000; key++) {
                assertThat(map.get(50 * key + 1)).isEqualTo(-key);
            }
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
            assertThat(steps(map)).as("the file was replaced").isGreaterThanOrEqualTo(Placement.PARTITIONS);
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

    /** Of the steps that nobody has looked at, the last image has them as the one before. */
    @Test
    void shouldGoFromImageToImage() {
        for (long round = 0; round < 5; round++) {
            try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
                map.set(round * 10, 3 * round * 10);
                map.remove(round * 10);
                assertThat(steps(map)).isLessThan(5);
            }
        }
        requireAllAfterAReopening();
    }

    /** What is damaged is noticed by the first look, and made again from the log. */
    @Test
    void shouldBeMadeAgainWhereTheyAreDamaged() throws IOException {
        long steps = (Files.size(image) - CheckpointLayout.STEPS_AT) / IndexStepLayout.BYTES;
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

    /** A sector that cannot be read is damage, too. */
    @Test
    void shouldBeMadeAgainWhereTheyCannotBeRead() {
        Storage unreadable = new DelegatingStorage(TestMaps.storage()) {
            @Override
            public void bringIn(MemorySegment mapped, Path file, long offset) {
                if (file.equals(image) && offset % (7L * IndexStepLayout.BYTES) == CheckpointLayout.step(0)) {
                    throw new StorageException(file + ": cannot be read at offset " + offset + ": EIO");
                }
                super.bringIn(mapped, file, offset);
            }
        };
        LogOptions options = TestMaps.options().withStorage(unreadable);
        try (LarderMap<Long, Long> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options)) {
            requireAll(map);
            map.checkpoint();
            map.compact();
        }
        requireAllAfterAReopening();
    }

    /** Everything that is in it, not only what was looked at, though the cleaner goes through the log meanwhile. */
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
        Storage memory = TestMaps.storage().isNative() ? Storage.system() : Storage.portable();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory);
                Arena arena = Arena.ofShared()) {
            assertThat(map.get(1L)).isEqualTo(3);
            IndexPointer there =
                    IndexPointer.read(directory, TestMaps.storage()).orElseThrow();
            Optional<CheckpointImage> rows = CheckpointImage.of(directory, TestMaps.storage(), arena);
            try (IndexFile file =
                    IndexFile.view(there.path(), there.opening(), memory).orElseThrow()) {
                assertThat(MapNow.of(file, rows).entries()).isEqualTo(KEYS / 10 * 9);
            }
        }
    }
}
