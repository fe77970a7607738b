package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import dev.larder.server.client.ClientLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client keeps on the server counts as its memory, also where it has few bytes. */
final class ClientMemoryTest {

    private static final int COUNT = 1000;

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;
    private TestClient other;
    private ClientLimits limits;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory, options -> options.withLoops(2));
        client = fixture.client();
        client.line("CLIENT SETNAME client");
        other = fixture.client();
        limits = fixture.node().clientLimits();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private long field(String name) {
        String line = other.line("CLIENT LIST")
                .lines()
                .filter(one -> one.contains("name=client "))
                .findFirst()
                .orElseThrow();
        Matcher matcher = Pattern.compile(" " + name + "=(\\d+)").matcher(line);
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    /** Returns a command with as many different arguments. */
    private static String[] call(String command, int count) {
        String[] call = new String[1 + count];
        call[0] = command;
        for (int i = 1; i <= count; i++) {
            call[i] = "k" + i;
        }
        return call;
    }

    private static String[] withoutBytes(int count) {
        String[] call = new String[1 + count];
        call[0] = "MGET";
        Arrays.fill(call, 1, call.length, "");
        return call;
    }

    @Test
    void aKeptCommandCountsBesidesItsBytes() {
        client.line("MULTI");
        for (int i = 0; i < COUNT; i++) {
            assertThat(client.line("PING")).isEqualTo("QUEUED");
        }
        assertThat(field("multi-mem")).isGreaterThan(COUNT * 250L);
        assertThat(client.line("DISCARD")).isEqualTo("OK");
        assertThat(field("multi-mem")).isZero();
    }

    /** Regression: a million empty arguments counted 4 bytes, and took 8 MB. */
    @Test
    void manyEmptyArgumentsOfAKeptCommandExceedTheLimitOfRequests() {
        limits.queryMaxBytes(1 << 20);
        client.line("MULTI");
        String reply = "QUEUED";
        int queued = 0;
        while (reply.equals("QUEUED") && queued < 200) {
            reply = client.call(withoutBytes(10_000));
            queued++;
        }
        assertThat(reply).isEqualTo("closed");
        assertThat(queued).isLessThan(14);
    }

    @Test
    void watchedKeysCount() {
        long before = field("tot-mem");
        assertThat(client.call(call("WATCH", COUNT))).isEqualTo("OK");
        long first = field("tot-mem");
        assertThat(first - before).isGreaterThan(COUNT * 250L);
        assertThat(client.call(call("WATCH", COUNT))).isEqualTo("OK");
        assertThat(field("tot-mem")).isBetween(first - COUNT * 20L, first + COUNT * 20L); // the same keys
        assertThat(client.line("UNWATCH")).isEqualTo("OK");
        assertThat(field("tot-mem")).isLessThan(before + COUNT * 20L);
    }

    @Test
    void subscriptionsCount() {
        long before = field("tot-mem");
        client.line("HELLO 3");
        client.send(call("SUBSCRIBE", COUNT));
        client.send(call("SSUBSCRIBE", COUNT));
        client.send(call("PSUBSCRIBE", COUNT));
        for (int i = 0; i < 3 * COUNT; i++) {
            client.reply();
        }
        assertThat(field("tot-mem") - before).isGreaterThan(3 * COUNT * 200L);
        for (String command : new String[] {"UNSUBSCRIBE", "SUNSUBSCRIBE", "PUNSUBSCRIBE"}) {
            client.send(command);
            for (int i = 0; i < COUNT; i++) {
                client.reply();
            }
        }
        assertThat(field("tot-mem") - before).isLessThan(COUNT * 100L);
    }

    @Test
    void trackedPrefixesCount() {
        long before = field("tot-mem");
        client.line("HELLO 3");
        StringBuilder command = new StringBuilder("CLIENT TRACKING on BCAST");
        for (int i = 0; i < COUNT; i++) {
            command.append(" PREFIX ").append("k").append(COUNT + i).append(':');
        }
        assertThat(client.line(command.toString())).isEqualTo("OK");
        assertThat(field("tot-mem") - before).isGreaterThan(COUNT * 200L);
        assertThat(client.line("CLIENT TRACKING off")).isEqualTo("OK");
        assertThat(field("tot-mem") - before).isLessThan(COUNT * 100L);
    }

    /** Regression: each key was compared with all that were watched. */
    @Test
    void aLoopWatchesManyKeysQuickly() {
        String[] watch = call("WATCH", 100_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(15), () -> assertThat(client.call(watch)).isEqualTo("OK"));
        client.line("MULTI");
        assertThat(other.line("SET k99999 changed")).isEqualTo("OK");
        client.line("PING");
        assertThat(client.line("EXEC")).isEqualTo("nil");
        client.line("MULTI");
        client.line("PING");
        assertThat(client.statuses("EXEC")).containsExactly("PONG");
    }
}
