package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.random.OpenSession;
import dev.larder.log.shared.Pins;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Words;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class LogReaderTest {

    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir
    Path directory;

    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void staysBeforeARecordWhoseHandlerThrew() {
        try (Log log = filled("one", "two", "three");
                LogReader reader = log.reader()) {
            List<String> seen = new ArrayList<>();
            assertThatThrownBy(() -> reader.drain(
                            (segment, offset, length) -> {
                                seen.add(TestLogs.text(segment, offset, length));
                                if (seen.size() == 2) {
                                    throw new Broken();
                                }
                            },
                            10))
                    .isInstanceOf(Broken.class);
            assertThat(seen).containsExactly("one", "two");
            assertThat(TestLogs.texts(reader)).containsExactly("two", "three");
        }
    }

    @Test
    void deliversNoMoreThanAsked() {
        try (Log log = filled("one", "two", "three");
                LogReader reader = log.reader()) {
            assertThat(reader.drain((segment, offset, length) -> {}, 0)).isZero();
            assertThat(reader.drain((segment, offset, length) -> {}, 2)).isEqualTo(2);
            assertThat(reader.drain((segment, offset, length) -> {}, 2)).isEqualTo(1);
            assertThat(reader.drain((segment, offset, length) -> {}, 2)).isZero();
        }
    }

    @Test
    void handsOutMemoryThatCannotBeWritten() {
        try (Log log = filled("one");
                LogReader reader = log.reader()) {
            reader.poll((segment, offset, length) ->
                    assertThat(segment.isReadOnly()).isTrue());
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void goesToEveryPositionThatAnAppendReturned(IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            List<Long> positions = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                positions.add(appender.append(TestLogs.bytes(i * 7 % 5000, i)));
            }
            assertThat(Position.segment(positions.getLast())).isPositive();
            for (int i = positions.size() - 1; i >= 0; i -= 37) {
                reader.moveTo(positions.get(i));
                assertThat(reader.position()).isEqualTo(positions.get(i));
                byte[] expected = TestLogs.bytes(i * 7 % 5000, i);
                reader.poll((segment, offset, length) ->
                        assertThat(TestLogs.copy(segment, offset, length)).isEqualTo(expected));
            }
        }
    }

    @Test
    void goesToTheEndAndReadsWhatComesNext() {
        try (Log log = filled("one", "two");
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            reader.moveTo(log.endPosition());
            assertThat(TestLogs.texts(reader)).isEmpty();
            appender.append(TestLogs.bytes("three"));
            assertThat(TestLogs.texts(reader)).containsExactly("three");
            reader.moveTo(reader.position());
            assertThat(TestLogs.texts(reader)).isEmpty();
        }
    }

    @Test
    void goesToTheEndOfASegmentWithoutALaterOne() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            TestLogs.fillUpTo(appender, 1, 1000);
            TestLogs.payloads(reader);
            long end = reader.position();
            assertThat(end).isEqualTo(log.endPosition());
            reader.moveTo(end);
            appender.append(TestLogs.bytes("next"));
            assertThat(TestLogs.texts(reader)).containsExactly("next");
        }
    }

    @Test
    void saysThatAPositionIsBeyondTheEnd() {
        try (Log log = filled("one");
                LogReader reader = log.reader()) {
            assertThatThrownBy(() -> reader.moveTo(Position.of(7, 8192)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(directory + ": no record begins at position 7:8192; the log has positions from "
                            + Position.toString(log.firstPosition()) + " to " + Position.toString(log.endPosition()));
            assertThatIllegalArgumentException().isThrownBy(() -> reader.moveTo(-8));
            assertThatIllegalArgumentException().isThrownBy(() -> log.reader(Position.of(7, 8192)));
            assertThat(TestLogs.texts(reader)).containsExactly("one");
        }
    }

    /** Zeros look like the end of the chain, and a payload can look like a claim: neither is a record's place. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void refusesPositionsWhereNoRecordBegins(IntegrityMode integrity) {
        byte[] zeros = new byte[64];
        byte[] claim = new byte[64];
        MemorySegment.ofArray(claim).set(Words.LONG.withByteAlignment(1), 16, RecordWord.reserved(0, 1));
        byte[] random = TestLogs.bytes(64, 3);
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            appender.append(TestLogs.bytes("first"));
            for (byte[] payload : List.of(zeros, claim, random)) {
                long position = appender.append(payload);
                assertRefused(reader, position + 24);
                assertRefused(reader, position + 4);
            }
            assertRefused(reader, log.endPosition() + 8);
            assertRefused(reader, log.endPosition() + 80);
            assertRefused(reader, Position.of(0, TestLogs.MIB_2 - 8));
            assertRefused(reader, Position.of(0, TestLogs.MIB_2));
            assertRefused(reader, Position.of(0, TestLogs.MIB_2 + 4096));
            assertThat(TestLogs.payloads(reader)).containsExactly(TestLogs.bytes("first"), zeros, claim, random);
        }
    }

    /** The position belongs to a record; its damage is not the caller's fault. */
    @Test
    void saysThatTheRecordAtAPositionIsDamaged() throws IOException {
        try (Log log = TestLogs.open(directory, IntegrityMode.RECORD);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            appender.append(TestLogs.bytes("first"));
            long position = appender.append(TestLogs.bytes("second"));
            long third = appender.append(TestLogs.bytes("third"));
            try (FileChannel segment =
                    FileChannel.open(directory.resolve("0000000000.seg"), StandardOpenOption.WRITE)) {
                segment.write(ByteBuffer.wrap(new byte[] {'x'}), Position.offset(position) + 8);
            }
            assertThatThrownBy(() -> reader.moveTo(position))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll("position " + Position.toString(position), "fails its check");
            reader.moveTo(third);
            assertThat(TestLogs.texts(reader)).containsExactly("third");
        }
    }

    private static void assertRefused(LogReader reader, long position) {
        long before = reader.position();
        assertThatThrownBy(() -> reader.moveTo(position))
                .as(Position.toString(position))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "no record begins", Position.toString(position), "the log has positions from 0:");
        assertThat(reader.position()).isEqualTo(before);
    }

    @Test
    void refusesASecondThread() throws Exception {
        try (Log log = filled("one");
                LogReader reader = log.reader()) {
            reader.poll((segment, offset, length) -> {
                CompletableFuture<Void> other = OtherThread.run(() -> TestLogs.texts(reader));
                assertThatThrownBy(other::join).hasCauseInstanceOf(IllegalStateException.class);
                assertThatIllegalStateException().isThrownBy(() -> TestLogs.texts(reader));
                assertThatIllegalStateException().isThrownBy(() -> reader.moveTo(0));
            });
            assertThat(TestLogs.texts(reader)).isEmpty();
        }
    }

    @Test
    void waitsNoLongerThanItsTimeout() throws InterruptedException {
        try (Log log = filled();
                LogReader reader = log.reader()) {
            long start = System.nanoTime();
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ofMillis(120)))
                    .isFalse();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000);
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ZERO))
                    .isFalse();
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ofMillis(-5)))
                    .isFalse();
        }
    }

    @Test
    void doesNotWaitForWhatIsThere() throws InterruptedException {
        try (Log log = filled("one", "two", "three");
                LogReader reader = log.reader()) {
            assertThat(reader.poll((segment, offset, length) -> {}, LONG)).isTrue();
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ZERO))
                    .isTrue();
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ofSeconds(Long.MAX_VALUE)))
                    .isTrue();
        }
    }

    @Test
    void isWokenByAnAppend() throws Exception {
        try (Log log = filled();
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            for (int i = 0; i < 20; i++) {
                List<String> seen = new ArrayList<>();
                CompletableFuture<Boolean> waiting = inThread(() -> reader.poll(
                        (segment, offset, length) -> seen.add(TestLogs.text(segment, offset, length)), LONG));
                awaitSleeper(log, i + 1);
                appender.append(TestLogs.bytes("wake " + i));
                assertThat(waiting.get()).isTrue();
                assertThat(seen).containsExactly("wake " + i);
            }
        }
    }

    @Test
    void isWokenByABatchAndInTheNextSegment() throws Exception {
        try (Log log = filled();
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch();
                LogReader reader = log.reader()) {
            TestLogs.fillUpTo(appender, 1, 1000);
            TestLogs.payloads(reader);
            CompletableFuture<Boolean> waiting = inThread(() -> reader.poll((segment, offset, length) -> {}, LONG));
            awaitSleeper(log, 1);
            for (int i = 0; i < 2048; i++) {
                batch.add(new byte[1016]);
            }
            batch.flush();
            assertThat(waiting.get()).isTrue();
            assertThat(TestLogs.payloads(reader)).hasSize(2047);
        }
    }

    @Test
    void stopsWaitingWhenInterrupted() throws Exception {
        try (Log log = filled();
                LogReader reader = log.reader()) {
            CountDownLatch started = new CountDownLatch(1);
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                started.countDown();
                try {
                    reader.poll((segment, offset, length) -> {}, LONG);
                    thrown.complete(new AssertionError("returned"));
                } catch (InterruptedException | RuntimeException e) {
                    thrown.complete(e);
                }
            });
            started.await();
            thread.interrupt();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(TestLogs.texts(reader)).isEmpty();
        }
    }

    @Test
    void stopsWaitingWhenTheLogIsClosed() throws Exception {
        Log log = filled();
        LogReader reader = log.reader();
        CompletableFuture<Boolean> waiting = inThread(() -> reader.poll((segment, offset, length) -> {}, LONG));
        awaitSleeper(log, 1);
        log.close();
        assertThatThrownBy(waiting::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedException.class);
    }

    @Test
    void waitsOnAVirtualThreadToo() throws Exception {
        try (Log log = filled();
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            CompletableFuture<Boolean> result = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    result.complete(reader.poll((segment, offset, length) -> {}, LONG));
                } catch (InterruptedException | RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
            awaitSleeper(log, 1);
            appender.append(TestLogs.bytes("one"));
            assertThat(result.get()).isTrue();
        }
    }

    /** A handler uses the mapping, so closing waits until the handler has returned. */
    @Test
    void closingTheLogWaitsForAHandler() throws Exception {
        Log log = filled("one");
        LogReader reader = log.reader();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> seen = new ArrayList<>();
        CompletableFuture<Boolean> reading = inThread(() -> reader.poll((segment, offset, length) -> {
            inside.countDown();
            await(go);
            seen.add(TestLogs.text(segment, offset, length));
        }));
        inside.await();
        CompletableFuture<Boolean> closing = inThread(() -> {
            log.close();
            return true;
        });
        assertThat(closing).isNotDone();
        go.countDown();
        assertThat(reading.get()).isTrue();
        assertThat(closing.get()).isTrue();
        assertThat(seen).containsExactly("one");
        assertThatThrownBy(() -> TestLogs.texts(reader)).isInstanceOf(ClosedException.class);
    }

    private Log filled(String... texts) {
        Log log = TestLogs.open(directory);
        try (LogAppender appender = log.appender()) {
            for (String text : texts) {
                appender.append(TestLogs.bytes(text));
            }
        }
        return log;
    }

    /** Waits until the counter shows that readers have gone to sleep the given number of times. */
    private static void awaitSleeper(Log log, long times) {
        Await.until(() -> log.counters().getOrDefault(LogCounter.WAITS, 0L) >= times);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Task {
        boolean run() throws InterruptedException;
    }

    private static CompletableFuture<Boolean> inThread(Task task) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(task.run());
            } catch (InterruptedException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -8, -1L << 32, Long.MIN_VALUE})
    void refusesNegativePositionsAndStaysWhereItIs(long position) {
        try (Log log = filled("one", "two");
                LogReader reader = log.reader()) {
            reader.poll((segment, offset, length) -> {});
            assertThatIllegalArgumentException().isThrownBy(() -> reader.moveTo(position));
            assertThatIllegalArgumentException().isThrownBy(() -> log.reader(position));
            assertThatIllegalArgumentException().isThrownBy(() -> log.count(position, log.endPosition()));
            assertThat(TestLogs.texts(reader)).containsExactly("two");
        }
    }

    /** Segment -1 has the word that means no pin: everything could be dropped meanwhile. */
    @Test
    void refusesToPinASegmentThatCannotBe() {
        try (Log log = filled("one")) {
            LogSession session = OpenSession.of(log);
            Pins pins = new Pins(session.control, session.writing().slot());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pins.move(new Pins.Lane(), -1))
                    .withMessageContaining("-1");
        }
    }

    @Test
    void countsTheBytesBetweenPositionsOfTheLogAlone() {
        try (Log log = filled("one")) {
            long end = log.endPosition();
            assertThat(log.bytesBetween(0, end)).isEqualTo(Position.offset(end));
            assertThat(log.bytesBetween(end, 0)).isZero();
            for (long beyond : new long[] {Position.of(7, 0), Long.MAX_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> log.bytesBetween(0, beyond))
                        .withMessageContainingAll(
                                directory.toString(), Position.toString(beyond), Position.toString(end));
            }
            assertThatIllegalArgumentException().isThrownBy(() -> log.bytesBetween(-1, end));
            assertThatIllegalArgumentException().isThrownBy(() -> log.bytesBetween(Long.MIN_VALUE, -1));
        }
    }
}
