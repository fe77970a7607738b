package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publish and subscribe, on a server of two loops. The expected replies are those of Redis 7.0.15, except where noted. */
final class ChannelCommandsTest {

    private static final int MESSAGES = 2000;

    @TempDir
    private Path directory;

    private ServerFixture fixture;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory, options -> options.withLoops(2));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static List<String> replies(TestClient client, int count, String... command) {
        client.send(command);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(client.reply());
        }
        return all;
    }

    @Test
    void aMessageReachesTheSubscribersOfItsChannelAndOfPatterns() {
        TestClient one = fixture.client();
        TestClient two = fixture.client();
        TestClient publisher = fixture.client();
        assertThat(replies(one, 3, "SUBSCRIBE", "a", "b", "a"))
                .containsExactly("[subscribe, a, 1]", "[subscribe, b, 2]", "[subscribe, a, 2]");
        assertThat(two.line("PSUBSCRIBE a*")).isEqualTo("[psubscribe, a*, 1]");
        assertThat(publisher.line("PUBLISH a hello")).isEqualTo("2");
        assertThat(publisher.line("PUBLISH b hi")).isEqualTo("1");
        assertThat(publisher.line("PUBLISH c nobody")).isEqualTo("0");
        assertThat(one.reply()).isEqualTo("[message, a, hello]");
        assertThat(one.reply()).isEqualTo("[message, b, hi]");
        assertThat(two.reply()).isEqualTo("[pmessage, a*, a, hello]");
    }

    @Test
    void aClientThatMatchesTwiceGetsTwo() {
        TestClient client = fixture.client();
        client.line("SUBSCRIBE news");
        assertThat(client.line("PSUBSCRIBE n?ws")).isEqualTo("[psubscribe, n?ws, 2]");
        assertThat(fixture.client().line("PUBLISH news x")).isEqualTo("2");
        assertThat(List.of(client.reply(), client.reply()))
                .containsExactlyInAnyOrder("[message, news, x]", "[pmessage, n?ws, news, x]");
    }

    @Test
    void subscriptionsEndByNameOrAllAtOnce() {
        TestClient client = fixture.client();
        TestClient other = fixture.client();
        replies(client, 2, "SUBSCRIBE", "b", "a");
        client.line("PSUBSCRIBE x");
        assertThat(replies(client, 2, "UNSUBSCRIBE", "zz", "b"))
                .containsExactly("[unsubscribe, zz, 3]", "[unsubscribe, b, 2]");
        assertThat(other.line("PUBSUB NUMSUB a b")).isEqualTo("[a, 1, b, 0]");
        assertThat(client.line("UNSUBSCRIBE")).isEqualTo("[unsubscribe, a, 1]");
        assertThat(client.line("UNSUBSCRIBE")).isEqualTo("[unsubscribe, nil, 1]");
        assertThat(client.line("PUNSUBSCRIBE")).isEqualTo("[punsubscribe, x, 0]");
        assertThat(client.line("GET k")).isEqualTo("nil");
        assertThat(other.line("PUBLISH a x")).isEqualTo("0");
    }

    @Test
    void aClientOfResp2RunsFewCommandsWhileItListens() {
        TestClient client = fixture.client();
        client.line("SUBSCRIBE a");
        assertThat(client.line("GET x"))
                .isEqualTo("ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are"
                        + " allowed in this context");
        assertThat(client.line("CLIENT ID")).startsWith("ERR Can't execute 'client|id': only");
        assertThat(client.line("MULTI")).startsWith("ERR Can't execute 'multi': only");
        assertThat(client.line("PING")).isEqualTo("[pong, ]");
        assertThat(client.line("PING x")).isEqualTo("[pong, x]");
        assertThat(client.line("NOPE")).startsWith("ERR unknown command 'NOPE'");
        assertThat(client.line("RESET")).isEqualTo("RESET");
        assertThat(client.line("PING")).isEqualTo("PONG");
        assertThat(fixture.client().line("PUBLISH a x")).isEqualTo("0");
        client.line("SUBSCRIBE a");
        assertThat(client.line("QUIT")).isEqualTo("OK");
        assertThat(client.reply()).isEqualTo("closed");
    }

    @Test
    void aClientOfResp3RunsAllCommandsAndGetsPushes() {
        TestClient client = fixture.client();
        client.line("HELLO 3");
        assertThat(client.line("SUBSCRIBE a")).isEqualTo(">[subscribe, a, 1]");
        assertThat(client.line("SET k v")).isEqualTo("OK");
        assertThat(client.line("PING")).isEqualTo("PONG");
        assertThat(client.line("PUBLISH a x"))
                .isEqualTo("1"); // its own message comes after the reply, as from Redis 7.2 on
        assertThat(client.reply()).isEqualTo(">[message, a, x]");
        client.sendBytes("PUBLISH a y\r\nGET k\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(List.of(client.reply(), client.reply(), client.reply()))
                .containsExactly("1", ">[message, a, y]", "v");
    }

    @Test
    void withinATransactionRepliesAreNotMixedWithMessages() {
        TestClient client = fixture.client();
        client.line("HELLO 3");
        client.line("SUBSCRIBE a");
        client.line("MULTI");
        client.line("PUBLISH a x");
        client.line("SUBSCRIBE b");
        client.line("UNSUBSCRIBE b");
        client.line("ECHO e");
        assertThat(client.line("EXEC")).isEqualTo("[1, >[subscribe, b, 2], >[unsubscribe, b, 1], e]");
        assertThat(client.reply()).isEqualTo(">[message, a, x]");
    }

    @Test
    void aTransactionThatSubscribesGoesOnToItsEnd() {
        TestClient client = fixture.client();
        client.line("MULTI");
        client.line("SUBSCRIBE x");
        client.line("GET y");
        client.line("PING");
        assertThat(client.line("EXEC")).isEqualTo("[[subscribe, x, 1], nil, [pong, ]]");
        assertThat(client.line("GET y")).startsWith("ERR Can't execute 'get'");
    }

    @Test
    void channelsOfShardsAreApart() {
        TestClient client = fixture.client();
        TestClient other = fixture.client();
        assertThat(replies(client, 2, "SSUBSCRIBE", "z", "y"))
                .containsExactly("[ssubscribe, z, 1]", "[ssubscribe, y, 2]");
        assertThat(client.line("SUBSCRIBE z")).isEqualTo("[subscribe, z, 1]");
        assertThat(other.line("SPUBLISH z s")).isEqualTo("1");
        assertThat(other.line("PUBLISH z p")).isEqualTo("1");
        assertThat(client.reply()).isEqualTo("[smessage, z, s]");
        assertThat(client.reply()).isEqualTo("[message, z, p]");
        assertThat(other.line("PUBSUB SHARDNUMSUB z n")).isEqualTo("[z, 1, n, 0]");
        assertThat(other.line("PUBSUB SHARDCHANNELS z*")).isEqualTo("[z]");
        assertThat(replies(client, 2, "SUNSUBSCRIBE")).containsExactly("[sunsubscribe, z, 1]", "[sunsubscribe, y, 0]");
        assertThat(client.line("SUNSUBSCRIBE")).isEqualTo("[sunsubscribe, nil, 0]");
    }

    @Test
    void whatIsSubscribedToIsTold() {
        TestClient one = fixture.client();
        TestClient two = fixture.client();
        TestClient other = fixture.client();
        replies(one, 2, "SUBSCRIBE", "ab", "b");
        replies(two, 2, "PSUBSCRIBE", "p*", "q*");
        one.line("PSUBSCRIBE p*");
        assertThat(other.line("PUBSUB CHANNELS a*")).isEqualTo("[ab]");
        assertThat(other.line("PUBSUB CHANNELS")).isIn("[ab, b]", "[b, ab]");
        assertThat(other.line("PUBSUB NUMPAT")).isEqualTo("2");
        assertThat(other.line("PUBSUB NUMSUB")).isEqualTo("[]");
        assertThat(other.line("PUBSUB CHANNELS a b"))
                .isEqualTo("ERR unknown subcommand or wrong number of arguments for 'CHANNELS'. Try PUBSUB HELP.");
        assertThat(other.line("PUBSUB NOPE")).isEqualTo("ERR unknown subcommand 'NOPE'. Try PUBSUB HELP.");
        assertThat(other.line("PUBSUB HELP"))
                .startsWith("[PUBSUB <subcommand> [<arg> [value] [opt] ...]. Subcommands are:, CHANNELS [<pattern>],");
        two.close();
        one.close();
        TestClient last = fixture.client();
        await().until(() -> last.line("PUBSUB NUMPAT").equals("0")); // a loop learns a little later of a closed client
    }

    @Test
    void messagesComeInTheirOrderAndBinary() {
        TestClient subscriber = fixture.client();
        subscriber.line("SUBSCRIBE c\r\n\0");
        TestClient publisher = fixture.client();
        for (int i = 0; i < MESSAGES; i++) {
            publisher.send("PUBLISH", "c\r\n\0", "\0\r\n" + i);
        }
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(publisher.reply()).isEqualTo("1");
            assertThat(subscriber.reply()).isEqualTo("[message, c\r\n\0, \0\r\n" + i + "]");
        }
    }

    @Test
    void whatWasPublishedBeforeTheEndOfASubscriptionComesBeforeItsReply() {
        TestClient subscriber = fixture.client();
        TestClient publisher = fixture.client();
        for (int round = 0; round < 200; round++) {
            assertThat(subscriber.line("SUBSCRIBE c")).isEqualTo("[subscribe, c, 1]");
            publisher.send("PUBLISH", "c", "m" + round);
            publisher.reply();
            assertThat(replies(subscriber, 2, "UNSUBSCRIBE", "c"))
                    .containsExactly("[message, c, m" + round + "]", "[unsubscribe, c, 0]");
        }
    }

    @Test
    void aTransactionSubscribesToNoChannelOfAShard() {
        TestClient one = fixture.client();
        one.line("MULTI");
        one.line("SSUBSCRIBE a");
        one.line("SET a b");
        assertThat(one.line("EXEC")).isEqualTo("[ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client, OK]");
    }
}
