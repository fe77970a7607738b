package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that expire go by themselves, and that is reported. */
final class ExpiryTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The name of an event and its key, in a message. */
    private static final Pattern EVENT = Pattern.compile("__keyevent@0__:(\\w+), (\\w+)");

    @TempDir
    private Path directory;

    @Test
    void keysThatExpireAreCountedOffAlthoughNobodyAsksForThem() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("SET stays x");
            for (int i = 0; i < 500; i++) {
                client.send("SET", "key" + i, "x", "PX", "1");
            }
            for (int i = 0; i < 500; i++) {
                assertThat(client.reply()).isEqualTo("OK");
            }
            await().atMost(PATIENCE).until(() -> client.line("DBSIZE").equals("1"));
            assertThat(client.line("GET stays")).isEqualTo("x");
        }
    }

    /** Regression: the count was that of the cleaner, which comes after all others. */
    @Test
    void keysThatExpireAreCounted() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("SET one x PX 1");
            client.line("XADD two 1-1 f v");
            client.line("PEXPIRE two 1");
            client.line("SET three x EXAT 1");
            await().atMost(PATIENCE).until(() -> client.line("INFO stats").contains("expired_keys:3\r\n"));
            client.line("CONFIG RESETSTAT");
            assertThat(client.line("INFO stats")).contains("expired_keys:0\r\n");
        }
    }

    /** Regression: the expiry of the former value was told behind the new one, as if that had expired. */
    @Test
    void theExpiryOfAFormerValueIsToldBeforeTheNextOne() {
        try (LarderServer server = withDebugCommand();
                TestClient client = new TestClient(server.port());
                TestClient subscriber = new TestClient(server.port())) {
            client.line("CONFIG SET notify-keyspace-events EA");
            client.line("DEBUG SET-ACTIVE-EXPIRE 0");
            subscriber.line("PSUBSCRIBE __keyevent*");
            client.line("XADD one 1-1 f v");
            client.line("SET two x");
            client.line("PEXPIRE one 1");
            client.line("PEXPIRE two 1");
            long now = System.currentTimeMillis();
            await().atMost(PATIENCE)
                    .until(() -> System.currentTimeMillis() > now + 1); // to ask for a key would remove it
            client.line("SET one x");
            client.line("XADD two 1-1 f v");
            client.line("DEBUG SET-ACTIVE-EXPIRE 1");
            client.line("SET last x PX 1");
            List<String> events = new ArrayList<>();
            while (events.isEmpty() || !events.getLast().equals("expired last")) {
                Matcher event = EVENT.matcher(subscriber.reply());
                assertThat(event.find()).isTrue();
                events.add(event.group(1) + " " + event.group(2));
            }
            assertThat(events)
                    .containsExactly(
                            "xadd one",
                            "set two",
                            "expire one",
                            "expire two",
                            "expired one",
                            "set one",
                            "expired two",
                            "xadd two",
                            "set last",
                            "expire last",
                            "expired last");
        }
    }

    @Test
    void keysThatExpiredWhileTheServerWasDownAreCountedOff() {
        long deadline;
        try (LarderServer server = withDebugCommand();
                TestClient client = new TestClient(server.port())) {
            client.line("DEBUG SET-ACTIVE-EXPIRE 0"); // nor does a slow machine remove the key before the stop
            client.line("SET key x PX 300");
            deadline = System.currentTimeMillis() + 300;
            assertThat(client.line("DBSIZE")).isEqualTo("1");
        }
        await().atMost(PATIENCE).until(() -> System.currentTimeMillis() > deadline);
        try (LarderServer server = withDebugCommand();
                TestClient client = new TestClient(server.port())) {
            await().atMost(PATIENCE).until(() -> client.line("DBSIZE").equals("0"));
        }
    }

    private LarderServer withDebugCommand() {
        return LarderServer.start(Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("enable-debug-command", "yes"));
    }

    @Test
    void whatIsFurtherAwayThanAMapKnowsDoesNotExpire() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("SET key x EX 1000");
            assertThat(client.line("PEXPIREAT key 9223372036854770000 LT")).isEqualTo("0");
            assertThat(client.line("PEXPIREAT key 9223372036854770000 GT")).isEqualTo("1");
            assertThat(client.line("TTL key")).isEqualTo("-1");
            assertThat(client.line("SET other x EXAT 99999999999")).isEqualTo("OK");
            assertThat(client.line("TTL other")).isEqualTo("-1");
        }
    }

    @Test
    void whatAClientSawToBeGoneDoesNotCount() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("SET key x PX 5");
            await().atMost(PATIENCE).until(() -> client.line("GET key").equals("nil"));
            assertThat(client.line("DBSIZE")).isEqualTo("0");
            client.line("SET key x PX 5");
            await().atMost(PATIENCE).until(() -> client.line("TTL key").equals("-2"));
            assertThat(client.line("DEL key")).isEqualTo("0");
            assertThat(client.line("DBSIZE")).isEqualTo("0");
        }
    }

    @Test
    void eachExpiryIsToldOnce() {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        List<String> told = new ArrayList<>();
        try (Store store = Store.open(
                0,
                directory,
                StoreOptions.defaults().withSegmentBytes(4 << 20).withClock(() -> Instant.ofEpochMilli(now.get())))) {
            store.listener((in, key, event) -> told.add(event + " " + key));
            assertThat(store.hasMetExpiry()).isFalse();
            Bytes scanned = Bytes.of("scanned");
            Bytes overwritten = Bytes.of("overwritten");
            store.put(scanned, Bytes.of("x"), now.get() + 10);
            store.put(overwritten, Bytes.of("x"), now.get() + 10);
            store.put(Bytes.of("later"), Bytes.of("x"), now.get() + 100);
            assertThat(store.hasMetExpiry()).isTrue();
            assertThat(store.removeExpired(scanned)).isFalse();
            now.addAndGet(10);
            store.put(overwritten, Bytes.of("y"));
            assertThat(store.exists(scanned)).isFalse();
            assertThat(store.size()).isEqualTo(3);
            assertThat(store.keys().scanExpired(0, new Random(1), () -> true, store::removeExpired))
                    .isZero();
            assertThat(store.removeExpired(scanned)).isFalse();
            assertThat(store.size()).isEqualTo(2);
        }
        assertThat(told).containsExactly("EXPIRED overwritten", "EXPIRED scanned");
    }

    @Test
    void aKeyThatWasAskedForIsPassedOnEvenWhereTheScanMayNotGoOn() {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        List<String> found = new ArrayList<>();
        try (Store store = Store.open(
                0,
                directory,
                StoreOptions.defaults().withSegmentBytes(4 << 20).withClock(() -> Instant.ofEpochMilli(now.get())))) {
            store.put(Bytes.of("asked"), Bytes.of("x"), now.get() + 10);
            store.put(Bytes.of("other"), Bytes.of("x"), now.get() + 10);
            now.addAndGet(10);
            store.exists(Bytes.of("asked"));
            store.keys().scanExpired(0, new Random(1), () -> false, key -> found.add(key.toString()));
        }
        assertThat(found).startsWith("asked"); // the scan may look at one entry, and that may be any
    }

    @Test
    void eachKeyThatIsEvictedIsTold() {
        AtomicLong evicted = new AtomicLong();
        int count = 500;
        try (Store store = Store.open(
                0,
                directory,
                StoreOptions.defaults().withSegmentBytes(4 << 20).withMaxBytes(OptionalLong.of(16 << 20), true))) {
            store.listener((in, key, event) -> evicted.addAndGet(event == KeyEvent.EVICTED ? 1 : 0));
            for (int i = 0; i < count; i++) {
                store.put(Bytes.of("key" + i), Bytes.of("x".repeat(100_000)));
            }
            await().atMost(PATIENCE).until(() -> evicted.get() > 0 && evicted.get() + store.size() == count);
        }
    }

    @Test
    void nothingIsRemovedWhileClientsPause() {
        try (LarderServer server = withDebugCommand();
                TestClient client = new TestClient(server.port())) {
            client.line("DEBUG SET-ACTIVE-EXPIRE 0"); // so a slow machine does not remove the key before the pause
            assertThat(client.line("SET key x PX 200")).isEqualTo("OK");
            assertThat(client.line("SET other x")).isEqualTo("OK");
            assertThat(client.line("CLIENT PAUSE 1000000 WRITE")).isEqualTo("OK");
            assertThat(client.line("DEBUG SET-ACTIVE-EXPIRE 1")).isEqualTo("OK");
            client.line("CONFIG SET maxmemory-policy allkeys-random");
            client.line("CONFIG SET maxmemory 1");
            await().atMost(PATIENCE).until(() -> client.line("GET key").equals("nil"));
            await().during(Duration.ofMillis(300))
                    .atMost(PATIENCE)
                    .until(() -> client.line("DBSIZE").equals("2"));
            client.line("CLIENT UNPAUSE");
            await().atMost(PATIENCE).until(() -> client.line("DBSIZE").equals("0"));
        }
    }
}
