package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.Durability;
import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a server in a flight recording. */
class FlightEventsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    void aRecordingHasWhatTheServerDid() throws IOException {
        Path backup = directory.resolve("backup");
        Path file = directory.resolve("all.jfr");
        try (Recording recording = new Recording();
                ServerFixture server = new ServerFixture(
                        directory.resolve("data"), options -> options.withDurability(Durability.ofEveryWrite()))) {
            recording.start();
            TestClient client = server.client();
            client.line("CONFIG SET slowlog-log-slower-than 0");
            assertThat(client.line("SET a 1")).isEqualTo("OK");
            client.line("CONFIG SET maxmemory 1");
            assertThat(client.line("SET b 1")).startsWith("OOM");
            client.line("CONFIG SET maxmemory-policy allkeys-lru");
            await().atMost(PATIENCE).until(() -> client.line("DBSIZE").equals("0"));
            server.client().close();
            client.line("BGSAVE TO " + backup);
            await().atMost(PATIENCE).until(() -> Files.exists(backup));
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> isComplete(recording, file));
        }
    }

    /** Checks the recording so far. The server records each second at its end. */
    private static boolean isComplete(Recording recording, Path file) throws IOException {
        recording.dump(file);
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        return sum(events, "opened") == 2
                && sum(events, "closed") == 1
                && sum(events, "evicted") == 1
                && sum(events, "outOfMemory") == 1
                && sum(events, "commands") > 5
                && of(events, "GroupCommit")
                        .anyMatch(event -> event.getInt("sessions") == 1 && !event.getBoolean("failed"))
                && of(events, "Backup").anyMatch(event -> event.getBoolean("complete") && event.getLong("pause") > 0)
                && of(events, "SlowCommand")
                        .anyMatch(event -> event.getString("command").equals("set"));
    }

    private static Stream<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals("dev.larder." + name));
    }

    private static long sum(List<RecordedEvent> events, String field) {
        return of(events, "ServerStatistics")
                .mapToLong(event -> event.getLong(field))
                .sum();
    }
}
