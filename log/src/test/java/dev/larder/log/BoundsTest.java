package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.segment.MappedSegments;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins;
import dev.larder.memory.Allocation;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.Words;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many mappings and descriptors a log takes. */
@Timeout(600)
final class BoundsTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");

    @TempDir
    private Path directory;

    private final NumberedRecords records = new NumberedRecords();

    /** Mappings, or descriptors, of files of the log's directory. */
    private long mappings() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(this::isOfTheLog).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isOfTheLog(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains(directory.toString());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    private static void assumeProc() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "there is no /proc/self/maps here");
    }

    @Test
    void unmapsWhatWasEnteredLongestAgo() {
        LogOptions few = TestLogs.options().withLayout(layout -> layout.withMappedSegments(4));
        try (Log log = Log.open(directory, few);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            LockFile locks = OpenSession.of(log).writing().locks();
            int own = OpenSession.of(log).writing().slot();
            Await.until(() -> locks.tryLock(LockFile.MAINT)); // no segment is made ahead
            records.fill(appender, 12);
            assertThat(NumberedRecords.read(reader)).isEqualTo(records.lately((int) records.last() + 1));
            Await.until(() ->
                    !Pins.cover(OpenSession.of(log).control, locks, own, 11)); // the background has come to the tail
            assertThat(OpenSession.of(log).segments.mapped().count()).isLessThanOrEqualTo(5);
            for (int number : List.of(3, 4, 3, 5)) {
                reader.moveTo(Position.of(number, 0));
            }
            reader.moveTo(log.endPosition());
            assertThat(OpenSession.of(log).segments.mapped().isMapped(3)).isTrue();
            assertThat(OpenSession.of(log).segments.mapped().isMapped(5)).isTrue();
            reader.moveTo(Position.of(6, 0)); // one mapping has to go for it
            assertThat(OpenSession.of(log).segments.mapped().isMapped(4)).isFalse();
            reader.moveToFirst();
            assertThat(NumberedRecords.read(reader)).hasSize((int) records.last() + 1);
        }
    }

    private static void writeAndClose(MemorySegment memory, Pipe.SinkChannel to) {
        try (to) {
            to.write(memory.asByteBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The channel holds the segment's memory while it waits. Nobody has a lane in the segment. */
    @Test
    void readsOnWhileACallStillReadsWhatIsToBeUnmapped() throws IOException, InterruptedException {
        LogOptions few = TestLogs.options().withLayout(layout -> layout.withMappedSegments(4));
        try (Log log = Log.open(directory, few);
                LogAppender appender = log.appender()) {
            records.fill(appender, 12);
        }
        Pipe pipe = Pipe.open();
        try (Log log = Log.open(directory, few.withReadOnly(true));
                LogReader reader = log.reader();
                Pipe.SourceChannel source = pipe.source()) { // its closing ends the call, whatever fails
            MappedSegments mapped = OpenSession.of(log).segments.mapped();
            Segment first = OpenSession.of(log).segments.acquire(0).orElseThrow();
            OpenSession.of(log).segments.release(first);
            Thread call = Thread.ofPlatform().start(() -> writeAndClose(first.memory, pipe.sink()));
            assertThat(source.read(ByteBuffer.allocate(1)))
                    .as("the call has begun")
                    .isOne();
            assertThat(NumberedRecords.read(reader)).hasSize((int) records.last() + 1);
            assertThat(mapped.isMapped(0)).isTrue();
            assertThat(mapped.count()).isLessThanOrEqualTo(5);
            while (source.read(ByteBuffer.allocate(100_000)) >= 0) {}
            call.join();
            reader.moveToFirst();
            assertThat(NumberedRecords.read(reader)).hasSize((int) records.last() + 1);
            assertThat(mapped.isMapped(0)).isFalse();
            assertThat(mapped.count()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void staysTheSameOverManyRollsWithRetention() {
        assumeProc();
        int rolls = SOAK ? 10_000 : 200;
        LogOptions bounded = TestLogs.options().withRetention(retention -> retention.withBytes(4 * TestLogs.MIB_2));
        try (Log log = Log.open(directory, bounded);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            while (Position.segment(log.endPosition()) < rolls) {
                appender.append(500_000, (segment, offset, length) -> {});
                reader.drain((segment, offset, length) -> {}, 10);
            }
            Await.until(() -> Position.segment(log.firstPosition()) >= rolls - 4);
            log.sync();
            Await.until(() -> mappings() <= 12 && descriptors() <= 12);
            assertThat(OpenSession.of(log).segments.mapped().count()).isLessThanOrEqualTo(8);
        }
        assertThat(mappings() + descriptors()).isZero();
    }

    /** Descriptors were kept for the next flush, one for each segment: a log that was never synced ran out of them. */
    @Test
    void keepsNoDescriptorOfWhatIsNotSynced() {
        assumeProc();
        LogOptions unsynced = TestLogs.options().withSync(SyncPolicy.none());
        try (Log log = Log.open(directory, unsynced);
                LogAppender appender = log.appender()) {
            records.fill(appender, 40);
            Await.until(() -> descriptors() <= 10);
        }
        try (Log log = Log.open(directory, unsynced);
                LogReader reader = log.reader()) {
            assertThat(NumberedRecords.read(reader)).hasSize((int) records.last() + 1);
            assertThat(descriptors()).isLessThanOrEqualTo(10);
            log.sync();
            assertThat(descriptors()).isLessThanOrEqualTo(10);
            assertThat(Position.segment(log.durablePosition())).isGreaterThanOrEqualTo(40);
            assertThat(mappings()).isGreaterThanOrEqualTo(40);
        }
    }

    /** A call that fails at the limit of the system leaves nothing behind. */
    @ParameterizedTest
    @EnumSource(
            value = StorageCall.class,
            names = {"OPEN", "MAP"})
    void saysWhichFileWasTooManyAndGoesOnOnceThereIsRoom(StorageCall call) {
        FaultyStorage limited = new FaultyStorage(TestLogs.storage());
        LogOptions few = HookedOptions.withStorage(TestLogs.options(), limited)
                .withLayout(layout -> layout.withMappedSegments(1));
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 3);
        }
        try (Log log = Log.open(directory, few);
                LogReader reader = log.reader()) {
            long mapped = OpenSession.of(log).segments.mapped().count();
            String file = directory.resolve(SegmentLayout.fileName(1)).toString();
            limited.failFrom(call, limited.count(call) + 1, () -> new StorageException(file + ": Too many open files"));
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> reader.drain((segment, offset, length) -> {}, 1000))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("Too many open files");
            }
            assertThat(OpenSession.of(log).segments.mapped().count()).isLessThanOrEqualTo((int) mapped);
            assertThatThrownBy(() -> reader.moveTo(Position.of(1, 0))).isInstanceOf(StorageException.class);
            assertThat(reader.position()).isLessThan(Position.of(1, 0));
            limited.heal();
            assertThat(NumberedRecords.read(reader).getLast()).isEqualTo(records.last());
        }
        if (Files.isReadable(Path.of("/proc/self/maps"))) {
            assertThat(mappings() + descriptors()).isZero();
        }
    }

    /** When a flush got no descriptor, the log failed, for every user and for good. */
    @ParameterizedTest
    @EnumSource(
            value = StorageCall.class,
            names = {"OPEN", "FORCE", "SYNC_DIRECTORY"})
    void aSyncAtTheLimitPromisesNothingAndFailsNothing(StorageCall call) {
        FaultyStorage limited = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), limited));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            records.fill(appender, 3);
            Await.until(
                    () -> !OpenSession.of(log).segments.mapped().hasDescriptor(1)); // so that a flush has to open it
            long durable = log.durablePosition();
            limited.failFrom(call, limited.count(call) + 1, () -> new SystemLimitException("too many open files"));
            assertThatThrownBy(log::sync).isInstanceOf(SystemLimitException.class);
            assertThat(log.durablePosition()).isEqualTo(durable);
            limited.heal();
            records.append(appender);
            assertThat(log.sync()).isEqualTo(log.endPosition());
            assertThat(NumberedRecords.read(reader)).isEqualTo(records.lately((int) records.last() + 1));
        }
    }

    @Test
    void manySmallLogsAreOpenAtOnce() {
        int count = SOAK ? 1000 : 100;
        LogOptions small = TestLogs.options().withLayout(layout -> layout.withAllocation(Allocation.GROW));
        List<Log> logs = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Log log = Log.open(directory.resolve("log" + i), small);
                logs.add(log);
                try (LogAppender appender = log.appender()) {
                    appender.append(TestLogs.bytes("log " + i));
                }
            }
            for (int i = 0; i < count; i++) {
                assertThat(TestLogs.texts(logs.get(i))).containsExactly("log " + i);
            }
        } finally {
            logs.forEach(Log::close);
        }
    }

    /** A terabyte of segments, mapped at once, and read to its end. Each has three records, and holes for the rest. */
    @Test
    void aTerabyteIsMappedAndReadToItsEnd() throws IOException {
        assumeProc();
        int segments = SOAK ? 1024 : 32;
        makeSparse(segments);
        try (Log log = Log.open(directory, TestLogs.options().withLargestSegmentBytes(0));
                LogReader reader = log.reader()) {
            assertThat(mappings()).isLessThanOrEqualTo(4);
            long[] read = new long[1];
            reader.drain((segment, offset, length) -> read[0]++, Integer.MAX_VALUE);
            assertThat(read[0]).isEqualTo(3L * segments);
            assertThat(mappings()).isBetween((long) segments, 2L * segments + 50);
            assertThat(descriptors()).isLessThan(50);
            assertThat(OpenSession.of(log).segments.mapped().count()).isEqualTo(segments);
        }
        assertThat(mappings() + descriptors()).isZero();
    }

    private void makeSparse(int segments) throws IOException {
        long bytes = 1L << 30;
        UUID identity;
        try (Log log = Log.open(
                directory,
                TestLogs.options().withIntegrity(IntegrityMode.RECORD).withLargestSegmentBytes(bytes))) {
            identity = log.info().identity();
        }
        long end = 0;
        Files.delete(directory.resolve(SegmentLayout.fileName(0)));
        for (int number = 0; number < segments; number++) {
            end = makeSparse(identity, number, bytes, number + 1 < segments);
        }
        try (StorageFile file = TestLogs.storage()
                        .open(directory.resolve(ControlLayout.FILE_NAME), true)
                        .orElseThrow();
                ControlFile control = new ControlFile(file, true)) {
            control.setTail(Position.segment(end));
            control.durableRelease(end);
            control.ending(new ControlFile.Ending(
                    ControlFile.State.CLEAN,
                    end,
                    end,
                    control.ending().orElseThrow().memory()));
        }
    }

    /** Makes a segment of three records; returns the position of its end. */
    private long makeSparse(UUID log, int number, long bytes, boolean ended) {
        Path path = directory.resolve(SegmentLayout.fileName(number));
        try (StorageFile file = TestLogs.storage()
                        .create(path, dev.larder.memory.Access.OWNER)
                        .orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(bytes, Allocation.GROW);
            MemorySegment memory = file.map(0, bytes, true, arena);
            long salt = 77L + number;
            Segment.format(memory, number, salt, log, IntegrityMode.RECORD, 0, 0);
            long at = SegmentLayout.head(bytes);
            for (int i = 0; i < 3; i++) {
                Words.setPlain(memory, at, RecordWord.committed(salt, Position.of(number, at), 0, 0));
                at += RecordWord.sizeBytes(0);
            }
            if (ended) {
                Words.setPlain(memory, at, RecordWord.end(salt, Position.of(number, at)));
            }
            Words.setPlain(memory, SegmentLayout.HINT, Position.of(number, at));
            return Position.of(number, at);
        }
    }
}
