package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.CorruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several databases. */
final class DatabasesTest {

    @TempDir
    private Path directory;

    @Test
    void anExchangeOfDatabasesIsSeenByAllAndSurvivesARestart() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            TestClient other = fixture.client();
            client.line("SET k zero");
            other.line("SELECT 3");
            other.line("SET k three");
            assertThat(client.line("SWAPDB 0 3")).isEqualTo("OK");
            assertThat(client.line("GET k")).isEqualTo("three");
            assertThat(other.line("GET k")).isEqualTo("zero");
            client.line("SWAPDB 3 1");
            client.line("SWAPDB 1 1");
            fixture.restart();
            client = fixture.client();
            assertThat(client.line("GET k")).isEqualTo("three");
            client.line("SELECT 1");
            assertThat(client.line("GET k")).isEqualTo("zero");
            client.line("SELECT 3");
            assertThat(client.line("GET k")).isEqualTo("nil");
        }
    }

    @Test
    void anExchangeEndsATransactionThatWatchesAKeyOfAnotherValue() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("SET k zero");
            client.line("WATCH k");
            fixture.client().line("SWAPDB 0 1");
            client.line("MULTI");
            client.line("SET k new");
            assertThat(client.line("EXEC")).isEqualTo("nil");
        }
    }

    @Test
    void aFileOfExchangesThatIsDamagedIsAnError() throws Exception {
        new ServerFixture(directory).close();
        Files.writeString(directory.resolve("databases"), "0 3\n");
        assertThatThrownBy(() -> new ServerFixture(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("databases")
                .hasMessageContaining("expected folders of the same numbers");
        Files.writeString(directory.resolve("databases"), "0 3\n3 zero\n");
        assertThatThrownBy(() -> new ServerFixture(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("\"3 zero\"");
    }

    @Test
    void aKeyIsMovedAndCopiedToAnotherDatabase() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("SET k v EX 10000");
            assertThat(client.line("COPY k k2 DB 2")).isEqualTo("1");
            assertThat(client.line("MOVE k 2")).isEqualTo("1");
            assertThat(client.line("EXISTS k")).isEqualTo("0");
            client.line("SELECT 2");
            assertThat(client.line("MGET k k2")).isEqualTo("[v, v]");
            assertThat(Long.parseLong(client.line("TTL k"))).isPositive();
            assertThat(Long.parseLong(client.line("TTL k2"))).isPositive();
        }
    }
}
