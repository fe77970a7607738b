package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits for writes to be safe, on a node without mirrors. */
final class WaitTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory);
        client = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void noMirrorAnswers() {
        assertThat(client.line("WAIT 0 0")).isEqualTo("0");
        assertThat(client.line("WAIT 2 20")).isEqualTo("0");
        assertThat(client.line("WAITAOF 1 0 0")).isEqualTo("[1, 0]");
        assertThat(client.line("WAITAOF 1 1 20")).isEqualTo("[1, 0]");
    }

    @Test
    void theCommandsBehindAWaitComeAfterIt() {
        client.send("SET", "k", "1");
        client.send("WAIT", "1", "30");
        client.send("INCR", "k");
        client.send("WAITAOF", "1", "1", "30");
        client.send("INCR", "k");
        assertThat(client.reply()).isEqualTo("OK");
        assertThat(client.reply()).isEqualTo("0");
        assertThat(client.reply()).isEqualTo("2");
        assertThat(client.reply()).isEqualTo("[1, 0]");
        assertThat(client.reply()).isEqualTo("3");
    }

    @Test
    void withinATransactionNobodyWaits() {
        client.line("MULTI");
        client.line("WAIT 1 1000000");
        client.line("INCR k");
        assertThat(client.line("EXEC")).isEqualTo("[0, 1]");
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThat(client.line("WAIT x 1")).isEqualTo("ERR value is not an integer or out of range");
        assertThat(client.line("WAIT 1 x")).isEqualTo("ERR timeout is not an integer or out of range");
        assertThat(client.line("WAIT 1 -1")).isEqualTo("ERR timeout is negative");
        assertThat(client.line("WAITAOF 2 0 0")).isEqualTo("ERR value is out of range, value must between 0 and 1");
        assertThat(client.line("WAITAOF 1 -1 0")).isEqualTo("ERR value is out of range, must be positive");
        assertThat(client.line("WAIT 1 0")).contains("no mirrors");
    }

    @Test
    void anotherClientEndsAWait() {
        for (String command : List.of("WAIT 1 1000000", "WAITAOF 1 1 1000000")) {
            TestClient one = fixture.client();
            String id = one.line("CLIENT ID");
            one.send(command.split(" ", -1));
            await().until(() -> client.line("CLIENT UNBLOCK " + id).equals("1"));
            assertThat(one.reply()).isEqualTo(command.startsWith("WAITAOF") ? "[1, 0]" : "0");
            assertThat(client.line("CLIENT UNBLOCK " + id)).isEqualTo("0");
            one.send(command.split(" ", -1));
            await().until(() -> client.line("CLIENT UNBLOCK " + id + " ERROR").equals("1"));
            assertThat(one.reply()).isEqualTo("UNBLOCKED client unblocked via CLIENT UNBLOCK");
            assertThat(one.line("PING")).isEqualTo("PONG");
        }
    }

    /** So it is not closed as an idle client. */
    @Test
    void aClientThatWaitsCountsAsBlocked() {
        TestClient waiting = fixture.client();
        String id = waiting.line("CLIENT ID");
        waiting.send("WAIT", "1", "1000000");
        await().until(() -> client.line("CLIENT LIST")
                .lines()
                .anyMatch(line -> line.startsWith("id=" + id + " ") && line.contains("flags=b")));
        client.line("CLIENT UNBLOCK " + id);
        assertThat(waiting.reply()).isEqualTo("0");
        assertThat(client.line("CLIENT LIST")).doesNotContain("flags=b");
    }
}
