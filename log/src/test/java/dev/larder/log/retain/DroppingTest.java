package dev.larder.log.retain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.larder.log.Await;
import dev.larder.log.Droppings;
import dev.larder.log.FellBehindException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.NumberedRecords;
import dev.larder.log.Position;
import dev.larder.log.RandomLog.Clock;
import dev.larder.log.TestLogs;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.LockFile;
import dev.larder.memory.Access;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which segments are dropped, when, and what happens to readers that stood in them. */
@Timeout(120)
final class DroppingTest {

    @TempDir
    private Path directory;

    private final NumberedRecords records = new NumberedRecords();

    private static LogOptions bounded() {
        return TestLogs.options().withRetention(retention -> retention.withBytes(4 * TestLogs.MIB_2));
    }

    private static LogOptions passing() {
        return TestLogs.options().withRetention(retention -> retention.withAge(Duration.ZERO));
    }

    private static int first(Log log) {
        return Position.segment(log.firstPosition());
    }

    private static int tail(Log log) {
        return Position.segment(log.endPosition());
    }

    private static int drop(Log log) {
        return Droppings.of(log, bounded(), Holds.NONE).drop();
    }

    /** The log was opened with a retention, so its background drops segments. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void theBackgroundKeepsALogToItsBytes(IntegrityMode integrity) {
        try (Log log = Log.open(directory, bounded().withIntegrity(integrity));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            records.fill(appender, 20);
            Await.until(() -> first(log) == tail(log) - 3);
            reader.moveToFirst();
            List<Long> read = NumberedRecords.read(reader);
            assertThat(read).isEqualTo(records.lately(read.size())).hasSizeGreaterThan(3 * 20);
            assertThat(log.verify().problems()).isEmpty();
            Await.until(() -> log.counters().getOrDefault(LogCounter.DROPPED, 0L) == first(log));
        }
    }

    @Test
    void whatWasDroppedIsGoneAfterTheNextOpeningToo() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            assertThat(drop(log)).isEqualTo(7);
        }
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            assertThat(first(log)).isEqualTo(7);
            assertThat(NumberedRecords.read(reader).getLast()).isEqualTo(records.last());
            records.append(appender);
            assertThat(NumberedRecords.read(reader)).containsExactly(records.last());
            assertThat(log.info().segments()).isLessThanOrEqualTo(5);
        }
    }

    /** A log with a size limit is too large at each roll; that alone is no reason for the writer to stop and drop. */
    @Test
    void aWriterDropsOnlyWhereNothingHasGoneSinceTheLastRoll() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            Dropping ofWriter = Droppings.of(log, bounded(), Holds.NONE);
            ofWriter.rolled();
            assertThat(first(log)).isZero();
            drop(log); // stands for the background
            records.fill(appender, 1);
            ofWriter.rolled();
            assertThat(first(log)).isEqualTo(7);
            records.fill(appender, 1);
            ofWriter.rolled();
            assertThat(first(log)).isEqualTo(tail(log) - 3);
        }
    }

    /** A clock jumps ten years ahead, stays there while two segments are filled, and is put right. */
    @Test
    void aClockThatWasAheadDoesNotStopDroppingByAge() {
        Clock clock = new Clock(TestLogs.storage());
        LogOptions aged = HookedOptions.withStorage(TestLogs.options(), clock)
                .withRetention(retention -> retention.withAge(Duration.ofDays(1)));
        long tenYears = Duration.ofDays(3650).toMillis();
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), clock));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            Dropping dropping = Droppings.of(log, aged, Holds.NONE);
            records.fill(appender, 3);
            clock.jump(tenYears);
            records.fill(appender, 2);
            clock.jump(-tenYears);
            records.fill(appender, 3);
            assertThat(dropping.drop()).as("nothing is a day old").isZero();
            assertThat(log.verify().problems()).isEmpty();
            clock.jump(Duration.ofDays(2).toMillis());
            assertThat(dropping.drop()).isPositive();
            assertThat(first(log)).isEqualTo(tail(log));
            reader.moveToTime(java.time.Instant.ofEpochMilli(clock.currentTimeMillis()));
            assertThat(reader.position())
                    .as("times stand still, and never go back")
                    .isEqualTo(log.firstPosition());
        }
    }

    /** One dropper is about to make a new first segment durable, and another drops that segment: none is missing then. */
    @Test
    void whoIsAtItLetsOthersDropMore() {
        AtomicReference<@Nullable Log> others = new AtomicReference<>();
        Failpoints steps = step -> {
            Log other = step.equals("drop.entered") ? others.getAndSet(null) : null;
            assertThat(other == null ? 7 : drop(other)).isEqualTo(7);
        };
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), steps));
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            others.set(log);
            assertThat(drop(log)).isZero();
            assertThat(others).hasValue(null);
            assertThat(first(log)).isEqualTo(7);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void tellsAReaderThatFellBehindWhereItStoodAndWhereTheLogBegins() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            records.fill(appender, 10);
            reader.drain((segment, offset, length) -> {}, 3);
            long stood = reader.position();
            drop(log);
            FellBehindException behind = catchThrowableOfType(
                    FellBehindException.class, () -> reader.drain((segment, offset, length) -> {}, 1));
            assertThat(behind.position()).isEqualTo(stood);
            assertThat(behind.firstPosition()).isEqualTo(Position.of(7, 0));
            assertThat(behind).hasMessageContainingAll(directory.toString(), Position.toString(stood), "7:0");
            assertThat(reader.position()).isEqualTo(stood);
            assertThatThrownBy(() -> reader.poll((segment, offset, length) -> {}, Duration.ofSeconds(60)))
                    .isInstanceOf(FellBehindException.class);
            assertThatThrownBy(() -> reader.moveTo(stood)).isInstanceOf(FellBehindException.class);
            reader.moveTo(behind.firstPosition());
            assertThat(NumberedRecords.read(reader).getLast()).isEqualTo(records.last());
        }
    }

    /** A reader that has read every dropped record has missed nothing, whether or not it has seen the segment's end. */
    @Test
    void leavesAReaderAloneThatHasMissedNothing() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader before = log.reader();
                LogReader behind = log.reader()) {
            records.fill(appender, 4);
            long inFirst = before.drain((segment, offset, length) -> {}, 1) + drainSegment(before);
            assertThat(drainSegment(behind)).isEqualTo(inFirst);
            drop(log);
            assertThat(first(log)).isEqualTo(1);
            assertThat(NumberedRecords.read(before).getFirst()).isEqualTo(inFirst);
            assertThat(NumberedRecords.read(behind).getFirst()).isEqualTo(inFirst);
        }
    }

    /** Reads records one by one, up to the last record of the segment that the reader stands in. */
    private static long drainSegment(LogReader reader) {
        int segment = Position.segment(reader.position());
        long read = 0;
        LogReader probe = reader;
        while (Position.segment(probe.position()) == segment && !isLast(probe)) {
            read += reader.drain((memory, offset, length) -> {}, 1);
        }
        return read;
    }

    private static boolean isLast(LogReader reader) {
        return Position.offset(reader.position())
                > TestLogs.MIB_2 - NumberedRecords.SIZE_BYTES - Segment.END_ROOM_BYTES;
    }

    /** The reader reaches the end of the log, and is called again long after that. */
    @Test
    void aReaderAtTheEndOfALogThatWentOnWithoutItFellBehind() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            records.append(appender);
            assertThat(NumberedRecords.read(reader)).hasSize(1);
            records.fill(appender, 10);
            drop(log);
            assertThatThrownBy(() -> reader.poll((segment, offset, length) -> {}))
                    .isInstanceOf(FellBehindException.class);
        }
    }

    /** The segments are made and prepared long before records come to them. */
    @Test
    void dropsByAgeOnceTheFirstRecordBehindASegmentIsOldEnough() {
        FaultyStorage clock = new FaultyStorage(TestLogs.storage());
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), clock);
        LogOptions aging = options.withRetention(retention -> retention.withAge(Duration.ofDays(1)));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            clock.setCurrentTimeMillis(1_000_000);
            records.fill(appender, 3); // 0 to 2
            log.prepare(8 * TestLogs.MIB_2);
            clock.setCurrentTimeMillis(2_000_000);
            records.fill(appender, 3); // 3 to 5
            Dropping dropping = Droppings.of(log, aging, Holds.NONE);
            clock.setCurrentTimeMillis(1_000_000 + Duration.ofDays(1).toMillis());
            assertThat(dropping.drop()).isZero();
            clock.setCurrentTimeMillis(1_000_001 + Duration.ofDays(1).toMillis());
            dropping.drop();
            assertThat(first(log)).isBetween(2, 3); // 2 has ended with the first record of 3, then or later
            clock.setCurrentTimeMillis(2_000_000 + Duration.ofDays(1).toMillis());
            dropping.drop();
            assertThat(first(log)).isEqualTo(3);
            clock.setCurrentTimeMillis(2_000_001 + Duration.ofDays(1).toMillis());
            dropping.drop();
            assertThat(first(log)).isEqualTo(tail(log));
        }
    }

    @Test
    void ageLetsGoOnlyWhatNobodyHolds() {
        AtomicLong held = new AtomicLong(Position.of(2, 8192));
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 5);
            Dropping dropping = Droppings.of(log, passing(), held::get);
            dropping.drop();
            assertThat(first(log)).isEqualTo(2);
            held.set(Long.MAX_VALUE);
            dropping.drop();
            assertThat(first(log)).isEqualTo(tail(log));
        }
    }

    @Test
    void bytesAreAbsolute() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            Droppings.of(log, bounded(), () -> 0).drop();
            assertThat(first(log)).isEqualTo(tail(log) - 3);
        }
    }

    /** A claim that a live writer has not committed holds its segment back. */
    @Test
    void neverDropsWhatIsNotSettled() {
        try (Log log = TestLogs.open(directory);
                LogAppender slow = log.appender();
                LogAppender appender = log.appender()) {
            slow.append(100, (segment, offset, length) -> {
                records.fill(appender, 10);
                assertThat(drop(log)).isZero();
            });
            drop(log);
            assertThat(first(log)).isEqualTo(tail(log) - 3);
        }
    }

    @Test
    void aFailedLogDropsNothing() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            OpenSession.of(log).control.failFlush();
            assertThat(drop(log)).isZero();
            OpenSession.of(log).control.clearFailed();
        }
    }

    /** While the background is held up, for example in another process, writers keep the log to its bytes themselves. */
    @Test
    void aRollerThatFindsTheLogTooLargeTwiceDropsByItself() {
        try (Log log = Log.open(directory, bounded());
                LogAppender appender = log.appender()) {
            LockFile locks = OpenSession.of(log).writing().locks();
            Await.until(() -> locks.tryLock(LockFile.MAINT));
            records.fill(appender, 20);
            assertThat(first(log)).isGreaterThanOrEqualTo(tail(log) - 4);
            locks.unlock(LockFile.MAINT);
        }
    }

    @Test
    void aRollerThatFindsNoSpaceDropsByItself() {
        LogOptions options = HookedOptions.withStorage(passing(), new SmallDisk());
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            LockFile locks = OpenSession.of(log).writing().locks();
            Await.until(() -> locks.tryLock(LockFile.MAINT));
            records.fill(appender, 20);
            assertThat(tail(log)).isEqualTo(20);
            locks.unlock(LockFile.MAINT);
        }
    }

    @Test
    void aFullDiskWithNothingToDropIsAnError() {
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), new SmallDisk()));
                LogAppender appender = log.appender()) {
            assertThatThrownBy(() -> records.fill(appender, 20)).isInstanceOf(DiskFullException.class);
        }
    }

    /** A disk with room for five segments. */
    private final class SmallDisk extends DelegatingStorage {

        SmallDisk() {
            super(TestLogs.storage());
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            long files = list(directory).stream()
                    .filter(name -> SegmentLayout.numberOf(name) >= 0 || name.startsWith("p-"))
                    .count();
            if (files >= 5) {
                throw new DiskFullException(file + ": no room for a sixth");
            }
            return super.create(file, access);
        }
    }

    /** A roller stopped before its link must not make a segment again whose number was filled and dropped meanwhile. */
    @Test
    void aRollerThatWasStoppedForLongGoesOnAtTheTail() {
        List<Runnable> meanwhile = new ArrayList<>();
        LogOptions options = HookedOptions.withFailpoints(TestLogs.options(), step -> {
            if (step.equals("roll.linked") && !meanwhile.isEmpty()) {
                meanwhile.removeFirst().run();
            }
        });
        int next;
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            LockFile locks = OpenSession.of(log).writing().locks();
            Await.until(() -> locks.tryLock(LockFile.MAINT));
            records.fill(appender, 2);
            ControlFile control = OpenSession.of(log).control;
            int made = tail(log) + 1;
            next = made;
            meanwhile.add(() -> {
                for (int number = first(log); number <= made; number++) {
                    assertThat(control.dropFirst(number)).isTrue();
                }
                control.raiseTail(made + 1);
                OpenSession.of(log).segments.making().createAlone(made + 1, TestLogs.MIB_2);
            });
            while (!meanwhile.isEmpty()) {
                records.append(appender);
            }
            assertThat(tail(log)).isEqualTo(made + 1);
            try (LogReader reader = log.reader()) {
                assertThat(NumberedRecords.read(reader)).containsExactly(records.last());
            }
            locks.unlock(LockFile.MAINT);
        }
        // Not before: a system that keeps the names of mapped files may have refused to delete it at once.
        assertThat(directory.resolve(SegmentLayout.fileName(next))).doesNotExist();
    }

    /**
     * A dropper that died between its compare-and-set and the rename leaves a file that the next dropper or an opening
     * removes.
     */
    @Test
    void whatADeadDropperHasLeftIsCleanedUp() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            assertThat(OpenSession.of(log).control.dropFirst(0)).isTrue();
            assertThat(directory.resolve(SegmentLayout.fileName(0))).exists();
            drop(log);
            assertThat(directory.resolve(SegmentLayout.fileName(0))).doesNotExist();
            assertThat(OpenSession.of(log).control.dropFirst(first(log))).isTrue();
        }
        int first;
        try (Log log = TestLogs.open(directory)) {
            first = first(log);
        }
        assertThat(directory.resolve(SegmentLayout.fileName(first - 1))).doesNotExist();
        assertThat(directory.resolve(SegmentLayout.fileName(first))).exists();
    }

    /** A power loss would give the segment back to the log, and its file would be missing. */
    @Test
    void whatAnotherDropsMeanwhileStaysUntilThatIsDurable() {
        AtomicReference<@Nullable Log> others = new AtomicReference<>();
        Failpoints steps = step -> {
            Log other = step.equals("drop.durable") ? others.getAndSet(null) : null;
            if (other != null) {
                assertThat(OpenSession.of(other).control.dropFirst(7)).isTrue();
            }
        };
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), steps));
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            others.set(log);
            assertThat(drop(log)).isEqualTo(7);
            assertThat(first(log)).isEqualTo(8);
            assertThat(directory.resolve(SegmentLayout.fileName(6))).doesNotExist();
            assertThat(directory.resolve(SegmentLayout.fileName(7))).exists();
            Droppings.of(log, bounded(), Holds.NONE).sweep();
            assertThat(directory.resolve(SegmentLayout.fileName(7))).doesNotExist();
        }
    }

    /** A read-only reader has no pin: it gets copies, and an error when the records that it reads are gone. */
    @Test
    void aReadOnlyReaderGetsCopiesAndIsToldWhenItFellBehind() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                ReadOnlyCopy other = new ReadOnlyCopy(directory);
                LogReader reader = other.log().reader()) {
            records.fill(appender, 10);
            List<Long> read = new ArrayList<>();
            reader.drain(
                    (segment, offset, length) -> {
                        drop(log);
                        log.prepare(2 * TestLogs.MIB_2); // the file that is being read is reused by now
                        read.add(NumberedRecords.number(TestLogs.copy(segment, offset, length)));
                    },
                    1);
            assertThat(read).containsExactly(0L);
            assertThatThrownBy(() -> reader.drain((segment, offset, length) -> {}, 1))
                    .isInstanceOf(FellBehindException.class);
            reader.moveToFirst();
            assertThat(NumberedRecords.read(reader).getLast()).isEqualTo(records.last());
        }
    }

    /** A second opening of a log in this JVM, where openings are otherwise shared. */
    private record ReadOnlyCopy(Log log) implements AutoCloseable {

        ReadOnlyCopy(Path directory) {
            this(Log.open(
                    directory, HookedOptions.withStorage(TestLogs.options().withReadOnly(true), new Elsewhere())));
        }

        @Override
        public void close() {
            log.close();
        }
    }

    /** The same files, under another identity. */
    private static final class Elsewhere extends DelegatingStorage {

        Elsewhere() {
            super(TestLogs.storage());
        }

        @Override
        public String identity(Path place) {
            return "elsewhere:" + super.identity(place);
        }
    }
}
