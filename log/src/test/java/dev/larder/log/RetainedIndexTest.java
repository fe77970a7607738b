package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.BookmarkLayout;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.retain.Dropping;
import dev.larder.log.retain.Holds;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.LockFile;
import dev.larder.memory.Words;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sequences, times, reading backwards and bookmarks, where segments are dropped. A record's number is its sequence. */
@Tag("any-storage")
@Timeout(120)
@SuppressWarnings("EnumOrdinal") // the order is the format
final class RetainedIndexTest {

    @TempDir
    private Path directory;

    private final NumberedRecords records = new NumberedRecords();

    private static LogOptions bounded() {
        return TestLogs.options().withRetention(retention -> retention.withBytes(4 * TestLogs.MIB_2));
    }

    private static int first(Log log) {
        return Position.segment(log.firstPosition());
    }

    private static int tail(Log log) {
        return Position.segment(log.endPosition());
    }

    private static void drop(Log log) {
        Droppings.of(log, bounded(), Holds.NONE).drop();
    }

    /** Keeps the background from dropping anything. */
    private static void holdMaintenance(Log log) {
        LockFile locks = OpenSession.of(log).writing().locks();
        Await.until(() -> locks.tryLock(LockFile.MAINT));
    }

    private static long numberAt(LogReader reader) {
        List<Long> read = new ArrayList<>();
        reader.poll(
                (segment, offset, length) -> read.add(NumberedRecords.number(TestLogs.copy(segment, offset, length))));
        return read.getFirst();
    }

    private static void checkSequences(Log log) {
        try (LogReader reader = log.reader()) {
            assertThat(log.verify().problems()).isEmpty();
            long oldest = reader.sequence();
            List<Long> numbers = NumberedRecords.read(reader);
            for (int i = 0; i < numbers.size(); i++) {
                assertThat(numbers.get(i)).isEqualTo(oldest + i);
                reader.moveToSequence(oldest + i);
                assertThat(reader.sequence()).isEqualTo(oldest + i);
                assertThat(numberAt(reader)).isEqualTo(oldest + i);
            }
            reader.moveToTime(Instant.EPOCH);
            assertThat(reader.sequence()).isEqualTo(oldest);
            if (oldest > 0) {
                assertThatThrownBy(() -> reader.moveToSequence(oldest - 1))
                        .isInstanceOf(GoneException.class)
                        .hasMessageContainingAll("record " + (oldest - 1), "the first is " + oldest);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void sequencesOutliveWhatWasCounted(IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            records.fill(appender, 10);
            drop(log);
            assertThat(first(log)).isEqualTo(7);
            checkSequences(log);
        }
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            checkSequences(log);
            records.fill(appender, 5);
            drop(log);
            checkSequences(log);
            assertThat(OpenSession.of(log).starts.firstSequence(first(log))).isGreaterThan(7 * 19L);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            checkSequences(log);
        }
    }

    /** A log was synced uncounted: before a segment is dropped, its records are counted, and the count is made durable. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void sequencesOutliveALossOfPower(IntegrityMode integrity) {
        Path path = Path.of("/", "counted");
        SplittableRandom random = new SplittableRandom(integrity.ordinal());
        List<PowerLossStorage> images = new ArrayList<>();
        try (PowerLossStorage power = new PowerLossStorage(7)) {
            LogOptions options =
                    HookedOptions.withStorage(TestLogs.options(), power).withIntegrity(integrity);
            try (Log log = Log.open(path, options);
                    LogAppender appender = log.appender()) {
                holdMaintenance(log);
                records.fill(appender, 6);
                log.sync();
                for (int number = 1; number <= tail(log); number++) {
                    forgetBase(log, number);
                }
                power.syncAll();
                power.beforeEachStep(() -> images.add(power.image(random)));
                drop(log);
                power.beforeEachStep(() -> {});
                assertThat(first(log)).isEqualTo(3);
                for (int i = 0; i < 10; i++) {
                    images.add(power.image(random));
                }
            }
            assertThat(images).hasSizeGreaterThan(15);
            for (PowerLossStorage image : images) {
                try (image;
                        Log log = Log.open(path, HookedOptions.withStorage(options, image))) {
                    checkSequences(log);
                }
            }
        }
    }

    private static void forgetBase(Log log, int number) {
        Segment segment = OpenSession.of(log).segments.acquire(number).orElseThrow();
        Words.setRelease(segment.memory, SegmentLayout.BASE_SEQUENCE, 0);
        Words.setRelease(segment.memory, SegmentLayout.BASE_CHECK, 0);
        OpenSession.of(log).segments.release(segment);
    }

    /** A segment that cannot be counted is dropped all the same: space is worth more than the numbers of the records left. */
    @Test
    void aDamagedSegmentIsDroppedToo() throws IOException {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            records.fill(appender, 3);
            log.sync();
            for (int number = 1; number <= tail(log); number++) {
                forgetBase(log, number);
            }
        }
        try (RandomAccessFile file =
                new RandomAccessFile(directory.resolve("0000000000.seg").toFile(), "rw")) {
            file.seek(SegmentLayout.head(TestLogs.MIB_2));
            file.writeLong(-1);
        }
        try (Log log = TestLogs.open(directory)) {
            LogOptions passing = TestLogs.options().withRetention(retention -> retention.withAge(Duration.ZERO));
            Droppings.of(log, passing, Holds.NONE).drop();
            assertThat(first(log)).isEqualTo(tail(log));
            try (LogReader reader = log.reader()) {
                assertThat(NumberedRecords.read(reader)).isNotEmpty();
            }
        }
    }

    @Test
    void aBookmarkHoldsBackWhatIsOldUntilItIsAbsentForTooLong() {
        FaultyStorage clock = new FaultyStorage(TestLogs.storage());
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), clock)
                .withRetention(retention -> retention.withAge(Duration.ZERO).withAbsence(Duration.ofSeconds(10)));
        clock.setCurrentTimeMillis(1_000_000);
        try (Log log = Log.open(directory, options)) {
            holdMaintenance(log);
            Bookmark bookmark = log.bookmark("slow");
            try (LogAppender appender = log.appender()) {
                records.fill(appender, 2);
                bookmark.move(log.endPosition());
                records.fill(appender, 3);
            }
            Dropping dropping = OpenSession.of(log).writing().dropping();
            dropping.drop();
            assertThat(first(log)).isEqualTo(2);
            clock.setCurrentTimeMillis(2_000_000);
            dropping.drop();
            assertThat(first(log)).isEqualTo(2); // a live process may hold it for any time
            bookmark.close();
            clock.setCurrentTimeMillis(2_010_000);
            dropping.drop();
            assertThat(first(log)).isEqualTo(2);
            clock.setCurrentTimeMillis(2_010_001);
            dropping.drop();
            assertThat(first(log)).isEqualTo(tail(log));
            checkSequences(log);
        }
    }

    @Test
    void bytesOverrideABookmark() {
        try (Log log = Log.open(directory, bounded());
                LogAppender appender = log.appender();
                Bookmark bookmark = log.bookmark("slow");
                LogReader reader = log.reader()) {
            holdMaintenance(log);
            reader.follow(bookmark);
            records.fill(appender, 1);
            assertThat(numberAt(reader)).isZero();
            long stood = bookmark.position();
            records.fill(appender, 9);
            OpenSession.of(log).writing().dropping().drop();
            assertThat(first(log)).isEqualTo(tail(log) - 3);
            assertThatThrownBy(() -> numberAt(reader)).isInstanceOf(FellBehindException.class);
            assertThat(bookmark.position()).isEqualTo(stood);
            reader.moveToFirst();
            numberAt(reader);
            assertThat(bookmark.position()).isEqualTo(reader.position());
        }
    }

    /** The segments that damaged bookmarks hold are unknown. */
    @Test
    void damagedBookmarksHoldEverything() throws IOException {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            log.bookmark("one").close();
            records.fill(appender, 3);
        }
        try (RandomAccessFile file =
                new RandomAccessFile(directory.resolve(BookmarkLayout.FILE_NAME).toFile(), "rw")) {
            file.seek(20);
            file.write(0xff);
        }
        LogOptions passing = TestLogs.options().withRetention(retention -> retention.withAge(Duration.ZERO));
        try (Log log = Log.open(directory, passing)) {
            assertThat(OpenSession.of(log).writing().dropping().drop()).isZero();
            assertThat(first(log)).isZero();
        }
    }

    @Test
    void readsBackwardToWhatIsLeft() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader();
                LogReader behind = log.reader()) {
            records.fill(appender, 10);
            reader.moveTo(log.endPosition());
            List<Long> read = new ArrayList<>();
            backward(reader, read, 5);
            drop(log);
            backward(reader, read, Integer.MAX_VALUE);
            assertThat(read).isEqualTo(records.lately(read.size()).reversed());
            assertThat(Position.segment(reader.position())).isEqualTo(first(log));
            assertThat(reader.sequence()).isEqualTo(read.getLast());
            assertThat(numberAt(reader)).isEqualTo(read.getLast());
            assertThatThrownBy(() -> backward(behind, read, 1)).isInstanceOf(FellBehindException.class);
        }
    }

    private static int backward(LogReader reader, List<Long> read, int limit) {
        return reader.drainBackward(
                (segment, offset, length) -> read.add(NumberedRecords.number(TestLogs.copy(segment, offset, length))),
                limit);
    }

    /** Opens the log as another, read-only process would. */
    private Log elsewhere() {
        DelegatingStorage storage = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String identity(Path path) {
                return "elsewhere " + super.identity(path);
            }
        };
        return Log.open(directory, HookedOptions.withStorage(TestLogs.options().withReadOnly(true), storage));
    }

    /** A reader without a pin gets copies, also backwards: the file is reused while the reader looks at it. */
    @Test
    void aReadOnlyReaderIsHandedCopiesBackwards() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Log looking = elsewhere();
                LogReader reader = looking.reader()) {
            holdMaintenance(log);
            records.fill(appender, 1);
            reader.moveTo(log.endPosition());
            List<byte[]> seen = new ArrayList<>();
            reader.pollBackward((segment, offset, length) -> {
                seen.add(TestLogs.copy(segment, offset, length));
                for (int i = 0; i < 12; i++) {
                    records.fill(appender, 1);
                    drop(log);
                    log.prepare(TestLogs.MIB_2);
                }
                seen.add(TestLogs.copy(segment, offset, length));
            });
            assertThat(log.counters().getOrDefault(LogCounter.RECYCLED, 0L)).isPositive();
            assertThat(seen.get(1)).isEqualTo(seen.get(0));
            assertThatThrownBy(() -> backward(reader, new ArrayList<>(), 1)).isInstanceOf(FellBehindException.class);
            assertThatThrownBy(reader::sequence).isInstanceOf(FellBehindException.class);
            reader.moveToFirst();
            assertThat(reader.sequence()).isEqualTo(numberAt(reader));
        }
    }

    /** Fills four segments, drops the first, and uses its file again as the sixth segment. */
    private void useFirstFileAgain(Log log, LogAppender appender) {
        records.fill(appender, 4);
        drop(log);
        assertThat(first(log)).isEqualTo(1);
        log.prepare(TestLogs.MIB_2);
        log.sync();
        assertThat(log.counters().getOrDefault(LogCounter.RECYCLED, 0L)).isEqualTo(1);
    }

    /** A reader without a pin saw the end of a segment before the next one was linked, and comes back too late to see it again. */
    @Test
    void aReadOnlyReaderThatHasSeenTheEndOfADroppedSegmentGoesOn() {
        AtomicReference<Runnable> atEnd = new AtomicReference<>(() -> {});
        LogOptions options = HookedOptions.withFailpoints(TestLogs.options(), step -> {
            if (step.equals("roll.ended")) {
                atEnd.getAndSet(() -> {}).run();
            }
        });
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender();
                Log looking = elsewhere();
                LogReader reader = looking.reader()) {
            OpenSession.of(log).maintenance().stop();
            List<Long> read = new ArrayList<>();
            atEnd.set(() -> read.addAll(NumberedRecords.read(reader)));
            useFirstFileAgain(log, appender);
            assertThat(read).isNotEmpty();
            assertThat(Position.segment(reader.position())).isZero();
            read.addAll(NumberedRecords.read(reader));
            assertThat(read).isEqualTo(records.lately(read.size())).startsWith(0L);
        }
    }

    /** The reader's file is used again while its handler runs: what follows there is padding. */
    @Test
    void aReadOnlyReaderThatFellBehindStaysWhereItWas() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Log looking = elsewhere();
                LogReader reader = looking.reader()) {
            OpenSession.of(log).maintenance().stop();
            records.append(appender);
            long second = log.endPosition();
            RecordHandler overwriting = (segment, offset, length) -> {
                useFirstFileAgain(log, appender);
                records.fill(appender, 1);
                assertThat(Position.offset(log.endPosition())).isEqualTo(Position.offset(second));
                assertThatThrownBy(() -> appender.append(1000, (to, at, room) -> {
                            throw new IllegalStateException("leaves padding");
                        }))
                        .hasMessage("leaves padding");
                records.append(appender);
            };
            assertThatThrownBy(() -> reader.drain(overwriting, 3))
                    .isInstanceOf(FellBehindException.class)
                    .hasMessageContaining(Position.toString(second));
            assertThat(reader.position()).isEqualTo(second);
        }
    }

    /** Each record that is delivered is whole, and its sequence is its number, however fast segments come and go. */
    @Test
    void aReadOnlyReaderGoesBackAndForthInALogThatIsDroppedUnderIt() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Log looking = elsewhere();
                LogReader reader = looking.reader()) {
            holdMaintenance(log);
            SplittableRandom random = new SplittableRandom(5);
            Dropping dropping = Droppings.of(log, bounded(), Holds.NONE);
            for (int i = 0; i < 200; i++) {
                records.append(appender);
                if (random.nextInt(5) == 0) {
                    dropping.drop();
                    log.prepare(TestLogs.MIB_2);
                }
                lookAround(reader, random);
            }
        }
    }

    private static void lookAround(LogReader reader, SplittableRandom random) {
        try {
            List<Long> read = new ArrayList<>();
            switch (random.nextInt(4)) {
                case 0 -> backward(reader, read, 1 + random.nextInt(30));
                case 1 -> reader.drain((segment, offset, length) -> {}, random.nextInt(30));
                case 2 -> reader.moveToSequence(random.nextInt(200));
                default -> reader.moveToTime(Instant.now().minusMillis(random.nextInt(1000)));
            }
            assertThat(read.stream().sorted((a, b) -> Long.compare(b, a)).toList())
                    .isEqualTo(read);
            long sequence = reader.sequence();
            reader.poll((segment, offset, length) -> assertThat(
                            NumberedRecords.number(TestLogs.copy(segment, offset, length)))
                    .isEqualTo(sequence));
        } catch (FellBehindException e) {
            reader.moveToFirst();
        } catch (GoneException | IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("record ");
        }
    }
}
