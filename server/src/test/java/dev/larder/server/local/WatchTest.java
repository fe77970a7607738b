package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import dev.larder.server.command.Database.Watched;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A transaction is given up if a watched key was changed, even if it holds the same as before. */
@Timeout(60)
final class WatchTest {

    @TempDir
    private static Path directory;

    private static ServerFixture fixture;

    private TestClient client;
    private TestClient other;

    @BeforeAll
    static void start() {
        fixture = new ServerFixture(directory.resolve("server"));
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @BeforeEach
    void connect() {
        client = fixture.client();
        other = fixture.client();
        lines(client, "FLUSHALL");
    }

    private static void lines(TestClient client, String lines) {
        for (String line : lines.split(";", -1)) {
            if (!line.isBlank()) {
                assertThat(client.line(line.trim())).doesNotStartWith("ERR");
            }
        }
    }

    private String execute() {
        lines(client, "MULTI; SET done yes");
        return client.line("EXEC");
    }

    /** As redis-server answers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET k a                     | SET k b; SET k a             | nil",
                "SET k a                     | SET k a                      | nil",
                "SET k a                     | DEL k; SET k a               | nil",
                "SET k a                     | RENAME k j; RENAME j k       | nil",
                "SET k a                     | MOVE k 1; SELECT 1; MOVE k 0 | nil",
                "SET k a                     | EXPIRE k 100; PERSIST k      | nil",
                "SET k a                     | FLUSHALL; SET k a            | nil",
                "SET k a; SELECT 1; SET k a; SELECT 0 | SWAPDB 0 1          | nil",
                "DEL k                       | SET k a; DEL k               | nil",
                "DEL k                       | SETEX k 100 a; GETDEL k      | nil",
                "SET k a                     | FLUSHALL                     | nil",
                "XADD k 1 f v                | DEL k; XADD k 1 f v          | nil",
                "XADD k 1 f v                | XADD k 2 f v; XDEL k 2       | nil",
                "DEL k                       | XADD k 1 f v; DEL k          | nil",
                "SET k a                     | SET j b; GET k; STRLEN k     | [OK]",
                "SET k a                     | SETNX k b; DEL j             | [OK]",
                "DEL k                       | FLUSHALL; DEL k              | [OK]",
                "SET k a                     | SELECT 1; SET k b; DEL k     | [OK]",
            })
    void aChangedKeyEndsTheTransaction(String before, String meanwhile, String reply) {
        lines(other, before);
        lines(client, "WATCH k");
        lines(other, meanwhile);
        assertThat(execute()).isEqualTo(reply);
        assertThat(execute()).isEqualTo("[OK]"); // no key is watched now
    }

    @Test
    void ofSeveralClientsThatWatchAKeyOneWins() {
        lines(other, "WATCH k");
        lines(client, "WATCH k");
        lines(client, "MULTI; INCR k");
        assertThat(client.line("EXEC")).isEqualTo("[1]");
        lines(other, "MULTI; INCR k");
        assertThat(other.line("EXEC")).isEqualTo("nil");
    }

    @Test
    void whoChangesItsOwnWatchedKeyGivesUp() {
        lines(client, "SET k a; WATCH k; SET k b; SET k a");
        assertThat(execute()).isEqualTo("nil");
    }

    @Test
    void aKeyThatHadExpiredBeforeIsNotChangedByItsRemoval() throws InterruptedException {
        lines(other, "PSETEX k 1 a");
        while (!other.line("GET k").equals("nil")) {
            Thread.sleep(1);
        }
        lines(client, "WATCH k");
        lines(other, "DEL k");
        assertThat(execute()).isEqualTo("[OK]");
    }

    /** This process gets no event for a change that another process makes to the map. */
    @Test
    void aChangeThatIsNotToldIsNoticed() {
        try (LocalStores stores = open();
                LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
            LocalDatabase database = new LocalDatabase(shared);
            Store store = stores.store(0);
            Bytes key = Bytes.of("k");
            store.put(key, Bytes.of("a"));
            Watched before = database.watch(0, key);
            assertThat(isGivenUp(database, before)).isFalse();
            store.put(key, Bytes.of("b"));
            store.put(key, Bytes.of("a"));
            assertThat(isGivenUp(database, before)).isTrue();
        }
    }

    private LocalStores open() {
        return LocalStores.open(
                directory.resolve("local"), 1, StoreOptions.defaults().withSegmentBytes(4 << 20));
    }

    private static boolean isGivenUp(LocalDatabase database, Watched before) {
        boolean[] ran = {false};
        database.transact(
                List.of(), List.of(before), call -> true, new ReplyEncoder(new ReplyBuffer()), () -> ran[0] = true);
        return !ran[0];
    }

    @Test
    void keysAreWatchedNoLongerThanAClientWantsThemToBe() {
        try (LocalStores stores = open();
                LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
            LocalDatabase database = new LocalDatabase(shared);
            Watched first = database.watch(0, Bytes.of("k"));
            Watched second = database.watch(0, Bytes.of("k"));
            first.watch().close();
            first.watch().close();
            assertThat(shared.watched()).isEqualTo(1);
            second.watch().close();
            assertThat(shared.watched()).isZero();
        }
    }
}
