package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.RecordTooLargeException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries put by a loader: the result is that of as many puts. */
@Timeout(120)
final class MapLoaderTest {

    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    private Path place() {
        return directory.resolve("map");
    }

    private LarderMap<Long, Long> open(LogOptions options) {
        return LarderMap.open(place(), ValueCodec.longs(), ValueCodec.longs(), options);
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            for (Path file :
                    files.filter(file -> !file.toString().endsWith(".tmp")).toList()) { // those come and go
                Files.copy(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** In a log of small segments a loader stages less than in others. */
    @Test
    void theLastValueCountsAlsoInSmallSegments() {
        try (LarderMap<Long, Long> map = open(TestMaps.options().withLargestSegmentBytes(64 << 10))) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                for (long round = 0; round < 3; round++) {
                    for (long key = 0; key < 1000; key++) {
                        loader.put(key, round);
                    }
                }
            }
            assertThat(map).hasSize(1000);
            assertThat(map.values()).containsOnly(2L);
        }
    }

    /** Checks the entries by the current index, by its checkpoint, and by the log alone. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void loadsIntoAnEmptyMapAndOverWhatIsThere(IntegrityMode integrity) throws IOException {
        LogOptions options = TestMaps.options().withIntegrity(integrity);
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = open(options)) {
            LongStream.range(0, 100_000).forEach(key -> expected.put(key, ~key));
            assertThat(map.load(expected.entrySet().iterator())).isEqualTo(100_000);
            assertThat(map).isEqualTo(expected);
            try (MapLoader<Long, Long> loader = map.loader()) {
                for (long key = 90_000; key < 120_000; key++) {
                    map.remove((Object) key);
                    loader.put(key, 0L);
                    loader.put(key, key); // the last one counts
                    expected.put(key, key);
                }
            }
            assertThat(map.longSize()).isEqualTo(expected.size());
            assertThat(map).isEqualTo(expected);
        }
        try (LarderMap<Long, Long> map = open(options)) {
            assertThat(map).isEqualTo(expected);
        }
        Files.delete(place().resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<Long, Long> map = open(options)) {
            assertThat(map).isEqualTo(expected);
        }
    }

    /** The expected number is a hint: more or fewer entries may come, and other threads may put, too. */
    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 300_000, 2_000_000})
    void isToldHowManyEntriesCome(long expectedEntries) {
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            map.set(-1L, -1L);
            try (MapLoader<Long, Long> loader = map.loader(expectedEntries)) {
                for (long key = 0; key < 200_000; key++) {
                    loader.put(key, ~key);
                    if (key % 1000 == 0) {
                        map.set(key, key);
                    }
                }
            }
            assertThat(map.longSize()).isEqualTo(200_001);
            for (long key = 0; key < 200_000; key++) {
                assertThat(map.get(key)).isEqualTo(~key);
            }
        }
        assertSound();
    }

    /** The map refuses before it takes any memory, which others need. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void refusesToExpectMoreThanTheIndexHasRoomFor(long expectedEntries) {
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            map.set(1L, 1L);
            map.set(2L, 1L);
            long before = map.info().indexBytes();
            assertThatThrownBy(() -> map.loader(expectedEntries))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining(" bytes more of the map's index; nothing was changed: ");
            assertThat(map.info().indexBytes()).isEqualTo(before);
        }
    }

    @Test
    void refusesToExpectFewerThanNone() {
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            assertThatThrownBy(() -> map.loader(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
        }
    }

    /** Loaders of the same keys, beside a thread that puts and removes them: each key is there once, and counted once. */
    @Test
    void loadsTheSameKeysAsOthers() throws Exception {
        int keys = 40_000;
        try (LarderMap<Long, Long> map = open(TestMaps.options());
                ExecutorService executor = Executors.newFixedThreadPool(3)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                long begin = thread * 10_000L;
                running.add(executor.submit(() -> {
                    try (MapLoader<Long, Long> loader = map.loader(begin == 0 ? keys : 0)) {
                        for (long i = 0; i < keys; i++) {
                            long key = (begin + i) % keys;
                            loader.put(key, key);
                        }
                    }
                }));
            }
            running.add(executor.submit(() -> {
                for (long key = keys; key > 0; key -= 3) {
                    map.set(key - 1, key - 1);
                    map.delete(key - 1);
                    map.set(key - 1, key - 1);
                }
            }));
            for (Future<?> one : running) {
                one.get();
            }
            assertThat(map.longSize()).isEqualTo(keys);
            for (long key = 0; key < keys; key++) {
                assertThat(map.get(key)).isEqualTo(key);
            }
        }
        assertSound();
    }

    private void assertSound() {
        try (StoredMap stored = StoredMap.open(place(), TestMaps.options())) {
            assertThat(stored.verify().problems()).isEmpty();
        }
    }

    @Test
    void isSeenWhenItWasFlushed() {
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                loader.put(1L, 10L);
                loader.flush();
                assertThat(map).containsOnly(Map.entry(1L, 10L));
                loader.flush();
                loader.put(2L, 20L);
                loader.put(1L, 11L);
            }
            assertThat(map).containsOnly(Map.entry(1L, 11L), Map.entry(2L, 20L));
        }
    }

    @Test
    void closesASecondTimeWithoutAnError() {
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            MapLoader<Long, Long> loader = map.loader();
            loader.put(1L, 10L);
            loader.close();
            loader.close();
            assertThat(map).containsOnly(Map.entry(1L, 10L));
        }
    }

    @Test
    void takesValuesOfAllLengths() {
        LogOptions options = TestMaps.options().withLargestSegmentBytes(16 * MIB);
        try (LarderMap<Long, byte[]> map = LarderMap.open(place(), ValueCodec.longs(), ValueCodec.bytes(), options)) {
            int[] lengths = {0, 1, 7, 1000, 300_000, 262_144, 3_000_000, 5, 1_048_564, 1_048_556, 9};
            try (MapLoader<Long, byte[]> loader = map.loader()) {
                for (long key = 0; key < lengths.length; key++) {
                    byte[] value = new byte[lengths[(int) key]];
                    new SplittableRandom(key).nextBytes(value);
                    loader.put(key, value);
                }
                assertThatThrownBy(() -> loader.put(99L, new byte[5_000_000]))
                        .isInstanceOf(RecordTooLargeException.class);
                loader.put(100L, new byte[] {1});
            }
            assertThat(map).hasSize(lengths.length + 1);
            for (long key = 0; key < lengths.length; key++) {
                byte[] value = new byte[lengths[(int) key]];
                new SplittableRandom(key).nextBytes(value);
                assertThat(map.get(key)).isEqualTo(value);
            }
            assertThat(map.get(100L)).containsExactly(1);
        }
    }

    /** A put between the claim of a batch and its link finds the state before the batch, so the batch comes later. */
    @Test
    void comesAfterWhoeverWasFaster() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        List<LarderMap<Long, Long>> own = new ArrayList<>();
        LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (step.equals("map.batched") && !own.isEmpty()) {
                LarderMap<Long, Long> map = own.getFirst();
                assertThat(map.putIfAbsent(5L, 55L)).isNull();
                assertThat(map.replace(6L, 66L)).isEqualTo(60L);
                assertThat(map.remove(7L)).isEqualTo(70L);
                assertThat(map.get(8L)).isNull();
                copy(place(), directory.resolve("copy"));
            }
        });
        try (LarderMap<Long, Long> map = open(options)) {
            map.putAll(Map.of(6L, 60L, 7L, 70L));
            own.add(map);
            try (MapLoader<Long, Long> loader = map.loader()) {
                LongStream.range(0, 1000).forEach(key -> loader.put(key, key));
            }
            own.clear();
            LongStream.range(0, 1000).forEach(key -> expected.put(key, key));
            assertThat(map).isEqualTo(expected);
        }
        Files.delete(place().resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            assertThat(map).isEqualTo(expected);
        }
        // killed before the first batch was linked: each key is as before or after the load, and returned changes count
        try (LarderMap<Long, Long> map =
                LarderMap.open(directory.resolve("copy"), ValueCodec.longs(), ValueCodec.longs(), TestMaps.options())) {
            expected.putAll(Map.of(5L, 55L, 6L, 66L));
            expected.remove(7L);
            assertThat(map).isEqualTo(expected);
        }
    }

    /** The log is written several times over while loaders and readers work: nothing is dropped before it is linked. */
    @Test
    void loadsWhileTheLogIsCleaned() throws Exception {
        Cleaning little = Cleaning.defaults().withMaxBytes(16 * MIB);
        long keys = 4000;
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                place(),
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(TestMaps.options()).withCleaning(little))) {
            Thread other = new Thread(() -> load(map, keys, 2 * keys, 20));
            other.start();
            load(map, 0, keys, 20);
            other.join();
            assertThat(map.info().space().cleanedBytes()).isGreaterThan(20 * MIB);
            assertThat(map).hasSize((int) (2 * keys));
            for (long key = 0; key < 2 * keys; key++) {
                assertThat(map.get(key)).isEqualTo(value(key, 19));
            }
        }
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(place())) {
            for (long key = 0; key < 2 * keys; key++) {
                assertThat(map.get(key)).isEqualTo(value(key, 19));
            }
        }
    }

    private static void load(LarderMap<Long, byte[]> map, long from, long to, int rounds) {
        try (MapLoader<Long, byte[]> loader = map.loader()) {
            for (int round = 0; round < rounds; round++) {
                for (long key = from; key < to; key++) {
                    loader.put(key, value(key, round));
                }
            }
        }
    }

    private static byte[] value(long key, int round) {
        return ByteBuffer.allocate(300)
                .putLong(key)
                .putInt(round)
                .putLong(290, ~key)
                .array();
    }

    @Test
    void saysWhenThereIsNoRoomAndKeepsWhatIsThere() {
        Cleaning little = Cleaning.defaults().withMaxBytes(16 * MIB);
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                        place(),
                        ValueCodec.longs(),
                        ValueCodec.bytes(),
                        MapOptions.defaults().withLog(TestMaps.options()).withCleaning(little));
                MapLoader<Long, byte[]> loader = map.loader()) {
            long[] key = new long[1];
            assertThatThrownBy(() -> {
                        while (key[0] < 100_000) {
                            loader.put(key[0], value(key[0], 1));
                            key[0]++;
                        }
                    })
                    .isInstanceOf(DiskFullException.class);
            long there = map.longSize();
            assertThat(there).isBetween(10_000L, key[0]);
            for (long number = 0; number < there; number++) {
                assertThat(map.get(number)).isEqualTo(value(number, 1));
            }
            LongStream.range(0, 10_000).forEach(number -> map.remove((Object) number));
            loader.flush(); // the staged entries have stayed
            assertThat(map.longSize()).isEqualTo(key[0] - 10_000);
        }
    }

    @Test
    void tellsOfClosing() {
        LarderMap<Long, Long> map = open(TestMaps.options());
        MapLoader<Long, Long> loader = map.loader();
        loader.put(1L, 1L);
        map.close();
        assertThatThrownBy(loader::flush).isInstanceOf(ClosedException.class);
        assertThatThrownBy(loader::close).isInstanceOf(ClosedException.class);
        assertThatThrownBy(map::loader).isInstanceOf(ClosedException.class);
        try (LarderMap<Long, Long> again = open(TestMaps.options())) {
            assertThat(again).isEmpty();
        }
    }

    /** A value that its caller writes in the space that was claimed for it. */
    @Test
    void putsAValueThatIsWrittenInPlace() {
        try (LarderMap<Long, Long> map = open(TestMaps.options())) {
            map.write(1L, 8, (segment, at, length) -> ValueCodec.longs().write(42L, segment, at, length));
            assertThat(map).containsOnly(Map.entry(1L, 42L));
            assertThatThrownBy(() -> map.write(1L, 8, (segment, at, length) -> {
                        throw new UnsupportedOperationException("as asked");
                    }))
                    .hasMessage("as asked");
            assertThat(map).containsOnly(Map.entry(1L, 42L));
            map.write(1L, 8, (segment, at, length) -> {
                assertThat(length).isEqualTo(8);
                ValueCodec.longs().write(map.getOrDefault(1L, 0L) + 1, segment, at, length);
            });
            assertThat(map).containsOnly(Map.entry(1L, 43L));
            assertThatThrownBy(() -> map.write(1L, -1, (segment, at, length) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("value of -1 bytes");
        }
    }

    /** A loader that its owner forgets frees its staging memory, and appends nothing on another thread. */
    @Test
    void givesItsMemoryBackWhereItIsForgotten() {
        Seeing values = new Seeing();
        try (LarderMap<Long, Long> map = LarderMap.open(place(), ValueCodec.longs(), values, TestMaps.options())) {
            map.set(1L, 1L);
            map.loader().put(2L, 2L);
            MemorySegment staged = values.seen;
            assertThat(staged.scope().isAlive()).isTrue();
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                System.gc();
                map.loader().close(); // a collected loader is closed when another one is made
                return !staged.scope().isAlive();
            });
            assertThat(map).containsOnly(Map.entry(1L, 1L));
        }
    }

    /** A codec of longs that keeps the memory it has last written to. */
    private static final class Seeing implements ValueCodec<Long> {

        private MemorySegment seen = MemorySegment.NULL;

        @Override
        public String name() {
            return "seeing";
        }

        @Override
        public int lengthBytes(Long value) {
            return ValueCodec.longs().lengthBytes(value);
        }

        @Override
        public void write(Long value, MemorySegment segment, long offset, int length) {
            seen = segment;
            ValueCodec.longs().write(value, segment, offset, length);
        }

        @Override
        public Long read(MemorySegment segment, long offset, int length) {
            return ValueCodec.longs().read(segment, offset, length);
        }
    }
}
