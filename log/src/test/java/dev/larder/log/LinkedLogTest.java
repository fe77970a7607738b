package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.random.CheckedRecords;
import dev.larder.log.random.LogRecords;
import dev.larder.log.random.OpenSession;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.NewerFormatException;
import dev.larder.memory.PageCache;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log for a structure that links its records: the structure alone appends, checks its copies, and drops the oldest segment. */
final class LinkedLogTest {

    private static final int LENGTH = 100_000;

    @TempDir
    Path directory;

    private static LogOptions linked() {
        return HookedOptions.with(TestLogs.options(), doors -> doors.withLinked(true));
    }

    private static List<Long> fill(LogRecords records, int count) {
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long position = records.claim(LENGTH, new OpenClaim(LinkedLogTest.class));
            MemorySegment.copy(
                    TestLogs.bytes(LENGTH, i),
                    0,
                    records.claimed(position),
                    ValueLayout.JAVA_BYTE,
                    LogRecords.payload(position),
                    LENGTH);
            if (i % 5 == 4) {
                records.abandon(position);
            } else {
                records.commit(position);
                positions.add(position);
            }
        }
        return positions;
    }

    private static List<Long> checked(LogRecords records, int segment) {
        List<Long> found = new ArrayList<>();
        try (CheckedRecords all = records.checked(segment)) {
            while (all.next()) {
                assertThat(all.length()).isEqualTo(LENGTH);
                found.add(all.position());
            }
        }
        return found;
    }

    private static byte[] bytes(LogRecords records, long position) {
        return records.bytes(position)
                .asSlice(LogRecords.payload(position), LENGTH)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void dropsItsOldestSegmentWhenItIsTold(IntegrityMode integrity) {
        try (Log log = Log.open(directory, linked().withIntegrity(integrity));
                LogRecords records = LogRecords.of(log)) {
            List<Long> positions = fill(records, 70);
            log.sync();
            List<Long> oldest =
                    positions.stream().filter(at -> Position.segment(at) == 0).toList();
            assertThat(checked(records, 0)).isEqualTo(oldest);
            byte[] before = bytes(records, oldest.getFirst());
            assertThat(records.fileBytes()).isGreaterThan(records.usedBytes());
            long files = records.fileBytes();
            assertThat(records.dropFirst(1)).isFalse();
            assertThat(records.dropFirst(0)).isTrue();
            assertThat(records.firstSegment()).isEqualTo(1);
            assertThat(records.fileBytes()).isLessThan(files);
            assertThat(bytes(records, oldest.getFirst())).isEqualTo(before); // users inside still see it
            MemorySegment memory = records.bytes(oldest.getFirst());
            records.leaveBefore(1);
            records.free(0);
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(
                            () -> // the background may still be unmapping it
                            assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 5000))
                                    .isInstanceOf(IllegalStateException.class));
            assertThatThrownBy(() -> records.length(oldest.getFirst())).isInstanceOf(FellBehindException.class);
            assertThat(directory.resolve("0000000000.seg")).doesNotExist();
            assertThat(checked(records, 1)).isNotEmpty();
        }
        try (Log log = Log.open(directory, linked())) {
            assertThat(Position.segment(log.firstPosition())).isEqualTo(1);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A drop keeps the tail, and every segment that a bookmark holds. */
    @Test
    void keepsWhatIsHeld() {
        try (Log log = Log.open(directory, linked());
                LogRecords records = LogRecords.of(log);
                Bookmark reader = log.bookmark("reader")) {
            assertThat(records.dropFirst(0)).isFalse();
            fill(records, 70);
            log.sync();
            assertThat(records.dropFirst(0)).isFalse();
            reader.move(log.endPosition());
            assertThat(records.dropFirst(0)).isTrue();
            records.leaveBefore(1);
            records.free(0);
            while (records.firstSegment() < records.tailSegment()) {
                int first = records.firstSegment();
                assertThat(records.dropFirst(first)).isTrue();
                records.leaveBefore(first + 1);
                records.free(first);
            }
            assertThat(records.dropFirst(records.tailSegment())).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = IntegrityMode.class,
            names = {"RECORD", "SEAL"})
    void handsOverNothingThatIsDamaged(IntegrityMode integrity) throws IOException {
        try (Log log = Log.open(directory, linked().withIntegrity(integrity));
                LogRecords records = LogRecords.of(log)) {
            List<Long> positions = fill(records, 40);
            log.sync();
            long damaged = positions.get(3);
            try (RandomAccessFile file =
                    new RandomAccessFile(directory.resolve("0000000000.seg").toFile(), "rw")) {
                file.seek(LogRecords.payload(damaged) + 5000); // as it stands in memory, too
                int there = file.read();
                file.seek(LogRecords.payload(damaged) + 5000);
                file.write(there ^ 1);
            }
            try (CheckedRecords all = records.checked(0)) {
                List<Long> found = new ArrayList<>();
                assertThatThrownBy(() -> {
                            while (all.next()) {
                                found.add(all.position());
                            }
                        })
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining("0000000000.seg: ");
                assertThat(found).doesNotContain(damaged);
                assertThatThrownBy(all::next).isInstanceOf(CorruptException.class);
            }
        }
    }

    @Test
    void letsOthersReadIt() {
        try (Log log = Log.open(directory, linked());
                LogRecords records = LogRecords.of(log)) {
            fill(records, 3);
        }
        try (Log log = TestLogs.open(directory)) {
            assertThat(TestLogs.payloads(log)).hasSize(3);
            assertThatThrownBy(log::appender)
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageContaining("the log belongs to a map, and only the map appends to it");
            assertThatThrownBy(() -> LogRecords.of(log))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageContaining("only the map links its records");
            assertThatThrownBy(() -> log.dropBefore(log.endPosition()))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageContaining("only the map drops its records");
        }
        assertThatThrownBy(() -> Log.open(
                        directory, TestLogs.options().withRetention(retention -> retention.withBytes(8L << 20))))
                .isInstanceOf(LogMismatchException.class)
                .hasMessageContaining("only the map drops its records");
    }

    /** Acts as an older release, which does not know the feature bit: the test sets a bit that this release does not know. */
    @Test
    void isReadAloneByWhoDoesNotKnowTheBit() throws IOException {
        Log.open(directory, linked()).close();
        try (FileChannel file = FileChannel.open(
                        directory.resolve(ControlLayout.FILE_NAME), StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment control = file.map(FileChannel.MapMode.READ_WRITE, 0, ControlLayout.SIZE_BYTES, arena);
            FileHeader.write(
                    control,
                    ControlLayout.FORMAT,
                    ControlLayout.VERSION,
                    ControlLayout.HEADER_BYTES,
                    new Features(0, 2, 0));
        }
        assertThatThrownBy(() -> TestLogs.open(directory)).isInstanceOf(NewerFormatException.class);
        Log.open(directory, TestLogs.options().withReadOnly(true)).close();
        assertThat(Files.exists(directory.resolve("0000000000.seg"))).isTrue();
    }

    /** New segments follow the requested size, up and down. */
    @Test
    void makesSegmentsOfTheSizeThatIsAskedFor() {
        LogOptions options = linked().withLargestSegmentBytes(16L << 20);
        try (Log log = Log.open(directory, options);
                LogRecords records = LogRecords.of(log)) {
            records.segmentBytes(4L << 20);
            fill(records, 200);
            assertThat(records.fileBytes(records.tailSegment())).isEqualTo(4L << 20);
            records.segmentBytes(2L << 20);
            fill(records, 100);
            assertThat(records.fileBytes(records.tailSegment())).isEqualTo(2L << 20);
            log.sync();
            assertThat(log.verify().problems()).isEmpty();
            assertThat(TestLogs.payloads(log)).hasSize(240);
        }
    }

    /** Each new file is filled with zeros as a whole, or not at all. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void makesFilesPresentThatStayInMemory(boolean fits) {
        Written storage = new Written(fits ? Long.MAX_VALUE : TestLogs.MIB_2);
        try (Log log = Log.open(directory, HookedOptions.withStorage(linked(), storage));
                LogRecords records = LogRecords.of(log)) {
            fill(records, 25);
            assertThat(records.tailSegment()).isEqualTo(1);
            storage.bytes.forEach((path, bytes) -> assertThat(bytes).isEqualTo(fits ? storage.sizes.get(path) : 0));
            assertThat(storage.sizes).isNotEmpty();
        }
    }

    /** The log does not fit in memory: only files that a writer reaches before the zeros are evicted get zeros. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void makesFilesPresentThatAreWrittenSoon(boolean soon) {
        long memoryBytes = 32 * TestLogs.MIB_2;
        Written storage = new Written(memoryBytes);
        storage.nanosPerFile = soon ? 0 : 2_000_000_000;
        try (Log log = Log.open(directory, HookedOptions.withStorage(linked(), storage));
                LogRecords records = LogRecords.of(log)) {
            while (records.fileBytes() < memoryBytes) {
                fill(records, 20);
            }
            List<Path> order = List.copyOf(storage.order); // the background may make one more
            int made = order.size() - 1; // the last one may be in the making
            List<Long> written = order.subList(made - 3, made).stream()
                    .map(storage.bytes::get)
                    .toList();
            assertThat(written).containsOnly(soon ? TestLogs.MIB_2 : 0L);
        }
    }

    /** A sync writes whole pages of the page cache; a page is as large as the piece of zeros that made it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesZerosInPiecesThatSuitItsSyncs(boolean synced) {
        Written storage = new Written(Long.MAX_VALUE);
        try (Log log = Log.open(directory, HookedOptions.withStorage(linked(), storage));
                LogRecords records = LogRecords.of(log)) {
            for (int i = 0; i < 80; i++) {
                fill(records, 1);
                if (synced) {
                    log.sync();
                }
            }
            assertThat(records.tailSegment()).isGreaterThanOrEqualTo(2);
        }
        Long piece = storage.pieces.get(storage.order.get(2));
        long suitable =
                Long.highestOneBit(LENGTH / 8); // or twice that: what a segment has no room for counts as appended
        assertThat(piece).isIn(synced ? List.of(suitable, 2 * suitable) : List.of(TestLogs.MIB_2));
    }

    /** On a memory file system, files get their space as large pages, or an error where there is none. */
    @Test
    void makesFilesOfMemoryWhole() throws IOException {
        Path shared = Path.of("/dev/shm");
        Memory storage = new Memory();
        boolean isMemory =
                Files.isWritable(shared) && storage.fileSystem(shared).isMemory();
        assumeTrue(storage.isNative() && isMemory, "no files that are memory, or no native calls");
        Path folder = Files.createTempDirectory(shared, "larder-test");
        try (Log log = Log.open(folder, HookedOptions.withStorage(linked(), storage));
                LogRecords records = LogRecords.of(log)) {
            await().until(() -> OpenSession.of(log).writing().locks().tryLock(LockFile.MAINT)); // nothing is made ahead
            fill(records, 25);
            assertThat(storage.bytes).hasValue(2 * TestLogs.MIB_2);
            assertThat(PageCache.residentBytes(folder.resolve("0000000001.seg")))
                    .hasValue(TestLogs.MIB_2);
            storage.full = true;
            assertThatThrownBy(() -> fill(records, 25))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining(folder + "/p-")
                    .hasMessageContaining("no room");
            storage.full = false;
            fill(records, 25);
            assertThat(log.verify().problems()).isEmpty();
            OpenSession.of(log).writing().locks().unlock(LockFile.MAINT);
        } finally {
            List<String> left = storage.list(folder);
            left.forEach(name -> storage.delete(folder.resolve(name)));
            Files.delete(folder);
            assertThat(left).noneMatch(name -> name.endsWith(PrivateFiles.SUFFIX));
        }
    }

    /** Counts the bytes that are populated as large pages, and may have no room for any. */
    private static final class Memory extends DelegatingStorage {

        private final AtomicLong bytes = new AtomicLong();
        private volatile boolean full;

        Memory() {
            super(TestLogs.storage());
        }

        @Override
        public void populateLargePages(MemorySegment mapped) {
            if (full) {
                throw new DiskFullException("no room");
            }
            bytes.addAndGet(mapped.byteSize());
            super.populateLargePages(mapped);
        }
    }

    /** Counts the bytes written into new segment files, by calls; the machine has the given amount of memory. */
    private static final class Written extends DelegatingStorage {

        final Map<Path, Long> bytes = new ConcurrentHashMap<>();
        final Map<Path, Long> sizes = new ConcurrentHashMap<>();
        final Map<Path, Long> pieces = new ConcurrentHashMap<>();
        final List<Path> order = new CopyOnWriteArrayList<>();
        private final AtomicLong passedNanos = new AtomicLong();
        private final long memoryBytes;
        private volatile long nanosPerFile;

        Written(long memoryBytes) {
            super(TestLogs.storage());
            this.memoryBytes = memoryBytes;
        }

        @Override
        public long memoryBytes() {
            return memoryBytes;
        }

        @Override
        public long nanoTime() {
            return super.nanoTime() + passedNanos.get();
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            passedNanos.addAndGet(nanosPerFile);
            return super.create(file, access).map(made -> new DelegatingFile(made) {
                @Override
                public void allocate(long size, Allocation allocation) {
                    super.allocate(size, Allocation.RESERVE);
                    if (size >= TestLogs.MIB_2) {
                        sizes.put(file, size);
                        bytes.put(file, 0L);
                        order.add(file);
                    }
                }

                @Override
                public void write(MemorySegment source, long offset) {
                    super.write(source, offset);
                    assertThat(source.mismatch(MemorySegment.ofArray(new byte[(int) source.byteSize()])))
                            .isEqualTo(-1);
                    bytes.computeIfPresent(file, (same, before) -> before + source.byteSize());
                    pieces.merge(file, source.byteSize(), Math::max);
                }
            });
        }
    }
}
