package dev.larder.map.clean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Bookmark;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRetention;
import dev.larder.log.Position;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.Cleaning;
import dev.larder.map.FlippedBit;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSpace;
import dev.larder.map.TestMaps;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.Access;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.tests.support.OtherThread;
import dev.larder.tests.support.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cleaner: it frees the space of overwritten and removed entries, and keeps live ones. */
@Timeout(300)
final class CleanerTest {

    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    private LarderMap<Long, byte[]> open(Cleaning cleaning) {
        return open(TestMaps.options(), cleaning);
    }

    private LarderMap<Long, byte[]> open(LogOptions options, Cleaning cleaning) {
        return LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options).withCleaning(cleaning));
    }

    private static Cleaning byHand() {
        return Cleaning.defaults().withBackground(false);
    }

    private long segmentBytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".seg")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static byte[] value(long key, int version, int length) {
        return Samples.bytes(key * 31 + version, length);
    }

    /** Changes a map and the expected content: overwrites, and some removals. */
    private static void churn(
            LarderMap<Long, byte[]> map, Map<Long, byte[]> expected, int keys, int changes, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < changes; i++) {
            long key = random.nextInt(keys);
            if (random.nextInt(8) == 0) {
                map.remove(key);
                expected.remove(key);
            } else {
                byte[] value = value(key, i, 200 + random.nextInt(1200));
                map.set(key, value);
                expected.put(key, value);
            }
        }
    }

    private static void requireSame(LarderMap<Long, byte[]> map, Map<Long, byte[]> expected, int keys) {
        assertThat(map.longSize()).isEqualTo(expected.size());
        for (long key = 0; key < keys; key++) {
            assertThat(map.get(key)).as("key %s", key).isEqualTo(expected.get(key));
        }
        int entries = 0;
        for (Map.Entry<Long, byte[]> entry : map.entrySet()) {
            assertThat(entry.getValue()).isEqualTo(expected.get(entry.getKey()));
            entries++;
        }
        assertThat(entries).isEqualTo(expected.size());
    }

    private static long recordBytes(Map<Long, byte[]> entries) {
        return entries.values().stream()
                .mapToLong(value -> (8 + 4 + 8 + value.length + 7) & -8L)
                .sum();
    }

    @Test
    void givesBackWhatIsDead() throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            churn(map, expected, 2000, 40_000, 1);
            long before = segmentBytes();
            map.compact();
            requireSame(map, expected, 2000);
            assertThat(segmentBytes()).isLessThan(before / 4);
            MapSpace space = map.info().space();
            assertThat(space.liveBytes()).isEqualTo(recordBytes(expected));
            assertThat(space.deadBytes()).isLessThan(space.liveBytes() / 20 + 2 * MIB);
            assertThat(space.carriedBytes()).isPositive();
            assertThat(space.cleanedBytes()).isGreaterThan(before / 2);
            assertThat(space.failure()).isEmpty();
        }
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            requireSame(map, expected, 2000);
            assertThat(map.info().space().liveBytes()).isEqualTo(recordBytes(expected));
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME)); // now the rest of the log is all that there is
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            requireSame(map, expected, 2000);
            assertThat(map.info().space().liveBytes()).isEqualTo(recordBytes(expected));
        }
    }

    /** The cleaner frees removed entries, too. In the end not even the removals are left. */
    @Test
    void givesBackRemovals() throws IOException {
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            for (long key = 0; key < 20_000; key++) {
                map.set(key, value(key, 0, 300));
            }
            map.clear();
            assertThat(map.info().space().liveBytes()).isZero();
            map.compact();
            assertThat(map.isEmpty()).isTrue();
            assertThat(map.info().log().segments()).isLessThanOrEqualTo(2);
            map.set(5L, new byte[1]);
            assertThat(map.longSize()).isEqualTo(1);
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            assertThat(map.keySet()).containsExactly(5L);
        }
    }

    /** A checkpoint holds positions of records. An opening leaves out those in segments that were dropped since. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void goesOnFromAnImageOfBefore(IntegrityMode integrity) throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        LogOptions options = TestMaps.options().withIntegrity(integrity);
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            churn(map, expected, 3000, 15_000, 1);
            map.checkpoint();
            Files.copy(image, directory.resolve("older"));
            churn(map, expected, 3000, 1000, 2);
            for (long key = 0; key < 300; key++) {
                map.remove(key);
                expected.remove(key);
            }
            map.compact();
            churn(map, expected, 3000, 500, 3);
        }
        Files.move(directory.resolve("older"), image, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            requireSame(map, expected, 3000);
            assertThat(map.info().space().liveBytes())
                    .isCloseTo(recordBytes(expected), within(recordBytes(expected) / 3));
            map.compact();
            churn(map, expected, 3000, 10_000, 4);
            map.compact(); // the cleaner has read the whole log, so the count is exact now
            assertThat(map.info().space().liveBytes()).isEqualTo(recordBytes(expected));
            requireSame(map, expected, 3000);
        }
    }

    /** A count of zero live bytes is a number like any other. */
    @Test
    void countsExactlyAfterTheMapWasEmptied() {
        Map<Long, byte[]> expected = new HashMap<>();
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            churn(map, expected, 1000, 2000, 1);
            map.clear();
        }
        expected.clear();
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            assertThat(map.info().space().liveBytes()).isZero();
            map.set(1L, new byte[100]);
            expected.put(1L, new byte[100]);
        }
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            assertThat(map.info().space().liveBytes()).isEqualTo(recordBytes(expected));
        }
    }

    /** An inexact count becomes exact even if the map was closed and opened meanwhile. */
    @Test
    void countsExactlyInTheEndAlsoAfterAClose() throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            churn(map, expected, 3000, 15_000, 1);
            map.checkpoint();
            Files.copy(image, directory.resolve("older"));
            map.compact();
        }
        Files.move(directory.resolve("older"), image, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        for (int opening = 2; opening < 5; opening++) {
            try (LarderMap<Long, byte[]> map = open(byHand())) {
                churn(map, expected, 3000, 300, opening);
            }
        }
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            map.compact();
            churn(map, expected, 3000, 10_000, 5);
            map.compact();
            assertThat(map.info().space().liveBytes()).isEqualTo(recordBytes(expected));
            requireSame(map, expected, 3000);
        }
    }

    /** A put beside the sync of a checkpoint lies in the log behind that checkpoint. An opening counts it from there. */
    @Test
    void countsOnceWhatIsPutWhileACheckpointSyncs(@TempDir Path folder) throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        AtomicReference<@Nullable Runnable> beside = new AtomicReference<>();
        LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            Runnable other = step.equals("sync.sealed") ? beside.getAndSet(null) : null;
            if (other != null) {
                OtherThread.run(other).join();
            }
        });
        Path copy = folder.resolve("copy");
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            churn(map, expected, 100, 200, 1);
            beside.set(() -> map.set(1000L, value(1000, 0, 500)));
            map.checkpoint();
            expected.put(1000L, value(1000, 0, 500));
            TestMaps.copy(directory, copy);
        }
        assertThat(beside).hasValue(null);
        try (LarderMap<Long, byte[]> map =
                LarderMap.open(copy, ValueCodec.longs(), ValueCodec.bytes(), TestMaps.options())) {
            assertThat(map.get(1000L)).isEqualTo(expected.get(1000L));
            assertThat(map.info().space().liveBytes()).isEqualTo(recordBytes(expected));
        }
    }

    /** The cleaner runs in the background, without a request. */
    @Test
    void keepsToTwiceWhatIsAlive() throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        try (LarderMap<Long, byte[]> map = open(Cleaning.defaults())) {
            long most = 0;
            for (int round = 0; round < 20; round++) {
                churn(map, expected, 10_000, 10_000, round);
                MapSpace space = map.info().space();
                most = Math.max(
                        most, space.fileBytes() - Math.max(2 * space.liveBytes(), space.liveBytes() + 16 * MIB));
            }
            assertThat(most).as("bytes beyond the bound").isLessThanOrEqualTo(4 * MIB);
            requireSame(map, expected, 10_000);
            assertThat(map.info().space().failure()).isEmpty();
        }
    }

    @Test
    void readsOnWhileItCleans() throws InterruptedException {
        Map<Long, byte[]> expected = new HashMap<>();
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            churn(map, expected, 2000, 10_000, 1);
            Iterator<Map.Entry<Long, byte[]>> iterator = map.entrySet().iterator();
            Map<Long, byte[]> seen = new HashMap<>();
            for (int i = 0; i < 100; i++) {
                Map.Entry<Long, byte[]> entry = iterator.next();
                seen.put(entry.getKey(), entry.getValue());
            }
            map.compact();
            while (iterator.hasNext()) {
                Map.Entry<Long, byte[]> entry = iterator.next();
                assertThat(seen.put(entry.getKey(), entry.getValue())).isNull();
            }
            assertThat(seen.keySet()).isEqualTo(expected.keySet());
            seen.forEach((key, value) -> assertThat(value).isEqualTo(expected.get(key)));
            long key = expected.keySet().iterator().next();
            long[] held = new long[2];
            map.read(key, (segment, offset, length) -> { // cleans the whole log, but the handler's bytes stay
                churn(map, expected, 2000, 10_000, 2);
                map.compact();
                held[0] = map.info().space().fileBytes();
                byte[] bytes = segment.asSlice(offset, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                assertThat(bytes).isEqualTo(seen.get(key));
            });
            map.compact();
            held[1] = map.info().space().fileBytes();
            assertThat(held[1]).isLessThan(held[0]);
            requireSame(map, expected, 2000);
        }
    }

    /** A function that runs long finds that the cleaner has carried its value away, and runs again. */
    @Test
    void computesOverACarriedValue() {
        try (LarderMap<Long, byte[]> map = open(byHand())) {
            for (long key = 0; key < 20_000; key++) {
                map.set(key, value(key, 0, 300));
            }
            for (long key = 1; key < 20_000; key++) {
                map.remove(key);
            }
            int[] runs = {0};
            map.compute(0L, (key, found) -> {
                if (runs[0]++ == 0) {
                    map.compact();
                }
                return found == null ? null : Arrays.copyOf(found, found.length + 1);
            });
            assertThat(runs[0]).isBetween(1, 2);
            assertThat(map.get(0L)).isEqualTo(Arrays.copyOf(value(0, 0, 300), 301));
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Cleaning small = Cleaning.defaults().withMaxBytes(16 * MIB);
        long[] key = {0};
        try (LarderMap<Long, byte[]> map = open(small)) {
            assertThatThrownBy(() -> {
                        while (key[0] < 1_000_000) {
                            map.set(key[0]++, new byte[1000]);
                        }
                    })
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("the map is full: its files take");
            assertThat(key[0]).isGreaterThan(5000);
            assertThat(map.longSize()).isEqualTo(key[0] - 1);
            for (long other = 0; other < 5000; other++) { // removals find room, and make some
                map.remove(other);
            }
            for (long other = 0; other < 1000; other++) {
                map.set(other, new byte[1000]);
            }
            assertThat(map.longSize()).isEqualTo(key[0] - 1 - 4000);
            assertThat(map.info().space().fileBytes()).isLessThanOrEqualTo(16 * MIB);
        }
    }

    /** Without a background thread, the writer that finds no room cleans. */
    @Test
    void cleansWhenThereIsNoRoom() {
        Map<Long, byte[]> expected = new HashMap<>();
        try (LarderMap<Long, byte[]> map = open(byHand().withMaxBytes(20 * MIB))) {
            churn(map, expected, 6000, 60_000, 1);
            requireSame(map, expected, 6000);
            assertThat(map.info().space().fileBytes()).isLessThanOrEqualTo(20 * MIB);
            assertThat(map.info().space().writeAmplification()).isGreaterThan(1);
        }
    }

    /** The map has no limit, and the disk is full: three segments are left to the cleaner. */
    @Test
    void goesOnOnAFullDisk() {
        Map<Long, byte[]> expected = new HashMap<>();
        try (LarderMap<Long, byte[]> map =
                open(HookedOptions.withStorage(TestMaps.options(), new SmallDisk(12)), byHand())) {
            churn(map, expected, 6000, 60_000, 1);
            requireSame(map, expected, 6000);
            assertThat(map.info().space().cleanedBytes()).isGreaterThan(20 * MIB);
            assertThatThrownBy(() -> {
                        for (long key = 10_000; key < 100_000; key++) {
                            map.set(key, new byte[1000]);
                        }
                    })
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("the map is full: its files take");
            for (long key = 0; key < 6000; key++) {
                assertThat(map.get(key)).isEqualTo(expected.get(key));
            }
        }
    }

    /** A disk with room for a given number of segments. */
    private static final class SmallDisk extends DelegatingStorage {

        private final int segments;

        SmallDisk(int segments) {
            super(TestMaps.storage());
            this.segments = segments;
        }

        private long free(Path directory) {
            return segments
                    - list(directory).stream()
                            .filter(name -> name.endsWith(".seg") || name.startsWith("p-"))
                            .count();
        }

        @Override
        public long usableBytes(Path directory) {
            return Math.max(0, free(directory)) * 2 * MIB;
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            boolean ofSegment = String.valueOf(file.getFileName()).startsWith("p-");
            if (ofSegment && free(Objects.requireNonNull(file.getParent())) <= 0) {
                throw new DiskFullException(file + ": no room for another");
            }
            return super.create(file, access);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = IntegrityMode.class,
            names = {"RECORD", "SEAL"})
    void neverCopiesWhatIsDamaged(IntegrityMode integrity) throws IOException {
        LogOptions options = TestMaps.options().withIntegrity(integrity);
        long[] place = new long[1];
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            for (long key = 0; key < 5000; key++) {
                map.set(key, value(key, 0, 1000));
            }
            map.read(700L, (segment, offset, length) -> place[0] = offset + 500);
            for (long key = 1000; key < 5000; key++) {
                map.remove(key);
            }
        }
        FlippedBit.in(directory.resolve("0000000000.seg"), place[0]);
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(map::compact)
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining("0000000000.seg: ")
                        .hasMessageContaining("fails its");
            }
            assertThat(map.info().space().failure())
                    .hasValueSatisfying(text -> assertThat(text).contains(".seg"));
            for (long key = 0; key < 1000; key++) {
                if (key != 700) {
                    assertThat(map.get(key)).isEqualTo(value(key, 0, 1000));
                }
            }
            long[] position = new long[1];
            map.read(700L, (segment, offset, length) -> position[0] = offset);
            assertThat(position[0]).isEqualTo(place[0] - 500); // stays where it is
            assertThat(map.info().log().firstPosition()).isLessThan(Position.of(1, 0));
            FlippedBit.in(directory.resolve("0000000000.seg"), place[0]); // flips the bit back
            map.compact();
            assertThat(map.info().log().firstPosition()).isGreaterThan(Position.of(1, 0));
            assertThat(map.get(700L)).isEqualTo(value(700, 0, 1000));
            assertThat(map.longSize()).isEqualTo(1000);
        }
    }

    /** Where the index is small, it names the entries to carry. The cleaner reads nothing else of a segment, damaged or not. */
    @ParameterizedTest
    @EnumSource(
            value = IntegrityMode.class,
            names = {"RECORD", "SEAL"})
    void carriesWhatTheIndexNames(IntegrityMode integrity) throws IOException {
        LogOptions options = TestMaps.options().withIntegrity(integrity);
        Path oldest = directory.resolve("0000000000.seg");
        long[] alive = new long[1];
        long[] dead = new long[1];
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            for (long key = 0; key < 20; key++) {
                map.set(key, value(key, 0, 60));
            }
            map.remove(19L);
            map.read(18L, (segment, offset, length) -> alive[0] = offset + 10);
            for (int i = 0; i < 150_000; i++) {
                map.set(i % 7L, value(i % 7, i, 60));
                if (i == 15_000) { // not in the block of the live entry, or its seal would be wrong
                    map.read(i % 7L, (segment, offset, length) -> dead[0] = offset + 10);
                }
            }
        }
        FlippedBit.in(oldest, dead[0]);
        FlippedBit.in(oldest, alive[0]);
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            assertThatThrownBy(map::compact)
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("0000000000.seg: ")
                    .hasMessageContaining("fails its");
            assertThat(map.info().log().firstPosition()).isLessThan(Position.of(1, 0));
            FlippedBit.in(oldest, alive[0]); // flips the bit back
            map.compact();
            assertThat(map.info().log().firstPosition()).isGreaterThan(Position.of(4, 0));
            requireLast(map);
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<Long, byte[]> map = open(options, byHand())) {
            requireLast(map);
        }
    }

    private static void requireLast(LarderMap<Long, byte[]> map) {
        assertThat(map.longSize()).isEqualTo(19);
        for (long key = 0; key < 19; key++) {
            int last = key < 7 ? 149_999 - Math.floorMod(149_999 - (int) key, 7) : 0;
            assertThat(map.get(key)).as("key %s", key).isEqualTo(value(key, last, 60));
        }
    }

    /** The log belongs to the map: no other caller appends to it, or drops segments. Others may read it. */
    @Test
    void letsNobodyElseWriteItsLog() {
        open(byHand()).close();
        try (Log log = Log.open(directory, TestMaps.options())) {
            assertThatThrownBy(log::appender)
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageContaining("the log belongs to a map");
            assertThatThrownBy(() -> LogRecords.of(log)).isInstanceOf(LogMismatchException.class);
            log.reader().close();
        }
        assertThatThrownBy(() -> Log.open(
                        directory,
                        TestMaps.options()
                                .withRetention(retention -> LogRetention.none().withBytes(8 * MIB))))
                .isInstanceOf(LogMismatchException.class)
                .hasMessageContaining("only the map drops its records");
    }

    @Test
    void leavesWhatABookmarkHolds() {
        Map<Long, byte[]> expected = new HashMap<>();
        LogOptions options = TestMaps.options();
        try (LarderMap<Long, byte[]> map = open(options, byHand());
                Log log = Log.open(directory, HookedOptions.with(options, doors -> doors.withLinked(true)));
                Bookmark reader = log.bookmark("reader")) {
            churn(map, expected, 2000, 10_000, 1);
            assertThatThrownBy(map::compact)
                    .isInstanceOf(LogBusyException.class)
                    .hasMessageContaining("segment 0 cannot be dropped: a bookmark stands in it");
            reader.move(log.endPosition());
            map.compact();
            assertThat(log.firstPosition()).isGreaterThan(Position.of(1, 0));
            requireSame(map, expected, 2000);
        }
    }
}
