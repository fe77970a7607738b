package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.NotInMemoryException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.CorruptException;
import dev.larder.memory.PageCache;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A map whose pages have left the memory. The map loads them by calls, and the reading threads take no fault that waits for the
 * disk. The control reads the same pages through the mapping, and takes such faults.
 */
@Timeout(120)
final class ColdReadsTest {

    private static final int ENTRIES = 20_000;
    private static final int VALUE_BYTES = 300;
    private static final int MAJOR_FAULTS = 9;
    private static final long DAMAGED = 700;

    /** After lookups that found all pages in memory, one in 128 checks. Until then each missing page is a fault. */
    private static final long UNNOTICED_FAULTS = 800;

    @TempDir
    Path directory;

    private final EvictingStorage storage = new EvictingStorage();

    /** Tracks the mappings and evicts their pages; counts the loads, and the faults within them. */
    private static final class EvictingStorage extends DelegatingStorage {

        private final List<MemorySegment> mapped = new ArrayList<>();
        private long broughtIn;
        private long faultsWithin;
        private long asked;

        EvictingStorage() {
            super(SystemStorage.system());
        }

        @Override
        public synchronized void expect(MemorySegment mapping, AccessOrder order) {
            if (mapped.stream().noneMatch(known -> known.address() == mapping.address())) {
                mapped.add(mapping);
            }
            super.expect(mapping, order);
        }

        @Override
        public boolean isResident(MemorySegment mapping, long offset, long bytes) {
            asked++;
            return super.isResident(mapping, offset, bytes);
        }

        @Override
        public void bringIn(MemorySegment pages, Path file, long offset) {
            broughtIn++;
            long before = majorFaults();
            super.bringIn(pages, file, offset);
            faultsWithin += majorFaults() - before;
        }

        synchronized void evict(Path files) throws IOException {
            mapped.removeIf(mapping -> !mapping.scope().isAlive());
            for (MemorySegment mapping : mapped) {
                super.expect(mapping, AccessOrder.RANDOM); // a fault loads one page, and not its neighbours
                releasePageTables(mapping);
            }
            try (Stream<Path> all = Files.list(files)) {
                all.filter(file -> file.toString().endsWith(".seg")).forEach(PageCache::drop);
            }
        }
    }

    /** Returns the page faults of this thread that had to wait for the disk. */
    private static long majorFaults() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[MAJOR_FAULTS]);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void requireWhatEvicts() throws IOException {
        assumeTrue(
                SystemStorage.system().isNative() && TestMaps.storage().equals(SystemStorage.system()),
                "it needs native calls");
        Path file = Files.write(directory.resolve("probe"), new byte[1 << 16]);
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        PageCache.drop(file);
        assumeTrue(PageCache.residentBytes(file).orElse(1) == 0, "nothing leaves the memory on this file system");
    }

    private LarderMap<Long, byte[]> open() {
        return LarderMap.open(
                directory.resolve("map"),
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults()
                        .withLog(HookedOptions.withStorage(TestMaps.options(), storage))
                        .withCleaning(Cleaning.defaults().withBackground(false)));
    }

    private static byte[] value(long key) {
        return ByteBuffer.allocate(VALUE_BYTES)
                .putLong(key)
                .putLong(VALUE_BYTES - 8, ~key)
                .array();
    }

    private static List<Long> shuffled() {
        List<Long> keys = new ArrayList<>(LongStream.range(0, ENTRIES).boxed().toList());
        Collections.shuffle(keys, new java.util.Random(1));
        return keys;
    }

    private void fill(LarderMap<Long, byte[]> map) {
        LongStream.range(0, ENTRIES).forEach(key -> map.set(key, value(key)));
        map.sync();
    }

    /** Loads by system calls, so no thread has touched the pages: nothing tells whether they are in memory. */
    private void load(LarderMap<Long, byte[]> map) {
        try (MapLoader<Long, byte[]> loader = map.loader()) {
            LongStream.range(0, ENTRIES).forEach(key -> loader.put(key, value(key)));
        }
        map.sync();
    }

    private void evict() throws IOException {
        storage.evict(directory.resolve("map"));
        storage.broughtIn = 0;
        storage.faultsWithin = 0;
    }

    private long faultsOf(Runnable reading) {
        long before = majorFaults();
        reading.run();
        return majorFaults() - before - storage.faultsWithin;
    }

    /** Without the calls that load pages there would be hundreds of faults. */
    @Test
    void takesNoFaultThatWaitsForTheDisk() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            load(map);
            evict();
            long faults = faultsOf(
                    () -> shuffled().forEach(key -> assertThat(map.get(key)).isEqualTo(value(key))));
            assertThat(storage.broughtIn).isGreaterThan(500);
            assertThat(faults).isLessThan(10);
            evict();
            assertThat(faultsOf(this::touchAll)).as("the control").isGreaterThan(10);
        }
    }

    private void touchAll() {
        long sum = 0;
        for (MemorySegment mapping : storage.mapped) {
            for (long at = 0; at < mapping.byteSize(); at += 1 << 16) {
                sum += mapping.get(ValueLayout.JAVA_BYTE, at);
            }
        }
        assertThat(sum).isNotEqualTo(-1);
    }

    /**
     * In groups, the reads of the disk are under way together. This holds also for records that span pages, and for changes that
     * are not made. Changes that are made also take faults where they write.
     */
    @Test
    void readsAndChangesManyColdKeys() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            load(map);
            evict();
            long faults = faultsOf(() -> {
                Map<Long, byte[]> all = map.getAll(shuffled());
                assertThat(all).hasSize(ENTRIES);
                all.forEach((key, value) -> assertThat(value).isEqualTo(value(key)));
            });
            assertThat(storage.broughtIn).isPositive();
            assertThat(faults).isLessThan(10);
            evict();
            assertThat(faultsOf(() -> shuffled()
                            .forEach(key -> assertThat(map.replace(key, value(key + 1), value(key)))
                                    .isFalse())))
                    .isLessThan(UNNOTICED_FAULTS);
        }
    }

    /** Reads like an event loop: it finds a page missing, another thread loads the page, and the loop looks again. */
    @Test
    void asksOnceForAPageThatIsMissing() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            load(map);
            evict();
            int missing = 0;
            long further = 0;
            for (long key : shuffled()) {
                try {
                    map.withoutReading(() -> map.get(key));
                } catch (NotInMemoryException e) {
                    missing++;
                    long before = storage.asked;
                    map.get(key);
                    assertThat(map.withoutReading(() -> map.get(key))).isEqualTo(value(key));
                    further += storage.asked - before;
                }
            }
            assertThat(missing).isGreaterThan(500);
            assertThat(further).as("questions").isLessThan(missing / 2);
        }
    }

    /** A call for each page just written would be a sixth of the work of a map that is read and written at once. */
    @Test
    void asksForNoPageThatWasJustWritten() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
            long before = storage.asked;
            shuffled().forEach(map::get);
            assertThat(storage.asked - before).isBetween(ENTRIES / 128L / 2, ENTRIES / 128L * 2);
        }
    }

    /** The map notices that pages which it has seen have left the memory. */
    @Test
    void noticesThatMemoryHasBecomeShort() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
            shuffled().forEach(map::get);
            long before = storage.broughtIn;
            shuffled().forEach(map::get);
            assertThat(storage.broughtIn).as("all is there").isEqualTo(before);
            evict();
            assertThat(faultsOf(() ->
                            shuffled().forEach(key -> assertThat(map.get(key)).isEqualTo(value(key)))))
                    .isLessThan(UNNOTICED_FAULTS);
            assertThat(storage.broughtIn).isPositive();
        }
    }

    /** The cleaner reads whole blocks. */
    @Test
    void cleansWithoutFaults() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
            LongStream.range(0, ENTRIES).filter(key -> key % 2 == 0).forEach(map::remove);
            map.sync();
            evict();
            assertThat(faultsOf(map::compact)).isLessThan(UNNOTICED_FAULTS);
            assertThat(storage.broughtIn).isPositive();
            assertThat(map).hasSize(ENTRIES / 2);
        }
    }

    /** Data that comes back from the disk is verified, like the data on the disk when the map was opened. */
    @Test
    void neverReturnsWhatTheDiskHasDamagedMeanwhile() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            load(map);
            damage(DAMAGED);
            for (int look = 0; look < 3; look++) {
                assertDamageIsTold(map);
            }
            shuffled().stream()
                    .filter(key -> key != DAMAGED)
                    .forEach(key -> assertThat(map.get(key)).isEqualTo(value(key)));
        }
    }

    /** If all pages were in memory a moment ago, the map takes a while to notice that some have left. */
    @Test
    void provesAllOnceSomeHaveLeft() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
            damage(DAMAGED);
            shuffled().stream().filter(key -> key != DAMAGED).forEach(map::get);
            assertDamageIsTold(map);
        }
    }

    private static void assertDamageIsTold(LarderMap<Long, byte[]> map) {
        assertThatThrownBy(() -> map.get(DAMAGED))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining(".seg: the record at position ")
                .hasMessageEndingWith(" fails its check");
    }

    /** Damages a record that no lookup has read before, since its page would then count as seen. */
    private void damage(long key) throws IOException {
        Path file = directory.resolve("map").resolve("0000000000.seg");
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        int place = bytes.indexOf(new String(value(key), StandardCharsets.ISO_8859_1));
        assertThat(place).isPositive();
        FlippedBit.in(file, place + VALUE_BYTES / 2);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        evict();
    }
}
