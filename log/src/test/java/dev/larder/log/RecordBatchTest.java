package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.append.BatchAppender;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.log.random.OpenSession;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class RecordBatchTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void appendsWhatWasAddedInOrder(IntegrityMode integrity) {
        try (Log log = Log.open(
                        directory, TestLogs.options().withIntegrity(integrity).withVerifyReads(true));
                LogAppender appender = log.appender()) {
            long first = appender.append(TestLogs.bytes("alone"));
            try (RecordBatch batch = appender.batch()) {
                assertThat(batch.flush()).isEqualTo(-1);
                batch.add(TestLogs.bytes("a"));
                batch.add(TestLogs.bytes(""));
                batch.add(TestLogs.bytes("xbcdx"), 1, 3);
                batch.add(MemorySegment.ofArray(TestLogs.bytes("xex")), 1, 1);
                assertThat(TestLogs.texts(log)).containsExactly("alone");
                assertThat(batch.flush()).isEqualTo(first + 16 + 16 + 8 + 16);
                assertThat(batch.flush()).isEqualTo(first + 16 + 16 + 8 + 16);
                assertThat(TestLogs.texts(log)).containsExactly("alone", "a", "", "bcd", "e");
                batch.add(TestLogs.bytes("at close"));
            }
            appender.append(TestLogs.bytes("still open"));
            assertThat(TestLogs.texts(log)).endsWith("e", "at close", "still open");
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** For callers that keep positions: after the flush, the position of each record is known. */
    @Test
    void tellsWhereItsRecordsLie() {
        try (Log log = Log.open(directory, TestLogs.options());
                LogAppender appender = log.appender();
                BatchAppender batch = new BatchAppender(appender.core(), OpenSession.of(log))) {
            appender.append(TestLogs.bytes("before"));
            assertThat(batch.fits(512 << 10)).isFalse();
            int[] lengths = {3, 0, 9};
            for (int length : lengths) {
                assertThat(batch.fits(length)).isTrue();
                batch.add(
                        length,
                        (segment, at, bytes) -> segment.asSlice(at, bytes).fill((byte) bytes));
            }
            batch.flush();
            assertThat(batch.staged().isReadOnly()).isTrue();
            try (LogReader reader = log.reader()) {
                reader.moveTo(batch.firstPosition());
                long at = 0;
                for (int length : lengths) {
                    long expected = batch.firstPosition() + at;
                    long payload = LogRecords.payload(at);
                    assertThat(reader.poll((segment, offset, bytes) -> {
                                assertThat(bytes).isEqualTo(length);
                                assertThat(segment.asSlice(offset, bytes)
                                                .mismatch(batch.staged().asSlice(payload, bytes)))
                                        .isEqualTo(-1);
                            }))
                            .isTrue();
                    assertThat(expected).isLessThan(reader.position());
                    at += LogRecords.sizeBytes(length);
                }
                assertThat(reader.position()).isEqualTo(batch.firstPosition() + at);
            }
            batch.add(TestLogs.bytes("forgotten"));
            batch.clear();
            batch.flush();
            assertThat(TestLogs.texts(log)).hasSize(4);
        }
    }

    /** A batch stages 512 KiB with segments of 2 MiB, else 1 MiB. A larger record is written on its own, in its turn. */
    @ParameterizedTest
    @CsvSource({"2, RECORD", "2, SEAL", "64, RECORD", "64, NONE"})
    void mixesAllSizes(int largestMib, IntegrityMode integrity) {
        LogOptions options = TestLogs.options()
                .withIntegrity(integrity)
                .withLargestSegmentBytes((long) largestMib << 20)
                .withVerifyReads(true);
        int largest = largestMib << 18;
        List<Integer> lengths = new ArrayList<>();
        Random random = new Random(largestMib);
        for (int i = 0; i < 300; i++) {
            lengths.add(i % 50 == 49 ? largest - random.nextInt(20) : random.nextInt(1 << random.nextInt(18)));
        }
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            for (int i = 0; i < lengths.size(); i++) {
                batch.add(TestLogs.bytes(lengths.get(i), i));
            }
            long last = batch.flush();
            List<byte[]> found = TestLogs.payloads(log);
            assertThat(found).hasSameSizeAs(lengths);
            for (int i = 0; i < lengths.size(); i++) {
                assertThat(found.get(i)).isEqualTo(TestLogs.bytes(lengths.get(i), i));
            }
            try (LogReader reader = log.reader(last)) {
                assertThat(TestLogs.payloads(reader)).containsExactly(TestLogs.bytes(lengths.getLast(), 299));
            }
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void flushesByItselfWhenItIsFull() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            for (int i = 0; i < 512; i++) {
                batch.add(new byte[1016]);
            }
            assertThat(TestLogs.payloads(log)).isEmpty();
            batch.add(new byte[1016]);
            assertThat(TestLogs.payloads(log)).hasSize(512);
        }
    }

    @Test
    void refusesARecordThatIsTooLargeAndKeepsTheRest() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            batch.add(TestLogs.bytes("before"));
            assertThatThrownBy(() -> batch.add(new byte[(512 << 10) + 1])).isInstanceOf(RecordTooLargeException.class);
            batch.add(TestLogs.bytes("after"));
            batch.flush();
            assertThat(TestLogs.texts(log)).containsExactly("before", "after");
        }
    }

    /** After a failed flush, the staging area held completed record words, which were then taken for lengths. */
    @Test
    void flushesAgainAfterAFlushThatFailed() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            TestLogs.fillUpTo(appender, 1, 4096);
            batch.add(TestLogs.bytes("one"));
            batch.add(TestLogs.bytes("two"));
            long writes = storage.count(StorageCall.WRITE);
            storage.fail(StorageCall.WRITE, writes + 1, () -> new StorageException("no"));
            if (TestLogs.storage().isNative()) {
                assertThatThrownBy(batch::flush).isInstanceOf(StorageException.class);
            }
            batch.flush();
            assertThat(TestLogs.texts(log)).endsWith("one", "two");
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A crash before the last step leaves nothing of a batch; a crash after it leaves the whole batch. */
    @Test
    void publishesAllAtOnce() {
        List<Map.Entry<String, Integer>> seen = new ArrayList<>();
        List<Log> opened = new ArrayList<>();
        Failpoints steps = step -> {
            if (step.startsWith("append.") && !opened.isEmpty()) {
                seen.add(Map.entry(step, TestLogs.payloads(opened.getFirst()).size()));
            }
        };
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), steps));
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            opened.add(log);
            batch.add(new byte[10]);
            batch.add(new byte[20]);
            batch.add(new byte[30]);
            batch.flush();
            opened.clear();
        }
        assertThat(seen)
                .containsExactly(
                        Map.entry("append.entered", 0),
                        Map.entry("append.claimed", 0),
                        Map.entry("append.committed", 3));
    }

    /** A record that a writer adds would be staged where that writer writes; a flush in the writer would store half a record. */
    @Test
    void refusesAWriterThatUsesTheSameBatch() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            batch.add(TestLogs.bytes("before"));
            List<Runnable> uses = List.of(
                    () -> batch.add(new byte[8]),
                    () -> batch.add(MemorySegment.ofArray(new byte[8]), 0, 8),
                    () -> batch.add(8, (segment, offset, length) -> {}),
                    batch::flush,
                    batch::clear,
                    batch::close);
            for (int bytes : new int[] {8, 512 << 10
            }) { // a record that is staged, and a record that is written where it is claimed
                for (Runnable use : uses) {
                    assertThatThrownBy(() -> batch.add(bytes, (segment, offset, length) -> use.run()))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll(directory.toString(), "from inside its own writer");
                }
            }
            batch.add(TestLogs.bytes("after"));
            batch.flush();
            assertThat(TestLogs.texts(log)).containsExactly("before", "after");
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A flush that returns has synced as the policy requires, including records that an earlier flush published unsynced. */
    @Test
    void syncsWithTheNextFlushWhatAnErrorHasLeftUnsynced() {
        AtomicBoolean armed = new AtomicBoolean();
        StackOverflowError error = new StackOverflowError("test");
        Failpoints steps = step -> {
            if (step.equals("append.committed") && armed.getAndSet(false)) {
                throw error;
            }
        };
        LogOptions options = TestLogs.options().withSync(SyncPolicy.everyAppend());
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(options, steps));
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            batch.add(TestLogs.bytes("one"));
            armed.set(true);
            assertThatThrownBy(batch::flush).isSameAs(error);
            assertThat(batch.flush()).isLessThan(log.durablePosition());
            assertThat(TestLogs.texts(log)).containsExactly("one");
        }
    }
}
