package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of a log in a flight recording. */
@Tag("any-storage")
@Timeout(300)
final class EventsTest {

    @TempDir
    Path directory;

    @Test
    void recordsRolls() throws IOException {
        List<RecordedEvent> events = record("dev.larder.Roll", log -> {
            try (LogAppender appender = log.appender()) {
                TestLogs.fillUpTo(appender, 2, 1000);
            }
        });
        assertThat(events).extracting(event -> event.getInt("segment")).containsExactly(1, 2);
        assertThat(events).extracting(event -> event.getLong("bytes")).containsOnly(TestLogs.MIB_2);
    }

    @Test
    void recordsSyncs() throws IOException {
        List<RecordedEvent> events = record("dev.larder.Sync", log -> {
            try (LogAppender appender = log.appender()) {
                appender.append(new byte[8]);
                log.sync();
                log.sync();
                appender.append(new byte[8]);
                log.sync();
            }
        });
        assertThat(events).extracting(event -> event.getString("position")).containsExactly("0:8208", "0:8224");
        assertThat(events).allMatch(event -> event.getDuration().toNanos() > 0);
    }

    @Test
    void recordsRecoveries() throws IOException {
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(crashed, TestLogs.options(), appender -> appender.append(new byte[8]));
        List<RecordedEvent> events =
                record("dev.larder.Recovery", log -> TestLogs.open(crashed).close());
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().getString("directory")).isEqualTo(crashed.toString());
        assertThat(events.getFirst().getString("found")).isNotEmpty();
    }

    @Test
    void recordsDamagedPlaces() throws IOException {
        Path damaged = directory.resolve("damaged");
        TestLogs.open(damaged).close();
        CopiedLog.damagePlaces(damaged);
        List<RecordedEvent> events =
                record("dev.larder.Recovery", log -> TestLogs.open(damaged).close());
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().getString("found"))
                .contains(damaged.resolve("log.ctl").toString(), "4096", "8192", "no record is lost");
    }

    private List<RecordedEvent> record(String name, Consumer<Log> work) throws IOException {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording();
                Log log = TestLogs.open(directory.resolve("log"))) {
            recording.enable(name).withoutThreshold();
            recording.start();
            work.accept(log);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .sorted(java.util.Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }
}
