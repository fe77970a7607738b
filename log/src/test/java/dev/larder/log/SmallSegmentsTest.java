package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.RandomLog.Found;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Crc32c;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments of less than a block: they have one row, and their only block is never whole. */
@Timeout(120)
final class SmallSegmentsTest {

    private static final long KIB_64 = 64L << 10;
    private static final int RECORD_MAX_BYTES = (int) KIB_64 / 4;

    @TempDir
    Path directory;

    private static LogOptions options() {
        return TestLogs.options().withLargestSegmentBytes(KIB_64);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void holdWhatLargeOnesHold(IntegrityMode integrity) {
        for (int lap = 0; lap < 3; lap++) {
            try (Log log = Log.open(directory, options().withIntegrity(integrity));
                    LogAppender appender = log.appender()) {
                append(log, appender, new SplittableRandom(lap));
                SequenceChecks.checkAll(log);
                checkBackward(log);
                assertThat(log.verify().problems()).isEmpty();
            }
        }
        assertThat(directory.toFile().list((folder, name) -> name.endsWith(".seg")))
                .hasSizeGreaterThan(20);
    }

    private static void append(Log log, LogAppender appender, SplittableRandom random) {
        List<Found> before = RandomLog.read(log);
        List<Integer> sums = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] bytes = TestLogs.bytes(random.nextInt(RECORD_MAX_BYTES + 1), i);
            appender.append(bytes);
            sums.add(Crc32c.of(java.lang.foreign.MemorySegment.ofArray(bytes), 0, bytes.length));
            if (random.nextInt(10) == 0) {
                log.sync();
            }
        }
        List<Found> all = RandomLog.read(log);
        assertThat(all.subList(0, before.size())).isEqualTo(before);
        assertThat(all.subList(before.size(), all.size()).stream().map(Found::crc))
                .isEqualTo(sums);
    }

    private static void checkBackward(Log log) {
        List<Long> positions = new ArrayList<>();
        try (LogReader reader = log.reader()) {
            reader.moveTo(log.endPosition());
            while (reader.pollBackward((segment, offset, length) -> {})) {
                positions.add(reader.position());
            }
        }
        Collections.reverse(positions);
        assertThat(positions)
                .isEqualTo(RandomLog.read(log).stream().map(Found::position).toList());
    }

    @Test
    void growFromTheFirstToTheLargest() {
        LogOptions growing = TestLogs.options().withLayout(layout -> layout.withFirstSegmentBytes(KIB_64));
        try (Log log = Log.open(directory, growing);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 7, 10_000);
            for (int number = 0; number < 7; number++) {
                assertThat(TestLogs.segmentBytes(log, number)).isEqualTo(Math.min(KIB_64 << number, 2L << 20));
            }
            SequenceChecks.checkAll(log);
        }
    }

    @Test
    void areDroppedBeforeAPosition() {
        try (Log log = Log.open(directory, options());
                LogAppender appender = log.appender()) {
            List<Long> positions = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                positions.add(appender.append(TestLogs.bytes(10_000, i)));
            }
            assertThat(log.dropBefore(positions.get(60))).isEqualTo(Position.segment(positions.get(60)));
            assertThat(Position.segment(log.firstPosition())).isEqualTo(Position.segment(positions.get(60)));
            assertThat(log.dropBefore(positions.get(60))).isZero();
            assertThat(RandomLog.read(log).getLast().position()).isEqualTo(positions.getLast());
            try (LogReader reader = log.reader(positions.get(60))) {
                assertThat(reader.sequence()).isEqualTo(60);
            }
            try (Bookmark place = log.bookmark("reader")) {
                place.move(positions.get(70));
                log.dropBefore(positions.get(90));
                assertThat(Position.segment(log.firstPosition())).isEqualTo(Position.segment(positions.get(70)));
            }
            assertThat(log.dropBookmark("reader")).isTrue();
            log.dropBefore(log.endPosition());
            assertThat(Position.segment(log.firstPosition())).isEqualTo(Position.segment(positions.getLast()));
        }
    }

    /** Each segment is dropped before its file is freed, so the log begins behind all of them. */
    @Test
    void areDroppedThoughAFileCannotBeFreed() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(options(), storage));
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 5, 10_000);
            storage.fail(
                    StorageCall.RENAME, storage.count(StorageCall.RENAME) + 1, () -> new StorageException("first"));
            storage.fail(
                    StorageCall.RENAME, storage.count(StorageCall.RENAME) + 3, () -> new StorageException("third"));
            assertThatThrownBy(() -> log.dropBefore(log.endPosition()))
                    .hasMessage("first")
                    .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
            assertThat(Position.segment(log.firstPosition())).isEqualTo(5);
            assertThat(directory.resolve(SegmentLayout.fileName(0))).exists();
            assertThat(directory.resolve(SegmentLayout.fileName(1))).doesNotExist();
        }
        try (Log log = Log.open(directory, options())) {
            assertThat(log.verify().problems()).isEmpty();
            assertThat(directory.resolve(SegmentLayout.fileName(0))).doesNotExist();
        }
    }

    @Test
    void aFirstSegmentIsNoLargerThanTheLargest() {
        LogOptions options = options().withLayout(layout -> layout.withFirstSegmentBytes(2L << 20));
        try (Log log = Log.open(directory, options)) {
            assertThat(TestLogs.segmentBytes(log, 0)).isEqualTo(KIB_64);
        }
    }

    @Test
    void aRecordIsAQuarterOfTheLargest() {
        try (Log log = Log.open(directory, options());
                LogAppender appender = log.appender()) {
            appender.append(new byte[RECORD_MAX_BYTES]);
            assertThatThrownBy(() -> appender.append(new byte[RECORD_MAX_BYTES + 1]))
                    .isInstanceOf(RecordTooLargeException.class);
        }
    }

    @Test
    void areDroppedByTheirBytes() {
        LogOptions kept = options().withRetention(retention -> retention.withBytes(4 * KIB_64));
        try (Log log = Log.open(directory, kept);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 30, 10_000);
            log.sync();
            assertThat(log.firstPosition()).isGreaterThan(Position.of(20, 0));
            assertThat(log.verify().problems()).isEmpty();
        }
        try (Log log = Log.open(directory, kept)) {
            assertThat(TestLogs.payloads(log)).hasSizeGreaterThan(10);
        }
    }

    @Test
    void haveALeastSize() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogLayout.defaults().withLargestSegmentBytes(32 << 10))
                .withMessage("largest segment of 32768 bytes is not a power of two between 65536 and 4294967296");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogLayout.defaults().withFirstSegmentBytes(65_537))
                .withMessage("first segment of 65537 bytes is not a power of two between 65536 and 4294967296");
    }
}
