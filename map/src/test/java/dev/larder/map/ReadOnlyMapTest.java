package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.ClosedException;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map that is opened read-only: what it shows, what it refuses, and that its files stay unchanged. */
@Timeout(120)
final class ReadOnlyMapTest {

    private static final long KEYS = 20_000;

    record Point(int x, int y) {}

    record Other(String name) {}

    @TempDir
    Path folder;

    private Path directory() {
        return folder.resolve("map");
    }

    private static LogOptions reading() {
        return TestMaps.options().withReadOnly(true);
    }

    private LarderMap<Long, Long> read(Path directory) {
        return TestMaps.longs(directory, MapOptions.defaults().withLog(reading()));
    }

    @Test
    void refusesARestorePoint() {
        fill();
        MapOptions atPoint = MapOptions.defaults().withLog(reading()).withRestorePoint(OptionalLong.of(0));
        assertThatThrownBy(() -> TestMaps.longs(directory(), atPoint))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(directory().toString(), "restore point");
    }

    private void fill() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory())) {
            LongStream.range(0, KEYS).forEach(key -> map.set(key, 3 * key));
            LongStream.range(0, KEYS).filter(key -> key % 10 == 0).forEach(map::remove);
        }
    }

    private static void requireAll(LarderMap<Long, Long> map) {
        assertThat(map.longSize()).isEqualTo(KEYS / 10 * 9);
        for (long key = 0; key < KEYS; key++) {
            assertThat(map.get(key)).isEqualTo(key % 10 == 0 ? null : 3 * key);
        }
    }

    /** Returns name, length and hash of each file. */
    private static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                byte[] bytes = Files.readAllBytes(file);
                files.put(file.getFileName().toString(), bytes.length + " " + Arrays.hashCode(bytes));
            }
        }
        return files;
    }

    @Test
    void showsAllEntriesAndChangesNoFile() throws IOException {
        fill();
        Map<String, String> before = contents(directory());
        try (LarderMap<Long, Long> map = read(directory())) {
            requireAll(map);
            assertThat(map.containsKey(1L)).isTrue();
            assertThat(map.getAll(List.of(1L, 10L, 11L))).isEqualTo(Map.of(1L, 3L, 11L, 33L));
            assertThat(map.read(1L, (segment, at, length) -> assertThat(length).isEqualTo(8)))
                    .isTrue();
            assertThat(map.keySet().stream().mapToLong(key -> key).sum())
                    .isEqualTo(LongStream.range(0, KEYS)
                            .filter(key -> key % 10 != 0)
                            .sum());
            assertThat(map.info().entries()).isEqualTo(KEYS / 10 * 9);
            assertThat(map.info().types()).isEqualTo(TestMaps.LONGS);
            try (MapSnapshot<Long, Long> snapshot = map.snapshot()) {
                assertThat(snapshot.get(1L)).isEqualTo(3);
                assertThat(snapshot.longSize()).isEqualTo(KEYS / 10 * 9);
            }
        }
        assertThat(contents(directory())).isEqualTo(before);
    }

    @Test
    void refusesEachChange() {
        fill();
        try (LarderMap<Long, Long> map = read(directory())) {
            List<ThrowingCallable> changes = List.of(
                    () -> map.put(1L, 1L),
                    () -> map.set(1L, 1L),
                    () -> map.set(1L, 1L, Duration.ofDays(1)),
                    () -> map.putAll(Map.of(1L, 1L)),
                    () -> map.putIfAbsent(10L, 1L),
                    () -> map.replace(1L, 1L),
                    () -> map.remove(1L),
                    () -> map.remove(1L, 3L),
                    () -> map.compute(1L, (key, value) -> 1L),
                    () -> map.computeIfAbsent(10L, key -> 1L),
                    () -> map.merge(1L, 1L, Long::sum),
                    () -> map.getOrLoad(10L, key -> 1L),
                    () -> map.write(1L, 8, (segment, at, length) -> {}),
                    () -> map.withoutWaiting(() -> map.put(1L, 1L)),
                    () -> map.keySet().removeIf(key -> key == 1),
                    () -> map.entrySet().iterator().next().setValue(1L),
                    map::clear,
                    map::loader,
                    map::sync,
                    map::checkpoint,
                    map::compact);
            for (ThrowingCallable change : changes) {
                assertThatThrownBy(change)
                        .isInstanceOf(ReadOnlyException.class)
                        .hasMessage(directory() + ": the map was opened read-only");
            }
            requireAll(map);
        }
    }

    /** Reads the map as a crash leaves it: without a checkpoint, and with an older one. */
    @Test
    void showsWhatTheLogHas() throws IOException {
        fill();
        Path noCheckpoint = TestMaps.copy(directory(), folder.resolve("none"));
        Files.delete(noCheckpoint.resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<Long, Long> map = read(noCheckpoint)) {
            requireAll(map);
        }
        Path crashed = folder.resolve("crashed");
        try (LarderMap<Long, Long> map = TestMaps.longs(directory())) {
            map.set(-1L, 5L);
            map.remove(1L);
            TestMaps.copy(directory(), crashed);
        }
        try (LarderMap<Long, Long> map = read(crashed)) {
            assertThat(map.get(-1L)).isEqualTo(5);
            assertThat(map.get(1L)).isNull();
            assertThat(map.get(2L)).isEqualTo(6);
        }
    }

    /** The map opens with or without a lock file, which a copy may leave out. */
    @Test
    void showsACopyWithoutItsLockFile() throws IOException {
        fill();
        Files.delete(directory().resolve("log.lck"));
        try (LarderMap<Long, Long> map = read(directory())) {
            requireAll(map);
        }
    }

    @Test
    void showsADamagedCheckpointsEntriesFromTheLog() throws IOException {
        fill();
        Path image = directory().resolve(CheckpointLayout.FILE_NAME);
        FlippedBit.in(image, CheckpointLayout.step(3) + IndexPageLayout.GROUPS_AT);
        Map<String, String> before = contents(directory());
        try (LarderMap<Long, Long> map = read(directory())) {
            requireAll(map);
        }
        assertThat(contents(directory())).as("nothing is mended").isEqualTo(before);
        FlippedBit.in(image, CheckpointLayout.REPLAY);
        try (LarderMap<Long, Long> map = read(directory())) {
            requireAll(map);
        }
    }

    @Test
    void makesNoMapWhereThereIsNone() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> read(empty))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining(MapFile.FILE_NAME);
        assertThat(contents(empty)).isEmpty();
        assertThatThrownBy(() -> read(folder.resolve("missing"))).isInstanceOf(ForeignFileException.class);
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void refusesOtherCodecs() {
        fill();
        assertThatThrownBy(() -> LarderMap.open(directory(), ValueCodec.texts(), ValueCodec.longs(), reading()))
                .isInstanceOf(CodecMismatchException.class);
    }

    /** Replaces the map by another one when its log is opened for the first time. */
    private final class Replacing extends DelegatingStorage {
        private boolean replaced;

        Replacing() {
            super(TestMaps.storage());
        }

        @Override
        public Optional<StorageFile> open(Path path, boolean writable) {
            if (path.endsWith("log.ctl") && !replaced) {
                replaced = true;
                try {
                    Files.move(directory(), folder.resolve("old"));
                    Files.move(folder.resolve("new"), directory());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return super.open(path, writable);
        }
    }

    /** The log that is read belongs to the map whose codecs were compared. */
    @Test
    void readsNoOtherMapThatHasTakenItsPlace() {
        fill();
        LogOptions options =
                HookedOptions.withStorage(TestMaps.options(), new Replacing()).withReadOnly(true);
        TestMaps.texts(folder.resolve("new")).close();
        assertThatThrownBy(() -> LarderMap.open(directory(), ValueCodec.longs(), ValueCodec.longs(), options))
                .isInstanceOf(CodecMismatchException.class);
    }

    @Test
    void readsTheMapThatHasTakenItsPlace() {
        fill();
        LogOptions options =
                HookedOptions.withStorage(TestMaps.options(), new Replacing()).withReadOnly(true);
        try (LarderMap<Long, Long> other = TestMaps.longs(folder.resolve("new"))) {
            other.set(-1L, -1L);
        }
        try (LarderMap<Long, Long> map = LarderMap.open(directory(), ValueCodec.longs(), ValueCodec.longs(), options)) {
            assertThat(new HashMap<>(map)).isEqualTo(Map.of(-1L, -1L));
        }
    }

    @Test
    void isClosedWithItsSnapshotsAndOpenedAsOftenAsOneLikes() {
        fill();
        LarderMap<Long, Long> map = read(directory());
        MapSnapshot<Long, Long> snapshot = map.snapshot();
        Iterator<Long> keys = map.keySet().iterator();
        keys.next();
        try (LarderMap<Long, Long> other = read(directory())) {
            map.close();
            map.close();
            assertThat(other.get(1L)).isEqualTo(3);
        }
        assertThatThrownBy(() -> map.get(1L)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> map.put(1L, 1L)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> snapshot.get(1L)).isInstanceOf(ClosedException.class);
        try (LarderMap<Long, Long> writing = TestMaps.longs(directory())) {
            writing.set(1L, 4L);
            assertThat(writing.get(1L)).isEqualTo(4);
        }
    }

    @Test
    void isNotOpenedForWritingInTheSameJvm() {
        fill();
        try (LarderMap<Long, Long> map = read(directory())) {
            assertThatThrownBy(() -> TestMaps.longs(directory()))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessage(directory()
                            + ": the map is open in this JVM with other options: log.access.readOnly is true,"
                            + " asked for false");
            requireAll(map);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory())) {
            assertThatThrownBy(() -> read(directory()))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessage(directory()
                            + ": the map is open in this JVM with other options: log.access.readOnly is false,"
                            + " asked for true");
            map.set(1L, 4L);
            assertThat(map.get(1L)).isEqualTo(4);
        }
    }

    @Test
    void isNotOpenedWithOtherOptionsOfItsLogInTheSameJvm() {
        fill();
        MapOptions other = MapOptions.defaults().withLog(reading().withVerifyReads(true));
        try (LarderMap<Long, Long> map = read(directory())) {
            assertThatThrownBy(() -> TestMaps.longs(directory(), other))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessageContaining("verifyReads is false, asked for true");
            requireAll(map);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory(), other)) {
            requireAll(map);
        }
    }

    @Test
    void isOpenedForWritingAfterAReadOnlyOpeningHasFailed() {
        fill();
        MapOptions other = MapOptions.defaults().withLog(reading().withIntegrity(IntegrityMode.SEAL));
        assertThatThrownBy(() -> TestMaps.longs(directory(), other)).isInstanceOf(LogMismatchException.class);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory())) {
            map.set(1L, 4L);
            assertThat(map.get(1L)).isEqualTo(4);
        }
    }

    /** An entry that is alive when the map is opened does not expire in it. An entry that has expired is absent. */
    @Test
    void standsStillInTime() {
        StoppedClock clock = new StoppedClock(1_000_000_000_000L);
        LogOptions options = HookedOptions.withStorage(TestMaps.options(), clock);
        try (LarderMap<Long, Long> map = LarderMap.open(directory(), ValueCodec.longs(), ValueCodec.longs(), options)) {
            map.set(1L, 1L, Duration.ofSeconds(10));
            map.set(2L, 2L, Duration.ofSeconds(100));
        }
        clock.pass(50_000);
        try (LarderMap<Long, Long> map =
                LarderMap.open(directory(), ValueCodec.longs(), ValueCodec.longs(), options.withReadOnly(true))) {
            assertThat(map.get(1L)).isNull();
            clock.pass(100_000);
            assertThat(new HashMap<>(map)).isEqualTo(Map.of(2L, 2L));
            assertThat(map.expiry(2L)).isPresent();
        }
    }

    /** Its codecs store no missing schema. The bytes that they write without it are equal to no others. */
    @Test
    void storesNoSchemas() throws IOException {
        Codec<Point> points = Codec.records(Point.class, MethodHandles.lookup());
        Codec<Other> others = Codec.records(Other.class, MethodHandles.lookup());
        try (LarderMap<Point, String> map =
                LarderMap.open(directory(), points, ValueCodec.texts(), TestMaps.options())) {
            map.put(new Point(1, 2), "here");
        }
        Path second = folder.resolve("empty");
        LarderMap.open(second, ValueCodec.longs(), others, TestMaps.options()).close();
        Map<String, String> before = contents(directory());
        try (LarderMap<Point, String> map = LarderMap.open(directory(), points, ValueCodec.texts(), reading())) {
            assertThat(map.get(new Point(1, 2))).isEqualTo("here");
            assertThat(map.get(new Point(2, 2))).isNull();
            assertThat(new HashMap<>(map)).isEqualTo(Map.of(new Point(1, 2), "here"));
        }
        assertThat(contents(directory())).isEqualTo(before);
        try (Stream<Path> files = Files.list(second)) {
            for (Path schema :
                    files.filter(file -> file.toString().endsWith(".schema")).toList()) {
                Files.delete(schema);
            }
        }
        before = contents(second);
        try (LarderMap<Long, Other> map = LarderMap.open(second, ValueCodec.longs(), others, reading())) {
            assertThat(map.values().contains(new Other("none"))).isFalse();
        }
        assertThat(contents(second)).isEqualTo(before);
    }
}
