package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.CorruptException;
import dev.larder.memory.ForeignFileException;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A map that is opened again, from its checkpoint, from its log, from both, and from the remains of damage. */
@Timeout(120)
final class ReopeningTest {

    @TempDir
    Path directory;

    private static void change(Map<Long, Long> map, Map<Long, Long> expected, long seed, int changes) {
        Random random = new Random(seed);
        for (int i = 0; i < changes; i++) {
            long key = random.nextInt(changes);
            long value = random.nextLong();
            if (random.nextInt(4) == 0) {
                assertThat(map.remove(key)).isEqualTo(expected.remove(key));
            } else {
                assertThat(map.put(key, value)).isEqualTo(expected.put(key, value));
            }
        }
    }

    private void check(Map<Long, Long> expected) {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.longSize()).isEqualTo(expected.size());
            assertThat(map).isEqualTo(expected);
        }
    }

    @Test
    void isThereAfterItWasClosed() {
        Map<Long, Long> expected = new HashMap<>();
        for (int round = 0; round < 3; round++) {
            try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
                assertThat(map).isEqualTo(expected);
                change(map, expected, round, 50_000);
            }
        }
        check(expected);
    }

    /** A disk can lose its newest version of a page. Here it is the one with the log's end. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void showsNoOldStateForAStaleControlPage(boolean withCheckpoint) throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        Path control = directory.resolve("log.ctl");
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 1_000);
        }
        byte[] stale = Arrays.copyOf(Files.readAllBytes(control), 8192);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 2, 100_000);
        }
        if (!withCheckpoint) {
            Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        }
        try (RandomAccessFile file = new RandomAccessFile(control.toFile(), "rw")) {
            file.write(stale);
        }
        check(expected);
        check(expected);
    }

    /** If the system has no thread left, the threads that exist still read the log, or the caller does. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void readsTheLogWhereNoThreadCanBeStarted(int started) throws IOException {
        AtomicInteger starts = new AtomicInteger();
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
            for (long key = 0; key < 100; key++) {
                map.set(key, new byte[100_000]);
            }
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (step.equals("replay.starting") && starts.getAndIncrement() == started) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            assertThat(map.longSize()).isEqualTo(100);
        }
        assertThat(starts).as("so many were tried").hasValue(started + 1);
    }

    private FileTime image() throws IOException {
        return Files.getLastModifiedTime(directory.resolve(CheckpointLayout.FILE_NAME));
    }

    @Test
    void leavesTheImageToWhoChangesSomething() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 1_000);
        }
        Files.setLastModifiedTime(directory.resolve(CheckpointLayout.FILE_NAME), FileTime.fromMillis(1_000_000));
        check(expected);
        assertThat(image()).as("nobody has changed anything").isEqualTo(FileTime.fromMillis(1_000_000));
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.remove(expected.keySet().iterator().next());
        }
        assertThat(image()).isGreaterThan(FileTime.fromMillis(1_000_000));
        FlippedBit.in(
                directory.resolve(CheckpointLayout.FILE_NAME), CheckpointLayout.STEPS_AT + IndexPageLayout.BYTES + 100);
        Files.setLastModifiedTime(directory.resolve(CheckpointLayout.FILE_NAME), FileTime.fromMillis(1_000_000));
        expected.remove(expected.keySet().iterator().next());
        check(expected);
        assertThat(image()).as("a damaged one is replaced").isGreaterThan(FileTime.fromMillis(1_000_000));
    }

    @Test
    void leavesTheImageAsItIsWhereItIsToldTo() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 1_000);
        }
        Files.setLastModifiedTime(directory.resolve(CheckpointLayout.FILE_NAME), FileTime.fromMillis(1_000_000));
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 2, 1_000);
            map.leaveOutLastCheckpoint();
        }
        assertThat(image()).isEqualTo(FileTime.fromMillis(1_000_000));
        check(expected);
        assertThat(image()).as("the next closing writes one").isGreaterThan(FileTime.fromMillis(1_000_000));
    }

    /** Files copied one after the other, beside writers: the log is cut below what the checkpoint knows, and continues. */
    @Test
    void doesNotBelieveAnImageOfALogThatWasCutSince(@TempDir Path copied) throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 1_000);
            map.sync();
            TestMaps.copy(directory, copied);
            change(map, new HashMap<>(expected), 2, 1_000);
        }
        Files.move(
                directory.resolve(CheckpointLayout.FILE_NAME),
                copied.resolve(CheckpointLayout.FILE_NAME),
                StandardCopyOption.REPLACE_EXISTING);
        LaterLog.forgetBoot(copied);
        try (LarderMap<Long, Long> map = TestMaps.longs(copied)) {
            assertThat(map.info().log().endPosition()).as("it goes on").isGreaterThan(1L << 32);
            assertThat(map).isEqualTo(expected);
        }
    }

    /** Without a checkpoint the whole log is read, with the same result. */
    @Test
    void isBuiltAnewWithoutAnImage() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 50_000);
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        check(expected);
    }

    /** Several threads read the log, and meet the records of a key in any order. */
    @Test
    void isBuiltAnewFromManySegments() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (int round = 0; round < 4; round++) {
                change(map, expected, round, 150_000);
            }
            assertThat(map.info().log().segments()).isGreaterThan(4);
        }
        for (int round = 0; round < 3; round++) {
            Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
            check(expected);
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 7, 1000);
        }
        check(expected);
    }

    /** A killed process leaves a checkpoint that is older than the log. */
    @Test
    void goesOnFromAnOlderImage() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 30_000);
            map.checkpoint();
            Files.copy(image, directory.resolve("older"));
            change(map, expected, 2, 30_000);
        }
        Files.move(directory.resolve("older"), image, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        check(expected);
    }

    /** Puts keys in their order, and each key's half, until it is told to end. */
    private static final class GrowingMap {

        private final AtomicLong keys = new AtomicLong();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final CompletableFuture<Void> writer;

        GrowingMap(LarderMap<Long, Long> map) {
            writer = OtherThread.run(() -> {
                while (!ended.get()) {
                    long key = keys.get();
                    map.set(key, key);
                    map.set(key / 2, key);
                    keys.setRelease(key + 1);
                }
            });
        }

        void awaitMore(long more) {
            long least = keys.get() + more;
            await().atMost(Duration.ofMinutes(1)).until(() -> writer.isDone() || keys.get() > least);
            assertThat(writer).isNotDone();
        }

        /** Ends the writer, and returns how many keys there are. */
        long end() {
            ended.set(true);
            writer.join();
            return keys.get();
        }
    }

    /** A checkpoint that is begun while others put contains some of their puts. Reading these again changes nothing. */
    @Test
    void takesAnImageWhileItGrows() throws IOException {
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        long keys;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            GrowingMap growing = new GrowingMap(map);
            try {
                growing.awaitMore(20_000);
                map.checkpoint();
                Files.copy(image, directory.resolve("older"));
                growing.awaitMore(20_000);
            } finally {
                keys = growing.end();
            }
        }
        Files.move(directory.resolve("older"), image, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.longSize()).isEqualTo(keys);
            for (long key = 0; key < keys; key++) {
                long last = LongStream.of(2 * key + 1, 2 * key, key)
                        .filter(put -> put < keys)
                        .findFirst()
                        .orElseThrow();
                assertThat(map.get(key)).isEqualTo(last);
            }
        }
    }

    @Test
    void isBuiltAnewWhereTheImageIsDamaged() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 20_000);
        }
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        long bytes = Files.size(image);
        for (long at : new long[] {0, 70, 88, 4096, 5000, bytes / 2, bytes - 1}) {
            FlippedBit.in(image, at);
            check(expected); // and its close makes a new checkpoint
        }
    }

    @Test
    void isBuiltAnewWhereTheImageWasCut() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            change(map, expected, 1, 1000);
        }
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        for (long bytes : new long[] {0, 1000, 4096, 100_000}) {
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(bytes);
            }
            check(expected);
        }
    }

    @Test
    void leavesOutAnImageOfWhatTheLogHasLost() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        Path earlier = directory.resolve("earlier");
        Path later = directory.resolve("later");
        try (LarderMap<Long, Long> map = TestMaps.longs(earlier)) {
            change(map, expected, 1, 1000);
        }
        TestMaps.copy(earlier, later);
        try (LarderMap<Long, Long> map = TestMaps.longs(later)) {
            change(map, new HashMap<>(expected), 2, 1000);
        }
        TestMaps.copy(earlier, directory.resolve("mixed"));
        Files.copy(
                later.resolve(CheckpointLayout.FILE_NAME),
                directory.resolve("mixed").resolve(CheckpointLayout.FILE_NAME),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory.resolve("mixed"))) {
            assertThat(map).isEqualTo(expected);
        }
    }

    /**
     * The log of a backup under the checkpoint of a later time. The first opening rejects that checkpoint. The log then grows
     * beyond the checkpoint's end, with a record that begins just there, or with none.
     */
    @ParameterizedTest
    @CsvSource({"1000, 1000", "996, 1111"})
    void anImageThatWasRejectedIsNotBelievedLater(int bytesOfOther, int bytes) throws IOException {
        Path later = directory.resolve("later");
        Path restored = directory.resolve("restored");
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(later)) {
            put(map, 0, 100, 1000);
        }
        TestMaps.copy(later, restored);
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(later)) {
            put(map, 0, 100, bytesOfOther);
        }
        Path image = restored.resolve(CheckpointLayout.FILE_NAME);
        Files.copy(later.resolve(CheckpointLayout.FILE_NAME), image, StandardCopyOption.REPLACE_EXISTING);
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(restored)) {
            assertThat(map.longSize()).isEqualTo(100);
            put(map, 100, 300, bytes);
            map.leaveOutLastCheckpoint(); // as if the process was killed
        }
        assertThat(image).doesNotExist();
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(restored)) {
            assertThat(map.keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, 300).boxed().toList());
            assertThat(map.get(0L)).hasSize(1000);
            assertThat(map.get(299L)).hasSize(bytes);
        }
        assertThat(image).exists();
    }

    /** The log has grown beyond the end of a checkpoint that was put there later, and no record begins at that end. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anImageThatEndsWithinARecordIsRejected(boolean readOnly) throws IOException {
        Path other = directory.resolve("other");
        Path restored = directory.resolve("restored");
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(other)) {
            put(map, 0, 100, 1000);
        }
        TestMaps.copy(other, restored);
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(other)) {
            put(map, 0, 100, 996);
        }
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(restored)) {
            put(map, 100, 300, 1111);
        }
        Path image = restored.resolve(CheckpointLayout.FILE_NAME);
        Files.copy(other.resolve(CheckpointLayout.FILE_NAME), image, StandardCopyOption.REPLACE_EXISTING);
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                restored,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                TestMaps.options().withReadOnly(readOnly))) {
            assertThat(map.longSize()).isEqualTo(300);
            assertThat(map.get(0L)).hasSize(1000);
            assertThat(map.get(299L)).hasSize(1111);
        }
    }

    /** It changes no file, and may be of a process that may not. */
    @Test
    void aReadOnlyOpeningLeavesARejectedImage() throws IOException {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
            put(map, 0, 100, 1000);
        }
        Path image = directory.resolve(CheckpointLayout.FILE_NAME);
        FlippedBit.in(image, CheckpointLayout.REACH);
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                TestMaps.options().withReadOnly(true))) {
            assertThat(map.longSize()).isEqualTo(100);
        }
        assertThat(image).exists();
    }

    private static void put(LarderMap<Long, byte[]> map, long from, long to, int bytes) {
        for (long key = from; key < to; key++) {
            map.set(key, new byte[bytes]);
        }
    }

    @Test
    void refusesADamagedMapFile() throws IOException {
        TestMaps.longs(directory).close();
        FlippedBit.in(directory.resolve(MapFile.FILE_NAME), 64);
        assertThatThrownBy(() -> TestMaps.longs(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining(MapFile.FILE_NAME);
    }

    @Test
    void refusesTheLogOfAQueue() {
        Log.open(directory, TestMaps.options()).close();
        assertThatThrownBy(() -> TestMaps.longs(directory))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("there is a log here without map.ctl");
    }

    @Test
    void namesARecordThatIsNone() {
        MapFile.open(directory, TestMaps.options(), TestMaps.LONGS)
                .close(); // a log that does not name its owner, so that nobody is refused
        long position;
        try (Log log = Log.open(directory, TestMaps.options());
                LogAppender appender = log.appender()) {
            position = appender.append(new byte[] {9, 9, 9});
        }
        assertThatThrownBy(() -> TestMaps.longs(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("of 3 bytes, is not an entry of a map")
                .hasMessageContaining(dev.larder.log.Position.toString(position));
    }

    /** The thread that comes to such a record first names it. */
    @Test
    void namesARecordThatIsNoneOfManySegments() {
        MapFile.open(directory, TestMaps.options(), TestMaps.LONGS).close();
        try (Log log = Log.open(directory, TestMaps.options());
                LogAppender appender = log.appender()) {
            for (int records = 0; records < 100; records++) {
                appender.append(new byte[100_000]);
            }
            assertThat(log.info().segments()).isGreaterThan(2);
        }
        assertThatThrownBy(() -> TestMaps.longs(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("of 100000 bytes, is not an entry of a map");
    }

    /** In mode RECORD each record is checked by itself when reads are verified. */
    @Test
    void neverReturnsADamagedValue() throws IOException {
        var options = TestMaps.options().withIntegrity(IntegrityMode.RECORD).withVerifyReads(true);
        long[] place = new long[1];
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            map.put(1L, new byte[100]);
            map.put(2L, new byte[100]);
            map.read(2L, (segment, offset, length) -> place[0] = offset);
        }
        FlippedBit.in(directory.resolve("0000000000.seg"), place[0] + 50);
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            assertThat(map.get(1L)).isEqualTo(new byte[100]);
            assertThatThrownBy(() -> map.get(2L))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("0000000000.seg: the record at position 0:")
                    .hasMessageContaining("fails its check");
        }
    }

    /** In mode SEAL the whole block is checked. */
    @Test
    void neverReturnsAValueOfADamagedBlock() throws IOException {
        var options = TestMaps.options().withIntegrity(IntegrityMode.SEAL).withVerifyReads(true);
        long[] place = new long[1];
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            map.put(1L, new byte[100]);
            map.read(1L, (segment, offset, length) -> place[0] = offset);
        }
        FlippedBit.in(directory.resolve("0000000000.seg"), place[0] + 50);
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            assertThatThrownBy(() -> map.get(1L))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("0000000000.seg: block 0")
                    .hasMessageContaining("fails its seal");
        }
    }

    /** An interrupt does not stop a thread that has nothing to wait for. */
    @Test
    void isOpenedAndClosedByAnInterruptedThread() {
        Thread.currentThread().interrupt();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.put(1L, 2L);
            try (LarderMap<Long, Long> shared = TestMaps.longs(directory)) {
                assertThat(shared.get(1L)).isEqualTo(2);
            }
            map.checkpoint();
        }
        assertThat(Thread.interrupted()).isTrue();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.get(1L)).isEqualTo(2);
        }
    }
}
