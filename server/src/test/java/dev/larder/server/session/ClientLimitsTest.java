package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.Durability;
import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import dev.larder.server.client.ClientLimits;
import dev.larder.server.client.ClientType;
import dev.larder.server.client.OutputLimit;
import dev.larder.server.push.BrokenRedirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that takes too much is closed, or slowed, and others continue. */
final class ClientLimitsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LARGE = "x".repeat(100_000);

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

    /** Regression: each commit of a write let the next read go on, though the client had read no reply. */
    @Test
    void aClientThatDoesNotReadIsSlowedWhileItsWritesAreCommitted() {
        fixture.close();
        fixture =
                new ServerFixture(directory, options -> options.withLoops(2).withDurability(Durability.ofEveryWrite()));
        client = fixture.client();
        client.line("CLIENT SETNAME client");
        other = fixture.client();
        assertThat(other.line("SET k " + "x".repeat(500_000))).isEqualTo("OK");
        for (int i = 0; i < 200; i++) {
            client.send("SET", "a", "1");
            client.send("GET", "k");
        }
        await().atMost(PATIENCE).until(() -> field("omem") > 0);
        await().during(Duration.ofSeconds(1)).atMost(PATIENCE).until(() -> field("omem") < 8_000_000);
        for (int i = 0; i < 200; i++) {
            assertThat(client.reply()).isEqualTo("OK");
            assertThat(client.reply()).hasSize(500_000);
        }
    }

    private static void send(TestClient client, String text) {
        client.sendBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aSubscriberThatDoesNotReadIsClosed() {
        limits.output(ClientType.PUBSUB, new OutputLimit(1 << 20, 0, 0));
        client.line("SUBSCRIBE a");
        TestClient reader = fixture.client();
        reader.line("SUBSCRIBE b");
        int published = 0;
        while (!other.call("PUBLISH", "a", LARGE).equals("0")) {
            assertThat(++published).as("messages that nobody has read").isLessThan(1000);
        }
        assertThat(other.line("PUBLISH b x")).isEqualTo("1");
        assertThat(reader.reply()).isEqualTo("[message, b, x]");
    }

    @Test
    void aSubscriberMayHaveMuchWaitingForSomeTimeOnly() {
        limits.output(ClientType.PUBSUB, new OutputLimit(0, 1 << 20, 0));
        client.line("SUBSCRIBE a");
        for (int i = 0; i < 200; i++) {
            other.call("PUBLISH", "a", LARGE);
        }
        await().atMost(PATIENCE).until(() -> other.line("PUBSUB NUMSUB a").equals("[a, 0]"));
        assertThat(other.line("PING")).isEqualTo("PONG");
    }

    @Test
    void aClientWhoseRepliesAreTooManyGetsNone() {
        limits.output(ClientType.NORMAL, new OutputLimit(1 << 20, 0, 0));
        other.call("SET", "k", LARGE);
        send(client, "GET k\r\n".repeat(9));
        for (int i = 0; i < 9; i++) {
            assertThat(client.reply()).isEqualTo(LARGE);
        }
        send(client, "MULTI\r\n" + "GET k\r\n".repeat(12) + "EXEC\r\n");
        String reply = client.reply();
        while (reply.equals("OK") || reply.equals("QUEUED")) {
            reply = client.reply();
        }
        assertThat(reply).isEqualTo("closed");
        assertThat(other.line("PING")).isEqualTo("PONG");
    }

    @Test
    void aClientThatDoesNotReadIsNotReadFrom() {
        other.call("SET", "k", LARGE);
        send(client, "GET k\r\n".repeat(1000));
        await().atMost(PATIENCE).until(() -> field("omem") > 0);
        for (int i = 0; i < 100; i++) {
            assertThat(field("omem")).isLessThan(4 << 20);
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(client.reply()).isEqualTo(LARGE);
        }
        assertThat(client.line("PING")).isEqualTo("PONG");
    }

    @Test
    void aLongArgumentTakesMemoryAsItComes() {
        send(client, "*2\r\n$4\r\nECHO\r\n$500000000\r\nabc");
        await().atMost(PATIENCE).until(() -> field("qbuf") > 0);
        assertThat(field("tot-mem")).isLessThan(100_000);
        send(client, LARGE);
        await().atMost(PATIENCE).until(() -> field("qbuf") >= LARGE.length());
        assertThat(field("tot-mem")).isLessThan(500_000);
    }

    @Test
    void aRequestThatIsTooLongEndsTheConnection() {
        limits.queryMaxBytes(1 << 20);
        send(client, "*2\r\n$4\r\nECHO\r\n$5000000\r\n");
        try {
            for (int i = 0; i < 40; i++) {
                send(client, LARGE);
            }
            assertThat(client.reply()).isEqualTo("closed");
        } catch (java.io.UncheckedIOException e) {
            assertThat(e)
                    .hasMessageMatching(".*(reset|Broken pipe|aborted).*"); // it was closed while this client wrote
        }
        assertThat(other.line("CLIENT LIST").lines()).hasSize(1);
    }

    @Test
    void aTransactionThatIsTooLongEndsTheConnection() {
        limits.queryMaxBytes(1 << 20);
        client.line("MULTI");
        String reply = "QUEUED";
        int queued = 0;
        while (reply.equals("QUEUED") && queued < 100) {
            reply = client.call("SET", "k", LARGE);
            queued++;
        }
        assertThat(reply).isEqualTo("closed");
        assertThat(queued).isEqualTo(11);
    }

    @Test
    void anIdleClientIsClosedAndASubscriberIsNot() {
        TestClient subscriber = fixture.client();
        subscriber.line("SUBSCRIBE a");
        limits.idleMaxSeconds(1);
        assertThat(client.reply()).isEqualTo("closed");
        limits.idleMaxSeconds(0);
        assertThat(fixture.client().line("PUBLISH a x")).isEqualTo("1");
    }

    @Test
    void theLargestClientIsClosedWhereClientsTakeTooMuch() {
        TestClient kept = fixture.client();
        kept.line("CLIENT NO-EVICT on");
        for (TestClient one : new TestClient[] {client, kept}) {
            send(one, "*2\r\n$4\r\nECHO\r\n$500000000\r\n" + LARGE);
        }
        await().atMost(PATIENCE).until(() -> field("qbuf") >= LARGE.length());
        limits.memoryMaxBytes(60_000);
        assertThat(client.reply()).isEqualTo("closed");
        assertThat(other.line("CLIENT LIST")).contains("flags=e ");
        assertThat(other.line("CLIENT LIST").lines()).hasSize(2);
    }

    @Test
    void allClientsMayTakeAShareOfTheMemory() {
        assertThat(other.line("CONFIG SET maxmemory-clients 5%")).isEqualTo("OK");
        assertThat(other.line("CONFIG GET maxmemory-clients")).isEqualTo("[maxmemory-clients, 5%]");
        assertThat(limits.memoryMaxBytes()).isZero(); // a share of no limit
        assertThat(other.line("CONFIG SET maxmemory 1gb")).isEqualTo("OK");
        assertThat(limits.memoryMaxBytes()).isEqualTo((1L << 30) / 20);
        assertThat(other.line("CONFIG SET maxmemory-clients 10mb")).isEqualTo("OK");
        assertThat(limits.memoryMaxBytes()).isEqualTo(10 << 20);
        assertThat(other.line("CONFIG SET maxmemory-clients 101%"))
                .contains("percentage argument must be less or equal to 100");
        assertThat(other.line("CONFIG SET maxmemory-clients x%"))
                .contains("argument must be a memory or percent value");
    }

    private Session session() {
        return fixture.node().sessions().values().stream()
                .filter(one -> one.name().equals("client"))
                .findFirst()
                .orElseThrow();
    }

    /** Checks all clients as if so much time had passed that each inactive client is idle. */
    private void lookLater() {
        limits.idleMaxSeconds(1000);
        new ClientWatch(fixture.node().sessions(), limits).tick(System.currentTimeMillis() + 2_000_000);
    }

    private boolean isGone(Session session) {
        return !fixture.node().sessions().containsKey(session.id());
    }

    @Test
    void aClientThatWasServedHasUsedItsConnection() {
        Session session = session();
        send(client, "XREAD BLOCK 0 STREAMS s $\r\n");
        await().until(() -> fixture.server().waitingClients() > 0);
        long before = session.lastMillis();
        await().until(() -> System.currentTimeMillis() > before);
        other.line("XADD s 1-1 f v");
        assertThat(client.reply()).isEqualTo("[[s, [[1-1, [f, v]]]]]");
        assertThat(session.lastMillis()).isGreaterThan(before);
    }

    @Test
    void aPartOfARequestIsAUse() {
        Session session = session();
        send(client, "*2\r\n$4\r\nECHO\r\n");
        await().until(() -> field("qbuf") > 0);
        long before = session.lastMillis();
        await().until(() -> System.currentTimeMillis() > before);
        send(client, "$5000\r\n");
        await().until(() -> session.lastMillis() > before);
    }

    @Test
    void aClientThatTakesItsRepliesSlowlyIsClosedOnceItTakesNone() {
        other.call("SET", "k", LARGE);
        Session session = session();
        send(client, "GET k\r\n".repeat(1000));
        await().until(() -> field("omem") > 0);
        long before = session.lastMillis();
        await().until(() -> System.currentTimeMillis() > before);
        lookLater();
        await().until(() -> session.lastMillis() > before || isGone(session));
        assertThat(isGone(session)).isFalse();
        await().until(() -> {
            lookLater();
            return isGone(session);
        });
    }

    /** The client has missed a message, and would get no more. */
    @Test
    void aClientThatMissedAMessageIsClosedAlsoWhereTheLimitIsGone() {
        Session session = session();
        session.link().execute(() -> {
            limits.output(ClientType.NORMAL, new OutputLimit(1, 0, 0));
            session.pushes().inbox().take(new BrokenRedirect(1));
            limits.output(ClientType.NORMAL, OutputLimit.NONE);
        });
        assertThat(client.reply()).isEqualTo("closed");
    }
}
