package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.shared.CountersFile;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@SuppressWarnings("EnumOrdinal") // the order is the format
final class LogCountersTest {

    @TempDir
    Path directory;

    @Test
    void countWhatWasDone() {
        try (Log log = TestLogs.open(directory)) {
            try (LogAppender appender = log.appender();
                    RecordBatch batch = appender.batch()) {
                int appended = TestLogs.fillUpTo(appender, 2, 1000);
                batch.add(new byte[8]);
                batch.add(new byte[8]);
                batch.flush();
                log.sync();
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(
                                () -> assertThat(log.counters()).containsEntry(LogCounter.APPENDS, appended + 2L));
                assertThat(log.counters())
                        .containsEntry(LogCounter.APPENDED_BYTES, appended * 1008L + 32)
                        .containsEntry(LogCounter.SYNCS, 1L)
                        .containsEntry(LogCounter.ROLLS, 2L)
                        .containsEntry(LogCounter.RECOVERIES, 0L);
                assertThat(log.counters().get(LogCounter.SYNC_NANOS)).isPositive();
            }
        }
    }

    @Test
    void goOnWhereTheLastProcessStopped() {
        for (int opening = 1; opening <= 3; opening++) {
            try (Log log = TestLogs.open(directory);
                    LogAppender appender = log.appender()) {
                appender.append(TestLogs.bytes("one"));
                appender.append(TestLogs.bytes("two"));
            }
            assertThat(CountersFile.read(directory)).containsEntry(LogCounter.APPENDS, 2L * opening);
        }
    }

    @Test
    void areReadFromOutsideWhileTheLogIsOpen() {
        try (Log log = TestLogs.open(directory)) {
            log.sync();
            assertThat(CountersFile.read(directory)).isEqualTo(log.counters());
            assertThat(CountersFile.read(directory)).containsOnlyKeys(LogCounter.values());
        }
    }

    @Test
    void lieInTheFileInTheirOrder() throws IOException {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
        }
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("log.cnt")))
                .order(ByteOrder.LITTLE_ENDIAN);
        Map<LogCounter, Long> counters = CountersFile.read(directory);
        int place = 0;
        for (LogCounter counter : LogCounter.values()) {
            assertThat(counter.ordinal()).isEqualTo(place);
            assertThat(file.getLong(64 + 8 * place++)).isEqualTo(counters.get(counter));
        }
        assertThat(counters).containsEntry(LogCounter.APPENDS, 1L);
    }

    @Test
    void beginAnewWhenTheirFileIsDamaged() throws IOException {
        TestLogs.open(directory).close();
        Path file = directory.resolve("log.cnt");
        for (byte[] damaged : new byte[][] {
            {},
            "something else".getBytes(java.nio.charset.StandardCharsets.UTF_8),
            Arrays.copyOf(Files.readAllBytes(file), 100)
        }) {
            Files.write(file, damaged);
            assertThatThrownBy(() -> CountersFile.read(directory))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining(file.toString());
            try (Log log = TestLogs.open(directory);
                    LogAppender appender = log.appender()) {
                appender.append(TestLogs.bytes("one"));
            }
            assertThat(CountersFile.read(directory)).containsEntry(LogCounter.APPENDS, 1L);
        }
    }

    @Test
    void ofAReadOnlyOpeningCountNothing() {
        TestLogs.open(directory).close();
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThat(log.counters().values()).containsOnly(0L);
        }
    }
}
