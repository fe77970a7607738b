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

    /**
     * An open log with a claim.
     *
     * @param before how many records stand before the claim
     */
    private record Scene(LogSession session, Segment claimed, long claim, int before) implements AutoCloseable {

        @Override
        public void close() {
            session.close();
        }
    }

    /** Opens a log with a claim of another process in a segment of the given size, and 5000 records behind that. */
    private Scene open(long segmentBytes) {
        LogSession session = new Opening(directory, TestLogs.options().withLargestSegmentBytes(segmentBytes)).open();
        LogAppender appender = LogAppender.open(session);
        Lane lane = new Lane();
        int number = 0;
        appender.append(new byte[LENGTH]);
        int before = 1;
        Segment claimed = session.segments.enterAtOrAfter(lane, number);
        while (claimed.limit < segmentBytes) {
            session.segments.leave(lane, claimed);
            before += TestLogs.fillUpTo(appender, ++number, LENGTH);
            claimed = session.segments.enterAtOrAfter(lane, number);
        }
        session.control.generationRelease(OTHER, 1);
        long claim = claimed.chainEnd();
        long reserved = RecordWord.reserved(8, Slots.owner(OTHER, 1));
        assertThat(Words.compareAndSet(claimed.memory, claim, 0, reserved)).isTrue();
        for (int i = 0; i < RECORDS; i++) {
            appender.append(new byte[LENGTH]);
        }
        return new Scene(session, claimed, claim, before);
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
        try (Scene scene = open(segmentBytes)) {
            List<Long> found = backward(scene.session(), 1000);
            assertThat(found)
                    .hasSize(scene.before() + RECORDS)
                    .isEqualTo(forward(scene.session()).reversed());
        }
    }

    /** Records behind the claim of a live writer are left out, all of its segment or none: there is no hole. */
    @Test
    void ofALiveWriterLeavesOutTheRestOfItsSegment() {
        try (Scene scene = open(ONE_SEGMENT)) {
            try (StorageFile other = liveOther(directory)) {
                assertThat(backward(scene.session(), 10)).hasSize(scene.before());
                other.unlock(LockFile.live(OTHER));
            }
            assertThat(backward(scene.session(), 10)).hasSize(scene.before() + RECORDS);
        }
    }

    @Test
    void ofALiveWriterLeavesOutNothingInLaterSegments() {
        try (Scene scene = open(TestLogs.MIB_2);
                StorageFile other = liveOther(directory)) {
            List<Long> found = backward(scene.session(), 10);
            assertThat(found).hasSizeBetween(RECORDS / 2, RECORDS - 1000);
            assertThat(found.subList(0, found.size() - 1)).allMatch(position -> Position.segment(position) > 0);
            assertThat(found.getLast()).isEqualTo(scene.claimed().position(scene.claimed().head));
            other.unlock(LockFile.live(OTHER));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {ONE_SEGMENT, TestLogs.MIB_2})
    void hidesNoRecordFromASearchBySequence(long segmentBytes) {
        try (Scene scene = open(segmentBytes);
                LogReader reader = reader(scene.session())) {
            reader.moveToSequence(scene.before() + RECORDS - 11);
            assertThat(TestLogs.payloads(reader)).hasSize(11);
            assertThat(reader.sequence()).isEqualTo(scene.before() + RECORDS);
        }
    }

    /** The record behind the claim, and not the claim, has the sequence. */
    @Test
    void isPassedOnTheWayToTheRecordBehindIt() {
        try (Scene scene = open(ONE_SEGMENT);
                LogReader reader = reader(scene.session())) {
            reader.moveToSequence(scene.before());
            assertThat(Position.offset(reader.position())).isEqualTo(scene.claim() + RecordWord.sizeBytes(8));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {ONE_SEGMENT, TestLogs.MIB_2})
    void hidesNoRecordFromTheCount(long segmentBytes) {
        try (Scene scene = open(segmentBytes);
                LogReader reader = reader(scene.session())) {
            assertThat(reader.committedRecords()).isEqualTo(scene.before() + RECORDS);
        }
    }

    @Test
    void ofALiveWriterStopsTheCount() {
        try (Scene scene = open(ONE_SEGMENT);
                StorageFile other = liveOther(directory);
                LogReader reader = reader(scene.session())) {
            assertThat(reader.committedRecords()).isEqualTo(scene.before());
            assertThatThrownBy(() -> reader.moveToSequence(scene.before() + 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the next one is " + scene.before() + ",");
            other.unlock(LockFile.live(OTHER));
        }
    }

    /** A search by time ends at most 1 MiB before the record. */
    @Test
    void holdsNoSearchByTimeBack() {
        try (Scene scene = open(ONE_SEGMENT);
                LogReader reader = reader(scene.session())) {
            reader.moveToTime(Instant.now().plusSeconds(3600));
            assertThat(reader.position()).isEqualTo(scene.session().endPosition());
            reader.moveToTime(Instant.ofEpochMilli(scene.claimed().rows.timeMillis(3) + 1));
            assertThat(reader.position()).isGreaterThan(scene.claimed().position(2 * SegmentLayout.BLOCK_BYTES));
        }
    }
}
