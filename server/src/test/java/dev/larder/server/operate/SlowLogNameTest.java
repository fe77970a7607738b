package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names that clients give themselves, in the slow log. */
final class SlowLogNameTest {

    @TempDir
    private Path directory;

    /** Regression: the log kept a name of any length for each entry. */
    @Test
    void aLongNameIsCut() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("CLIENT SETNAME " + "n".repeat(1000));
            client.line("CONFIG SET slowlog-log-slower-than 0");
            client.line("PING");
            assertThat(client.line("SLOWLOG GET 1")).endsWith(", " + "n".repeat(128) + "... (872 more bytes)]]");
        }
    }
}
