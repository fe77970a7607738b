package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.open.Opening;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.Slots;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The claim of a dead writer far before the records that a reader wants: reading backwards, and by sequence or time. */
@Timeout(120)
final class DeadWriterTest {

    private static final int OTHER = 1;
    private static final int LENGTH = 1000;

    /** How many records stand behind the claim: in the segment of the claim, or far into later ones. */
    private static final int RECORDS = 5000;

    private static final long ONE_SEGMENT = 16L << 20;

    @TempDir
    Path directory;

    private Segment claimed;
    private long claim;

    /** How many records stand before the claim. */
    private int before;

    /** Opens a log with a claim of another process in a segment of the given size, and 5000 records behind that. */
    private LogSession open(long segmentBytes) {
        LogSession session = new Opening(directory, TestLogs.options().withLargestSegmentBytes(segmentBytes)).open();
        LogAppender appender = LogAppender.open(session);
        Lane lane = new Lane();
        int number = 0;
        appender.append(new byte[LENGTH]);
        before = 1;
        claimed = session.segments.enterAtOrAfter(lane, number);
        while (claimed.limit < segmentBytes) {
            session.segments.leave(lane, claimed);
            before += TestLogs.fillUpTo(appender, ++number, LENGTH);
            claimed = session.segments.enterAtOrAfter(lane, number);
        }
        session.control.generationRelease(OTHER, 1);
        claim = claimed.chainEnd();
        long reserved = RecordWord.reserved(8, Slots.owner(OTHER, 1));
        assertThat(Words.compareAndSet(claimed.memory, claim, 0, reserved)).isTrue();
        for (int i = 0; i < RECORDS; i++) {
            appender.append(new byte[LENGTH]);
        }
        return session;
    }

    private static LogReader reader(LogSession session) {
        return LogReader.open(session, WaitStrategy.futex());
    }

    private static List<Long> backward(LogSession session, int limit) {
        List<Long> positions = new ArrayList<>();
        try (LogReader reader = reader(session)) {
            reader.moveTo(session.endPosition());
            int delivered = 1;
            while (delivered > 0) {
                delivered = reader.drainBackward((segment, offset, length) -> positions.add(reader.position()), limit);
            }
        }
        return positions;
    }

    private static List<Long> forward(LogSession session) {
        List<Long> positions = new ArrayList<>();
        try (LogReader reader = reader(session)) {
            reader.drain((segment, offset, length) -> positions.add(reader.position()), Integer.MAX_VALUE);
        }
        return positions;
    }

    private static StorageFile liveOther(Path directory) {
        StorageFile other = TestLogs.storage()
                .open(directory.resolve(LockFile.FILE_NAME), true)
                .orElseThrow();
        assertThat(other.tryLock(LockFile.live(OTHER))).isTrue();
        return other;
    }

    /** Once, the blocks behind the claim counted as empty, and only the claim's own block resolved it. */
    @ParameterizedTest
    @ValueSource(longs = {ONE_SEGMENT, TestLogs.MIB_2})
    void hidesNoRecordFromAReaderThatReadsBackward(long segmentBytes) {
        LogSession session = open(segmentBytes);
        try {
            List<Long> found = backward(session, 1000);
            assertThat(found)
                    .hasSize(before + RECORDS)
                    .isEqualTo(forward(session).reversed());
        } finally {
            session.close();
        }
    }

    /** Records behind the claim of a live writer are left out, all of its segment or none: there is no hole. */
    @Test
    void ofALiveWriterLeavesOutTheRestOfItsSegment() {
        LogSession session = open(ONE_SEGMENT);
        try {
            try (StorageFile other = liveOther(directory)) {
                assertThat(backward(session, 10)).hasSize(before);
                other.unlock(LockFile.live(OTHER));
            }
            assertThat(backward(session, 10)).hasSize(before + RECORDS);
        } finally {
            session.close();
        }
    }

    @Test
    void ofALiveWriterLeavesOutNothingInLaterSegments() {
        LogSession session = open(TestLogs.MIB_2);
        try (StorageFile other = liveOther(directory)) {
            List<Long> found = backward(session, 10);
            assertThat(found).hasSizeBetween(RECORDS / 2, RECORDS - 1000);
            assertThat(found.subList(0, found.size() - 1)).allMatch(position -> Position.segment(position) > 0);
            assertThat(found.getLast()).isEqualTo(claimed.position(claimed.head));
            other.unlock(LockFile.live(OTHER));
        } finally {
            session.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {ONE_SEGMENT, TestLogs.MIB_2})
    void hidesNoRecordFromASearchBySequence(long segmentBytes) {
        LogSession session = open(segmentBytes);
        try (LogReader reader = reader(session)) {
            reader.moveToSequence(before + RECORDS - 11);
            assertThat(TestLogs.payloads(reader)).hasSize(11);
            assertThat(reader.sequence()).isEqualTo(before + RECORDS);
        } finally {
            session.close();
        }
    }

    /** The record behind the claim, and not the claim, has the sequence. */
    @Test
    void isPassedOnTheWayToTheRecordBehindIt() {
        LogSession session = open(ONE_SEGMENT);
        try (LogReader reader = reader(session)) {
            reader.moveToSequence(before);
            assertThat(Position.offset(reader.position())).isEqualTo(claim + RecordWord.sizeBytes(8));
        } finally {
            session.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {ONE_SEGMENT, TestLogs.MIB_2})
    void hidesNoRecordFromTheCount(long segmentBytes) {
        LogSession session = open(segmentBytes);
        try (LogReader reader = reader(session)) {
            assertThat(reader.committedRecords()).isEqualTo(before + RECORDS);
        } finally {
            session.close();
        }
    }

    @Test
    void ofALiveWriterStopsTheCount() {
        LogSession session = open(ONE_SEGMENT);
        try (StorageFile other = liveOther(directory);
                LogReader reader = reader(session)) {
            assertThat(reader.committedRecords()).isEqualTo(before);
            assertThatThrownBy(() -> reader.moveToSequence(before + 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the next one is " + before + ",");
            other.unlock(LockFile.live(OTHER));
        } finally {
            session.close();
        }
    }

    /** A search by time ends at most 1 MiB before the record. */
    @Test
    void holdsNoSearchByTimeBack() {
        LogSession session = open(ONE_SEGMENT);
        try (LogReader reader = reader(session)) {
            reader.moveToTime(Instant.now().plusSeconds(3600));
            assertThat(reader.position()).isEqualTo(session.endPosition());
            reader.moveToTime(Instant.ofEpochMilli(lastRow()));
            assertThat(reader.position()).isGreaterThan(claimed.position(2 * SegmentLayout.BLOCK_BYTES));
        } finally {
            session.close();
        }
    }

    private long lastRow() {
        return claimed.rows.timeMillis(3) + 1;
    }
}
