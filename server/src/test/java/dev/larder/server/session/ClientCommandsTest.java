package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import dev.larder.server.access.User;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code CLIENT} and {@code MONITOR}, on a server of two loops. The expected replies are those of Redis 7.0.15. */
final class ClientCommandsTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;
    private TestClient other;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory, options -> options.withLoops(2));
        client = fixture.client();
        other = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private void awaitList(String contained) {
        await().until(() -> client.line("CLIENT LIST").contains(contained));
    }

    @Test
    void aClientIsDescribed() {
        client.line("CLIENT SETNAME me");
        client.line("CLIENT SETINFO LIB-NAME lib");
        client.line("CLIENT SETINFO lib-ver 1.2");
        client.line("SELECT 3");
        assertThat(client.line("CLIENT INFO"))
                .matches("id=\\d+ addr=127\\.0\\.0\\.1:\\d+ laddr=127\\.0\\.0\\.1:\\d+ fd=\\d+ name=me age=\\d+ idle=0"
                        + " flags=N db=3 sub=0 psub=0 ssub=0 multi=-1 qbuf=26 qbuf-free=\\d+ argv-mem=\\d+"
                        + " multi-mem=0 rbs=\\d+ rbp=\\d+ obl=0 oll=0 omem=0 tot-mem=\\d+ events=r"
                        + " cmd=client\\|info user=default redir=-1 resp=2 lib-name=lib lib-ver=1.2\n");
        assertThat(client.line("CLIENT GETNAME")).isEqualTo("me");
        assertThat(client.call("CLIENT", "SETNAME", "a b"))
                .isEqualTo("ERR Client names cannot contain spaces, newlines or special characters.");
        assertThat(client.call("CLIENT", "SETINFO", "LIB-VER", "a b"))
                .isEqualTo("ERR lib-ver cannot contain spaces, newlines or special characters.");
        assertThat(client.line("CLIENT SETINFO foo bar")).isEqualTo("ERR Unrecognized option 'foo'");
    }

    @Test
    void theListSaysWhatClientsDo() {
        client.line("CLIENT SETNAME lister");
        other.line("CLIENT SETNAME queuing");
        other.line("MULTI");
        other.line("PING");
        TestClient subscriber = fixture.client();
        subscriber.line("CLIENT SETNAME subscriber");
        subscriber.line("SUBSCRIBE a");
        subscriber.line("PSUBSCRIBE a*");
        subscriber.line("SSUBSCRIBE s");
        assertThat(client.line("CLIENT LIST")).contains(" flags=x db=0 sub=0 psub=0 ssub=0 multi=1 ");
        assertThat(client.line("CLIENT LIST TYPE pubsub").lines())
                .singleElement()
                .asString()
                .contains("name=subscriber")
                .contains("flags=P db=0 sub=1 psub=1 ssub=1 multi=-1");
        assertThat(client.line("CLIENT LIST TYPE normal").lines()).hasSize(2);
        String id = other.line("DISCARD").equals("OK") ? other.line("CLIENT ID") : "";
        assertThat(client.line("CLIENT LIST ID " + id + " 4711").lines())
                .singleElement()
                .asString()
                .startsWith("id=" + id + " ");
        assertThat(client.line("CLIENT LIST TYPE replica")).isEmpty();
        assertThat(client.line("CLIENT LIST TYPE foo")).isEqualTo("ERR Unknown client type 'foo'");
        assertThat(client.line("CLIENT LIST ID x")).isEqualTo("ERR Invalid client ID");
        assertThat(client.line("CLIENT LIST foo")).isEqualTo("ERR syntax error");
    }

    @Test
    void clientsAreClosedByWhatIsKnownOfThem() {
        String id = other.line("CLIENT ID");
        assertThat(client.line("CLIENT KILL ID " + id)).isEqualTo("1");
        assertThat(other.reply()).isEqualTo("closed");
        assertThat(client.line("CLIENT LIST").lines()).hasSize(1);
        TestClient subscriber = fixture.client();
        subscriber.line("SUBSCRIBE a");
        assertThat(client.line("CLIENT KILL TYPE pubsub SKIPME yes")).isEqualTo("1");
        assertThat(subscriber.reply()).isEqualTo("closed");
        TestClient third = fixture.client();
        String line = third.line("CLIENT INFO");
        String address = line.substring(line.indexOf("addr=") + 5, line.indexOf(" laddr="));
        assertThat(client.line("CLIENT KILL ADDR " + address + " ID 4711")).isEqualTo("0");
        assertThat(client.line("CLIENT KILL " + address)).isEqualTo("OK");
        assertThat(third.reply()).isEqualTo("closed");
        assertThat(client.line("CLIENT KILL " + address)).isEqualTo("ERR No such client");
        assertThat(client.line("CLIENT KILL USER default")).isEqualTo("0");
        assertThat(client.line("CLIENT KILL USER nobody")).isEqualTo("ERR No such user 'nobody'");
        assertThat(client.line("CLIENT KILL ID 0")).isEqualTo("ERR client-id should be greater than 0");
        assertThat(client.line("CLIENT KILL SKIPME no")).isEqualTo("1");
        assertThat(client.reply()).isEqualTo("closed");
    }

    @Test
    void aPauseOfWritesHasWritesWaitAndNoReads() {
        assertThat(client.line("CLIENT PAUSE 100000 WRITE")).isEqualTo("OK");
        other.send("SET", "k", "v");
        other.send("GET", "k");
        awaitList("flags=b ");
        assertThat(client.line("GET k")).isEqualTo("nil");
        TestClient publisher = fixture.client();
        publisher.send("PUBLISH", "a", "b");
        assertThat(client.line("CLIENT UNPAUSE")).isEqualTo("OK");
        assertThat(other.reply()).isEqualTo("OK");
        assertThat(other.reply()).isEqualTo("v");
        assertThat(publisher.reply()).isEqualTo("0");
        assertThat(client.line("SET k w")).isEqualTo("OK");
    }

    @Test
    void aPauseHasTransactionsWaitThatWrite() {
        other.line("MULTI");
        other.line("SET k v");
        TestClient reader = fixture.client();
        reader.line("MULTI");
        reader.line("GET k");
        client.line("CLIENT PAUSE 100000 WRITE");
        assertThat(reader.line("EXEC")).isEqualTo("[nil]");
        other.send("EXEC");
        awaitList("flags=xb ");
        client.line("CLIENT UNPAUSE");
        assertThat(other.reply()).isEqualTo("[OK]");
    }

    @Test
    void aPauseOfAllEndsByItself() {
        assertThat(client.line("CLIENT PAUSE 50")).isEqualTo("OK");
        assertThat(client.line("PING")).isEqualTo("PONG");
        assertThat(client.line("CLIENT PAUSE x")).isEqualTo("ERR timeout is not an integer or out of range");
        assertThat(client.line("CLIENT PAUSE -1")).isEqualTo("ERR timeout is negative");
        assertThat(client.line("CLIENT PAUSE 1 foo")).isEqualTo("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }

    @Test
    void aClientMayWantNoReplies() {
        client.send("CLIENT", "REPLY", "SKIP");
        client.send("PING", "a");
        assertThat(client.line("PING b")).isEqualTo("b");
        client.send("CLIENT", "REPLY", "OFF");
        client.send("PING", "c");
        client.send("NOPE");
        client.send("CLIENT", "REPLY", "SKIP");
        assertThat(client.line("CLIENT REPLY ON")).isEqualTo("OK");
        assertThat(client.line("PING d")).isEqualTo("d");
        client.send("CLIENT", "REPLY", "OFF");
        assertThat(client.line("RESET")).isEqualTo("RESET");
        client.send("CLIENT", "REPLY", "SKIP");
        client.send("RESET");
        assertThat(client.line("PING e")).isEqualTo("e");
        assertThat(client.line("CLIENT REPLY foo")).isEqualTo("ERR syntax error");
    }

    /** The reply that the client skips comes late. */
    @Test
    void aReplyIsLeftOutAlsoWhereItsCommandHasWaited() {
        TestClient writer = fixture.client();
        client.send("CLIENT", "REPLY", "SKIP");
        client.send("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
        client.send("PING", "b");
        await().until(() -> fixture.server().waitingClients() == 1);
        writer.line("XADD s 1-1 f v");
        assertThat(client.reply()).isEqualTo("b");
        assertThat(client.line("PING c")).isEqualTo("c");
    }

    @Test
    void aClientThatWantsNoRepliesGetsMessages() {
        client.line("SUBSCRIBE a");
        client.line("RESET");
        client.line("HELLO 3");
        client.send("CLIENT", "REPLY", "OFF");
        assertThat(client.line("SUBSCRIBE a")).isEqualTo(">[subscribe, a, 1]");
        assertThat(other.line("PUBLISH a x")).isEqualTo("1");
        assertThat(client.reply()).isEqualTo(">[message, a, x]");
        assertThat(client.line("UNSUBSCRIBE")).isEqualTo(">[unsubscribe, a, 0]");
        client.send("PING");
        assertThat(client.line("UNSUBSCRIBE")).isEqualTo(">[unsubscribe, nil, 0]");
    }

    /** Regression: lines came behind the reply of RESET. The client took them for the replies of its next commands. */
    @Test
    void aMonitorThatResetsSeesNoMoreCommands() {
        TestClient monitor = fixture.client();
        for (int round = 0; round < 50; round++) {
            assertThat(monitor.line("MONITOR")).isEqualTo("OK");
            for (int i = 0; i < 100; i++) {
                other.send("ECHO", "x");
                client.send("ECHO", "x");
            }
            monitor.send("RESET");
            String seen = monitor.reply();
            while (!seen.equals("RESET")) {
                assertThat(seen).endsWith("\"ECHO\" \"x\"");
                seen = monitor.reply();
            }
            assertThat(monitor.line("PING")).isEqualTo("PONG");
            for (int i = 0; i < 100; i++) {
                assertThat(other.reply()).isEqualTo("x");
                assertThat(client.reply()).isEqualTo("x");
            }
        }
    }

    @Test
    void aMonitorSeesTheCommandsOfAll() {
        TestClient monitor = fixture.client();
        assertThat(monitor.line("MONITOR")).isEqualTo("OK");
        other.line("SELECT 2");
        assertThat(monitor.reply()).matches("\\d+\\.\\d{6} \\[2 127\\.0\\.0\\.1:\\d+] \"SELECT\" \"2\"");
        other.call("ECHO", "\0a\"\n\\\r\t\007\b\u00ff'");
        assertThat(monitor.reply()).endsWith("] \"ECHO\" \"\\x00a\\\"\\n\\\\\\r\\t\\a\\b\\xff'\"");
        other.line("NOPE");
        other.line("GET");
        other.line("CLIENT KILL ID 4711");
        other.line("MULTI");
        other.line("GET k");
        other.line("EXEC");
        assertThat(monitor.reply()).endsWith("\"MULTI\"");
        assertThat(monitor.reply()).endsWith("\"GET\" \"k\"");
        assertThat(monitor.reply()).endsWith("\"EXEC\"");
        other.line("MULTI");
        other.line("NOPE");
        other.line("EXEC");
        other.line("SET k v NOPE"); // it was run, and failed
        assertThat(monitor.reply()).endsWith("\"MULTI\"");
        assertThat(monitor.reply()).endsWith("\"EXEC\"");
        assertThat(monitor.reply()).endsWith("\"SET\" \"k\" \"v\" \"NOPE\"");
        assertThat(monitor.line("GET k")).isEqualTo("ERR Replica can't interact with the keyspace");
        assertThat(client.line("CLIENT LIST TYPE normal")).contains("flags=O "); // as in Redis
        assertThat(client.line("CLIENT LIST TYPE replica")).isEmpty();
        assertThat(client.line("CLIENT KILL TYPE replica")).isEqualTo("0");
        assertThat(monitor.line("RESET")).isEqualTo("RESET");
        client.line("PING");
        assertThat(monitor.line("PING")).isEqualTo("PONG");
    }

    @Test
    void aResetUndoesEverything() {
        client.line("HELLO 3 SETNAME me");
        client.line("SELECT 3");
        client.line("CLIENT TRACKING on");
        client.line("CLIENT NO-EVICT on");
        client.line("SUBSCRIBE a");
        client.line("WATCH k");
        client.line("MULTI");
        assertThat(other.line("CLIENT LIST")).contains("flags=Pxte db=3");
        assertThat(client.line("RESET")).isEqualTo("RESET");
        assertThat(client.line("CLIENT INFO"))
                .contains(" name= ")
                .contains(" flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 ")
                .contains(" redir=-1 resp=2 ");
        assertThat(other.line("PUBLISH a x")).isEqualTo("0");
    }

    /** As of Redis 7.0: that command came with 7.2. */
    @Test
    void thereIsNoWordOnUsesOfKeys() {
        assertThat(client.line("CLIENT NO-TOUCH on")).isEqualTo("ERR unknown subcommand 'NO-TOUCH'. Try CLIENT HELP.");
        assertThat(client.line("CLIENT HELP")).doesNotContain("NO-TOUCH");
    }

    @Test
    void helpAndUnblockAnswer() {
        assertThat(client.line("CLIENT HELP"))
                .startsWith("[CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:, CACHING (YES|NO),");
        assertThat(client.line("CLIENT UNBLOCK 4711")).isEqualTo("0");
        assertThat(client.line("CLIENT UNBLOCK x")).isEqualTo("ERR value is not an integer or out of range");
        assertThat(client.line("CLIENT UNBLOCK 1 foo"))
                .isEqualTo("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
        client.sendBytes("CLIENT NO-EVICT foo\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.reply()).isEqualTo("ERR syntax error");
    }

    /** The user is deleted after the check of the password, when the search for its clients is over. */
    @Test
    void noClientBecomesAUserThatIsGone() {
        other.line("ACL SETUSER joe on nopass +@all ~*");
        User joe = Objects.requireNonNull(fixture.node().users().find("joe"));
        other.line("ACL DELUSER joe");
        client.line("CLIENT SETNAME me");
        Session session = fixture.node().sessions().values().stream()
                .filter(one -> one.name().equals("me"))
                .findFirst()
                .orElseThrow();
        assertThat(session.authority().become(joe)).isFalse();
        assertThat(client.line("ACL WHOAMI")).isEqualTo("default");
    }

    @Test
    void aPageInABrowserGetsNoAnswer() {
        for (String line : List.of("POST / HTTP/1.1", "Host: localhost", "host: x")) {
            try (TestClient page = new TestClient(fixture.server().port())) {
                page.sendBytes((line + "\r\nSET a b\r\n").getBytes(StandardCharsets.US_ASCII));
                assertThat(page.reply()).isEqualTo("closed");
            }
        }
        assertThat(client.line("GET a")).isEqualTo("nil");
    }
}
