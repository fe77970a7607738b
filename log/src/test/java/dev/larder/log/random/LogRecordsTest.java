package dev.larder.log.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.Await;
import dev.larder.log.GoneException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.log.TestLogs;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.OpenClaim;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.tests.support.OtherThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records by their positions, and claims that not only their owner may commit. */
@Timeout(300)
final class LogRecordsTest {

    @TempDir
    Path directory;

    private static long fill(LogRecords records, byte[] bytes) {
        long position = records.claim(bytes.length, new OpenClaim(LogRecordsTest.class));
        MemorySegment.copy(
                bytes, 0, records.claimed(position), ValueLayout.JAVA_BYTE, LogRecords.payload(position), bytes.length);
        return position;
    }

    private static byte[] read(LogRecords records, long position) {
        int length = records.length(position);
        return records.bytes(position)
                .asSlice(LogRecords.payload(position), length)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void areReadWhereTheyAreCommitted(IntegrityMode integrity) {
        List<byte[]> written = new ArrayList<>();
        try (Log log = TestLogs.open(directory, integrity);
                LogRecords records = LogRecords.of(log)) {
            List<Long> positions = new ArrayList<>();
            for (int i = 0; i < 300; i++) { // over several segments
                byte[] bytes = TestLogs.bytes(i * 100, i);
                long position = fill(records, bytes);
                records.commit(position);
                written.add(bytes);
                positions.add(position);
            }
            for (int i = 0; i < written.size(); i++) {
                assertThat(read(records, positions.get(i))).isEqualTo(written.get(i));
            }
            assertThat(Position.segment(positions.getLast())).isPositive();
            assertThat(TestLogs.payloads(log)).hasSize(written.size());
            assertThat(log.verify().problems()).isEmpty();
        }
        try (Log log = TestLogs.open(directory, integrity)) {
            List<byte[]> found = TestLogs.payloads(log);
            assertThat(found).hasSameSizeAs(written);
            for (int i = 0; i < written.size(); i++) {
                assertThat(found.get(i)).isEqualTo(written.get(i));
            }
        }
    }

    /** In the next life of the file, another record's claim lies where the first record of the segment lay. */
    @Test
    void aSegmentThatWasLetGoCommitsNothing() {
        try (Log log = TestLogs.open(directory);
                LogRecords records = LogRecords.of(log)) {
            long former = fill(records, new byte[100_000]);
            records.commit(former);
            HeldSegment stale = records.at(former);
            while (records.tailSegment() == 0) {
                records.commit(fill(records, new byte[100_000]));
            }
            log.sync();
            assertThat(records.dropFirst(0)).isTrue();
            records.leaveBefore(1);
            records.free(0);
            long claim = fill(records, new byte[100_000]);
            while (Position.segment(claim) < 3 || !records.isFirst(claim)) {
                records.commit(claim);
                claim = fill(records, new byte[100_000]);
            }
            assertThat(Position.offset(claim)).isEqualTo(Position.offset(former));
            Await.until(() -> isClosed(stale));
            assertThatThrownBy(() -> stale.length(former)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> stale.commit(former)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> stale.abandon(former)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> records.commit(former)).isInstanceOf(GoneException.class);
            long word = records.at(claim).segment.wordAcquire(Position.offset(claim));
            assertThat(RecordWord.state(word)).isEqualTo(RecordWord.RESERVED);
            records.commit(claim);
        }
    }

    /** Returns whether the segment is unmapped. The background may still be unmapping it. */
    private static boolean isClosed(HeldSegment held) {
        return !held.segment.memory.scope().isAlive();
    }

    /** Includes the last record of a segment, behind which nothing is mapped; its pages were looked at before or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areAsLongAsTheyAreWhateverWasExpected(boolean anew) {
        Map<Long, Integer> lengths = new LinkedHashMap<>();
        try (Log log = TestLogs.open(directory, IntegrityMode.SEAL);
                LogRecords records = LogRecords.of(log)) {
            for (int i = 0; i < 300; i++) {
                long position = fill(records, TestLogs.bytes(i * 100, i));
                records.commit(position);
                lengths.put(position, i * 100);
            }
            checkLengths(records, anew ? Map.of() : lengths);
        }
        try (Log log = TestLogs.open(directory, IntegrityMode.SEAL);
                LogRecords records = LogRecords.of(log)) {
            checkLengths(records, anew ? lengths : Map.of());
        }
    }

    private static void checkLengths(LogRecords records, Map<Long, Integer> lengths) {
        for (int expected : List.of(0, 1, 120, 4096, 1 << 20, Integer.MAX_VALUE)) {
            lengths.forEach((position, length) ->
                    assertThat(records.length(position, expected)).isEqualTo(length));
        }
    }

    /** A reader that asks for a linked record commits it; its owner then finds it committed. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void areCommittedByWhoeverUsesThem(IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogRecords records = LogRecords.of(log);
                LogReader reader = log.reader()) {
            long position = fill(records, TestLogs.bytes("filled"));
            assertThat(reader.poll((segment, offset, length) -> {})).isFalse();
            assertThat(records.length(position)).isEqualTo(6);
            assertThat(TestLogs.texts(log)).containsExactly("filled");
            records.commit(position);
            records.commit(position);
            assertThat(TestLogs.texts(log)).containsExactly("filled");
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** Threads that put into a map concurrently wait for no monitor. */
    @Test
    void areCommittedWhileOthersHoldTheMonitors() throws Exception {
        try (Log log = TestLogs.open(directory);
                LogRecords records = LogRecords.of(log)) {
            records.commit(fill(records, TestLogs.bytes("holds the segment")));
            OpenClaim claim = new OpenClaim(LogRecordsTest.class);
            synchronized (records) {
                synchronized (OpenSession.of(log)) {
                    CompletableFuture<Void> other =
                            OtherThread.run(() -> commit(records, claim, "while they are held"));
                    assertThat(other).succeedsWithin(Duration.ofSeconds(60));
                }
            }
            assertThat(claim.position()).isEqualTo(OpenClaim.NONE);
            assertThat(TestLogs.texts(log)).containsExactly("holds the segment", "while they are held");
        }
    }

    private static void commit(LogRecords records, OpenClaim claim, String text) {
        byte[] bytes = TestLogs.bytes(text);
        HeldSegment there = records.at(records.claim(bytes.length, claim));
        long at = LogRecords.payload(claim.position());
        MemorySegment.copy(bytes, 0, there.claimed(), ValueLayout.JAVA_BYTE, at, bytes.length);
        records.commit(claim, there);
        claim.settled();
    }

    /** The owner's check of a record is the one that any reader computes. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void areCheckedAlikeWhoeverCommitsThem(IntegrityMode integrity) {
        String text = "a record of some length. ".repeat(400);
        try (Log log = TestLogs.open(directory, integrity);
                LogRecords records = LogRecords.of(log)) {
            OpenClaim claim = new OpenClaim(LogRecordsTest.class);
            List.of("", "short", text).forEach(record -> commit(records, claim, record));
            assertThat(TestLogs.texts(log)).containsExactly("", "short", text);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void arePaddingWhenTheyAreAbandoned() {
        try (Log log = TestLogs.open(directory);
                LogRecords records = LogRecords.of(log)) {
            long given = fill(records, TestLogs.bytes("given up"));
            long kept = fill(records, TestLogs.bytes("kept"));
            records.commit(kept);
            assertThat(TestLogs.texts(log)).isEmpty();
            records.abandon(given);
            assertThat(TestLogs.texts(log)).containsExactly("kept");
            records.abandon(kept); // it is committed, so it stays
            assertThat(TestLogs.texts(log)).containsExactly("kept");
            assertThatThrownBy(() -> records.length(given))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("no record is at position " + Position.toString(given));
            log.sync();
        }
    }

    @Test
    void areNotThereBeyondTheEndOrAfterClosing() {
        try (Log log = TestLogs.open(directory)) {
            LogRecords records = LogRecords.of(log);
            long position = fill(records, TestLogs.bytes("text"));
            records.commit(position);
            assertThatThrownBy(() -> records.length(Position.of(9, 8192))).isInstanceOf(GoneException.class);
            assertThatThrownBy(() -> records.claim(1 << 20, new OpenClaim(LogRecordsTest.class)))
                    .isInstanceOf(RecordTooLargeException.class);
            for (long length : new long[] {-1, -8, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> records.claim(length, new OpenClaim(LogRecordsTest.class)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(length + " bytes");
            }
            records.commit(fill(records, TestLogs.bytes("next")));
            records.close();
            assertThatThrownBy(() -> records.length(position)).isInstanceOf(ClosedException.class);
            assertThatThrownBy(() -> records.claim(1, new OpenClaim(LogRecordsTest.class)))
                    .isInstanceOf(ClosedException.class);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThatThrownBy(() -> LogRecords.of(log)).isInstanceOf(ReadOnlyException.class);
        }
    }
}
