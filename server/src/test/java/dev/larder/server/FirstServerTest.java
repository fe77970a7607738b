package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job of the server, over a socket. */
final class FirstServerTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void whatWasSetIsFoundAlsoAfterARestart() {
        TestClient client = fixture.client();
        assertThat(client.line("SET fruit apple")).isEqualTo("OK");
        assertThat(client.line("SET number 41 EX 1000")).isEqualTo("OK");
        assertThat(client.line("INCR number")).isEqualTo("42");
        fixture.restart();
        client = fixture.client();
        assertThat(client.line("MGET fruit number nothing")).isEqualTo("[apple, 42, nil]");
        assertThat(client.line("TTL number")).isIn("1000", "999", "998");
    }

    @Test
    void aRequestMayComeByteByByteAndManyAtOnce() {
        TestClient client = fixture.client();
        for (byte one : "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nvalue\r\n".getBytes(StandardCharsets.US_ASCII)) {
            client.sendBytes(new byte[] {one});
        }
        assertThat(client.reply()).isEqualTo("OK");
        client.sendBytes("GET k\r\nINCR n\r\nINCR n\r\n*2\r\n$3\r\nGET\r\n$1\r\nk".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.reply()).isEqualTo("value");
        assertThat(client.reply()).isEqualTo("1");
        assertThat(client.reply()).isEqualTo("2");
        client.sendBytes("\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.reply()).isEqualTo("value");
        assertThat(client.reply()).isEqualTo("PONG");
    }

    @Test
    void aValueMayBeLargerThanABufferOfTheLoop() {
        TestClient client = fixture.client();
        String value = "0123456789abcdef".repeat(50_000);
        assertThat(client.call("SET", "large", value)).isEqualTo("OK");
        assertThat(client.call("GET", "large")).isEqualTo(value);
        assertThat(client.call("STRLEN", "large")).isEqualTo("800000");
    }

    @Test
    void aTransactionIsGivenUpIfAWatchedKeyHasChanged() {
        TestClient client = fixture.client();
        TestClient other = fixture.client();
        client.line("SET a 1");
        client.line("WATCH a");
        other.line("SET a 2");
        client.line("MULTI");
        assertThat(client.line("SET a 3")).isEqualTo("QUEUED");
        assertThat(client.line("EXEC")).isEqualTo("nil");
        assertThat(client.line("GET a")).isEqualTo("2");
        client.line("MULTI");
        client.line("INCR a");
        client.line("GET a");
        assertThat(client.line("EXEC")).isEqualTo("[3, 3]");
    }

    @Test
    void aBrokenRequestIsAnsweredAndEndsTheConnection() {
        TestClient client = fixture.client();
        client.sendBytes("*1\r\nfoo\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.reply()).isEqualTo("ERR Protocol error: expected '$', got 'f'");
        assertThat(client.reply()).isEqualTo("closed");
        assertThat(fixture.client().line("PING")).isEqualTo("PONG");
    }

    @Test
    void aScanFindsEveryKey() {
        TestClient client = fixture.client();
        for (int i = 0; i < 1000; i++) {
            client.send("SET", "key:" + i, "x");
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(client.reply()).isEqualTo("OK");
        }
        Set<String> found = new HashSet<>();
        String cursor = "0";
        do {
            String reply = client.line("SCAN " + cursor + " COUNT 50 MATCH key:*");
            cursor = reply.substring(1, reply.indexOf(','));
            String keys = reply.substring(reply.indexOf('[', 1) + 1, reply.length() - 2);
            found.addAll(List.of(keys.split(", ")));
        } while (!cursor.equals("0"));
        found.remove("");
        assertThat(found).hasSize(1000);
        assertThat(client.line("DBSIZE")).isEqualTo("1000");
    }

    @Test
    void aKeyThatIsSetToExpireInThePastIsGone() {
        TestClient client = fixture.client();
        client.line("SET k before");
        assertThat(client.line("SET k v PXAT 1")).isEqualTo("OK");
        assertThat(client.line("EXISTS k")).isEqualTo("0");
        assertThat(client.line("DBSIZE")).isEqualTo("0");
    }
}
