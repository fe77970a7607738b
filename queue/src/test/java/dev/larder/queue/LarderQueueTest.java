package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.RecordTooLargeException;
import dev.larder.memory.ClosedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
final class LarderQueueTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void deliversEveryKindOfMessageToEveryTailer(IntegrityMode integrity) {
        byte[] bytes = "0123456789".getBytes(StandardCharsets.UTF_8);
        try (LarderQueue queue =
                        LarderQueue.open(directory, TestQueues.options().withIntegrity(integrity));
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            appender.append(bytes);
            appender.append(bytes, 3, 2);
            appender.append(MemorySegment.ofArray(bytes));
            appender.append(MemorySegment.ofArray(bytes), 8, 2);
            appender.append("h\u00e9llo \ud83d\ude00");
            appender.append(CharBuffer.allocate(0));
            appender.append(2, (segment, offset, length) -> {
                segment.set(ValueLayout.JAVA_BYTE, offset, (byte) 'i');
                segment.set(ValueLayout.JAVA_BYTE, offset + 1, (byte) 'n');
            });
            List<String> expected =
                    List.of("0123456789", "34", "0123456789", "89", "h\u00e9llo \ud83d\ude00", "", "in");
            assertThat(TestQueues.texts(tailer)).isEqualTo(expected);
            assertThat(TestQueues.texts(tailer)).isEmpty();
            assertThat(TestQueues.texts(queue)).isEqualTo(expected);
        }
        try (LarderQueue queue = TestQueues.open(directory)) {
            assertThat(TestQueues.texts(queue)).hasSize(7);
            assertThat(queue.verify().isSound()).isTrue();
            assertThat(queue.counters()).containsEntry(LogCounter.APPENDS, 7L);
        }
    }

    @Test
    void handsOutSlicesWhereAsked() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            appender.append("one");
            List<byte[]> seen = new ArrayList<>();
            tailer.poll(MessageHandler.ofSlices(slice -> seen.add(slice.toArray(ValueLayout.JAVA_BYTE))));
            assertThat(seen).containsExactly("one".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void appendsBatches() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender()) {
            try (Batch batch = appender.batch()) {
                batch.add(new byte[] {'a'});
                batch.add(new byte[] {'b', 'c'}, 1, 1);
                batch.add(MemorySegment.ofArray(new byte[] {'d'}));
                batch.add(MemorySegment.ofArray(new byte[] {'e', 'f'}), 1, 1);
                long last = batch.flush();
                try (Tailer tailer = queue.tailer()) {
                    assertThat(TestQueues.texts(tailer.moveTo(last))).containsExactly("f");
                }
                batch.add(new byte[] {'g'});
            }
            assertThat(TestQueues.texts(queue)).containsExactly("a", "c", "d", "f", "g");
        }
    }

    @Test
    void goesToStartEndAndAnyMessage() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            assertThat(TestQueues.texts(tailer.toEnd())).isEmpty();
            appender.append("one");
            long two = appender.append("two");
            appender.append("three");
            assertThat(TestQueues.texts(tailer)).containsExactly("one", "two", "three");
            assertThat(TestQueues.texts(tailer.toStart())).containsExactly("one", "two", "three");
            assertThat(TestQueues.texts(tailer.moveTo(two))).containsExactly("two", "three");
            assertThat(tailer.toEnd().position()).isEqualTo(queue.info().endPosition());
            appender.append("four");
            assertThat(TestQueues.texts(tailer)).containsExactly("four");
        }
    }

    @Test
    void knowsThePositionOfTheMessageBeingHandled() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            List<Long> appended = List.of(appender.append("one"), appender.append(""), appender.append("three"));
            List<Long> seen = new ArrayList<>();
            assertThat(tailer.drain((segment, offset, length) -> seen.add(tailer.position()), 10))
                    .isEqualTo(3);
            assertThat(seen).isEqualTo(appended);
            assertThat(tailer.position()).isEqualTo(queue.info().endPosition());
        }
    }

    @Test
    void saysWhatWasTooLarge() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender()) {
            assertThatThrownBy(() -> appender.append("x".repeat(600_000)))
                    .isInstanceOf(RecordTooLargeException.class)
                    .hasMessageContainingAll("600000", "524288");
            appender.append("y".repeat(524_288));
            assertThat(TestQueues.texts(queue)).containsExactly("y".repeat(524_288));
        }
    }

    @Test
    void syncsUpToItsEnd() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender()) {
            long position = appender.append("one");
            assertThat(queue.durablePosition()).isLessThanOrEqualTo(position);
            assertThat(queue.sync()).isGreaterThan(position).isEqualTo(queue.durablePosition());
        }
    }

    @Test
    void closesWhatItHandedOut() {
        LarderQueue queue = TestQueues.open(directory);
        Appender appender = queue.appender();
        Tailer tailer = queue.tailer();
        queue.close();
        queue.close();
        assertThatThrownBy(() -> appender.append("late")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> TestQueues.texts(tailer)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(queue::appender).isInstanceOf(ClosedException.class);
        appender.close();
        tailer.close();
    }

    @Test
    void preparesSpaceAhead() {
        try (LarderQueue queue =
                LarderQueue.open(directory, TestQueues.options().withLargestSegmentBytes(8L << 20))) {
            queue.prepare(10L << 20);
            assertThat(queue.info().segments()).isEqualTo(3);
            assertThat(queue.counters().get(LogCounter.POPULATED_BYTES)).isBetween(10L << 20, 12L << 20);
        }
    }

    @Test
    void costsLittleDiskWhileEmpty() throws Exception {
        try (LarderQueue queue = LarderQueue.open(directory, TestQueues.defaults());
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            assertThat(tailer.poll((segment, offset, length) -> {}, java.time.Duration.ofMillis(200)))
                    .isFalse();
            assertThat(appender).isNotNull();
            assertThat(diskBytes()).isLessThanOrEqualTo(4L << 20);
            assertThat(sizeBytes()).isLessThanOrEqualTo(4L << 20);
        }
        assertThat(diskBytes()).isLessThanOrEqualTo(4L << 20);
    }

    private long diskBytes() throws IOException, InterruptedException {
        Process du = new ProcessBuilder("du", "-sk", directory.toString()).start();
        try (java.io.BufferedReader lines = du.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            assertThat(du.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return Long.parseLong(line.split("\\s", -1)[0]) << 10;
        }
    }

    private long sizeBytes() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @Test
    void tellsWhatItIs() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender()) {
            long position = appender.append("one");
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(queue.counters()).containsEntry(LogCounter.APPENDS, 1L));
            QueueInfo info = queue.info();
            assertThat(info.directory()).isEqualTo(directory);
            assertThat(info.firstPosition()).isEqualTo(position);
            assertThat(info.endPosition()).isEqualTo(position + 16);
            assertThat(info.segments()).isOne();
            assertThat(info.messages()).hasValue(1);
            assertThat(info.largestRecordBytes()).isEqualTo(512L << 10);
        }
    }
}
