package dev.larder.log;

import static dev.larder.log.TestLogs.MIB_2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.segment.Segment;
import dev.larder.memory.ClosedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LogAppenderTest {

    /** The largest payload of a log whose segments are 2 MiB: a quarter of one. */
    private static final int LARGEST = 512 << 10;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void returnsToReadersWhatItWasGiven(IntegrityMode integrity) {
        List<Integer> lengths = List.of(
                0, 1, 7, 8, 9, 15, 16, 63, 64, 4087, 4088, 4089, 65_536, LARGEST - 8, LARGEST - 1, LARGEST, 0, 1);
        try (Log log = Log.open(
                        directory, TestLogs.options().withIntegrity(integrity).withVerifyReads(true));
                LogAppender appender = log.appender()) {
            List<Long> positions = new ArrayList<>();
            lengths.forEach(length -> positions.add(appender.append(TestLogs.bytes(length, 1))));
            List<Long> read = new ArrayList<>();
            try (LogReader reader = log.reader()) {
                for (int length : lengths) {
                    assertThat(reader.poll((segment, offset, found) -> {
                                read.add(reader.position());
                                assertThat(TestLogs.copy(segment, offset, found))
                                        .isEqualTo(TestLogs.bytes(length, 1));
                            }))
                            .isTrue();
                }
                assertThat(reader.poll((segment, offset, found) -> {})).isFalse();
            }
            assertThat(read).isEqualTo(positions).isSorted().allMatch(position -> position % 8 == 0);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void takesRangesOfArraysAndOfMemory() {
        byte[] source = TestLogs.bytes("0123456789");
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(10).copyFrom(MemorySegment.ofArray(source));
            appender.append(source);
            appender.append(source, 2, 3);
            appender.append(source, 10, 0);
            appender.append(outside, 9, 1);
            appender.append(MemorySegment.ofArray(source), 0, 10);
            appender.append(4, (segment, offset, length) -> MemorySegment.copy(outside, 1, segment, offset, length));
            assertThat(TestLogs.texts(log)).containsExactly("0123456789", "234", "", "9", "0123456789", "1234");
        }
    }

    @Test
    void refusesRangesOutsideTheirSource() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            long before = log.endPosition();
            byte[] source = new byte[10];
            assertThatThrownBy(() -> appender.append(source, 8, 3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> appender.append(source, -1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> appender.append(source, 3, -1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> appender.append(MemorySegment.ofArray(source), 1, 10))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(log.endPosition()).isEqualTo(before);
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("after");
        }
    }

    /** A negative length went into the word as it was, and made a word that no reader could step over. */
    @ParameterizedTest
    @ValueSource(ints = {-1, -8, -9, Integer.MIN_VALUE})
    void refusesANegativeLengthInPlace(int length) {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> appender.append(length, (segment, offset, given) -> {}))
                    .withMessageContaining(String.valueOf(length));
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("after");
        }
    }

    @Test
    void refusesWhatIsTooLargeBeforeItClaims() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            assertThat(log.info().largestRecordBytes()).isEqualTo(LARGEST);
            long before = log.endPosition();
            assertThatThrownBy(() -> appender.append(new byte[LARGEST + 1]))
                    .isInstanceOf(RecordTooLargeException.class)
                    .hasMessageContainingAll("524289", "524288", directory.toString());
            assertThatThrownBy(() -> appender.append(Integer.MAX_VALUE, (segment, offset, length) -> {}))
                    .isInstanceOf(RecordTooLargeException.class);
            assertThat(log.endPosition()).isEqualTo(before);
            assertThat(TestLogs.texts(log)).isEmpty();
        }
    }

    @Test
    void doublesSegmentsUpToTheLargest() {
        LogOptions options = TestLogs.options().withLargestSegmentBytes(8L << 20);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 4, 1 << 20);
            assertThat(List.of(0, 1, 2, 3, 4))
                    .extracting(segment -> TestLogs.segmentBytes(log, segment))
                    .containsExactly(MIB_2, 2 * MIB_2, 4 * MIB_2, 4 * MIB_2, 4 * MIB_2);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void makesTheNextSegmentLargeEnoughForTheRecord() {
        LogOptions options = TestLogs.options().withLargestSegmentBytes(64L << 20);
        byte[] large = TestLogs.bytes(16 << 20, 1);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("small"));
            long position = appender.append(large);
            assertThat(Position.segment(position)).isEqualTo(1);
            assertThat(TestLogs.segmentBytes(log, 1)).isEqualTo(32L << 20);
            assertThat(TestLogs.payloads(log)).containsExactly(TestLogs.bytes("small"), large);
        }
    }

    @Test
    void passesByASegmentThatWasPreparedTooSmall() {
        LogOptions options = TestLogs.options().withLargestSegmentBytes(64L << 20);
        byte[] large = TestLogs.bytes(16 << 20, 1);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            log.prepare(5L << 20);
            assertThat(TestLogs.segmentBytes(log, 1)).isEqualTo(2 * MIB_2);
            appender.append(TestLogs.bytes("small"));
            long position = appender.append(large);
            appender.append(TestLogs.bytes("small"));
            assertThat(Position.segment(position)).isBetween(2, 3); // the background may make one more meanwhile
            assertThat(TestLogs.segmentBytes(log, Position.segment(position))).isEqualTo(32L << 20);
            assertThat(TestLogs.payloads(log)).containsExactly(TestLogs.bytes("small"), large, TestLogs.bytes("small"));
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A record that ends where the room for END begins is the last one; a word more does not fit. */
    @ParameterizedTest
    @ValueSource(longs = {0, 8})
    void fillsASegmentUpToTheRoomForItsEnd(long tooMuch) {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            long limit = MIB_2 - Segment.END_ROOM_BYTES + tooMuch;
            while (limit - Position.offset(log.endPosition()) > LARGEST) {
                appender.append(new byte[LARGEST - 8]);
            }
            long at = log.endPosition();
            long last = appender.append(new byte[(int) (limit - Position.offset(at)) - 8]);
            assertThat(Position.segment(last)).isEqualTo(tooMuch == 0 ? 0 : 1);
            long empty = appender.append(new byte[0]);
            assertThat(Position.segment(empty)).isEqualTo(1);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A position behind the last record is no position of the next segment: not even at the largest size. */
    @Test
    void endsASegmentBelowItsLimit() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 1, 1000);
            try (LogReader reader = log.reader()) {
                long seen = -1;
                while (Position.segment(reader.position()) == 0) {
                    seen = reader.position();
                    reader.drain((segment, offset, length) -> {}, 1);
                }
                assertThat(Position.offset(seen)).isLessThanOrEqualTo(MIB_2 - 16);
            }
        }
    }

    @Test
    void threadsThatShareAnAppenderTakeTurns() throws Exception {
        try (Log log = TestLogs.open(directory);
                LogAppender shared = log.appender()) {
            appendFromThreads(log, () -> () -> shared);
        }
    }

    @Test
    void threadsWithAnAppenderEachLoseNothing() throws Exception {
        try (Log log = TestLogs.open(directory)) {
            appendFromThreads(log, () -> {
                LogAppender own = log.appender();
                return () -> own;
            });
        }
    }

    @Test
    void threadsWithAConfinedAppenderEachLoseNothing() throws Exception {
        try (Log log = TestLogs.open(directory)) {
            ThreadLocal<LogAppender> own = ThreadLocal.withInitial(log::confinedAppender);
            appendFromThreads(log, () -> own::get);
        }
    }

    /** A close waits for the running append and refuses the next: the log holds the records that were returned, and no more. */
    @Test
    void closesAConfinedAppenderBesideItsThread() throws Exception {
        for (int round = 0; round < 20; round++) {
            AtomicLong appended = new AtomicLong();
            CountDownLatch begun = new CountDownLatch(1);
            try (Log log = TestLogs.open(directory.resolve("log" + round));
                    Log same = TestLogs.open(directory.resolve("log" + round));
                    ExecutorService executor = Executors.newSingleThreadExecutor()) {
                LogAppender[] confined = new LogAppender[1];
                Future<?> refused = executor.submit(() -> {
                    confined[0] = log.confinedAppender();
                    while (true) {
                        confined[0].append(new byte[8]);
                        appended.incrementAndGet();
                        begun.countDown();
                    }
                });
                begun.await();
                confined[0].close();
                long here = same.committedRecords();
                assertThatThrownBy(refused::get).hasCauseInstanceOf(ClosedException.class);
                assertThat(appended).hasValue(here);
                assertThat(same.verify().problems()).isEmpty();
            }
        }
    }

    @Test
    void refusesAConfinedAppenderToOtherThreads() throws Exception {
        try (Log log = TestLogs.open(directory);
                LogAppender confined = log.confinedAppender();
                ExecutorService executor = Executors.newSingleThreadExecutor()) {
            confined.append(TestLogs.bytes("mine"));
            Future<?> other = executor.submit(() -> confined.append(TestLogs.bytes("other")));
            assertThatThrownBy(other::get)
                    .cause()
                    .isInstanceOf(WrongThreadException.class)
                    .hasMessageContaining(directory.toString());
            Future<?> batch = executor.submit(() -> {
                try (RecordBatch staged = confined.batch()) {
                    staged.add(TestLogs.bytes("other"));
                    assertThatThrownBy(staged::flush).isInstanceOf(WrongThreadException.class);
                    staged.clear();
                }
            });
            batch.get();
            confined.append(TestLogs.bytes("mine"));
            executor.submit(confined::close).get();
            assertThatThrownBy(() -> confined.append(new byte[1])).isInstanceOf(ClosedException.class);
            assertThat(TestLogs.texts(log)).containsExactly("mine", "mine");
        }
    }

    /** A writer that fails gives up its claim, as everywhere, and its thread continues. */
    @Test
    void aWriterThatFailsLeavesAConfinedAppenderFree() {
        try (Log log = TestLogs.open(directory);
                LogAppender confined = log.confinedAppender()) {
            assertThatThrownBy(() -> confined.append(8, (segment, offset, length) -> confined.append(new byte[1])))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside its own handler");
            confined.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("after");
        }
    }

    /** Code in another language may throw a checked exception that nothing declares. */
    @Test
    void theCallerGetsTheCheckedExceptionOfAWriter() {
        IOException theirs = new IOException("theirs");
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            assertThatThrownBy(() -> appender.append(
                            8, (segment, offset, length) -> LogAppenderTest.<RuntimeException>throwAsItIs(theirs)))
                    .isSameAs(theirs);
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("after");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAsItIs(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static void appendFromThreads(Log log, Callable<Supplier<LogAppender>> appenders) throws Exception {
        int threads = 4;
        int each = 5_000;
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                Supplier<LogAppender> ofThread = appenders.call();
                running.add(executor.submit(() -> {
                    LogAppender appender = ofThread.get();
                    for (int i = 0; i < each; i++) {
                        int number = i;
                        appender.append(8 + i % 500, (segment, offset, length) -> {
                            segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, thread);
                            segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset + 4, number);
                        });
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        int[] next = new int[threads];
        TestLogs.payloads(log).forEach(bytes -> {
            MemorySegment segment = MemorySegment.ofArray(bytes);
            int thread = segment.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            assertThat(segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4)).isEqualTo(next[thread]++);
        });
        assertThat(next).containsOnly(each);
        assertThat(log.verify().problems()).isEmpty();
    }

    @Test
    void refusesToWorkOnceClosed() {
        try (Log log = TestLogs.open(directory)) {
            LogAppender appender = log.appender();
            appender.append(TestLogs.bytes("kept"));
            appender.close();
            appender.close();
            assertThatThrownBy(() -> appender.append(new byte[1]))
                    .isInstanceOf(ClosedException.class)
                    .hasMessageContaining(directory.toString());
            assertThat(TestLogs.texts(log)).containsExactly("kept");
        }
    }
}
