package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.SyncPolicy;
import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import dev.larder.server.command.Database.MemoryState;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code maxmemory} and its policies, while the server runs. */
class MemoryLimitTest {

    private static final String OOM = "OOM command not allowed when used memory > 'maxmemory'.";

    @TempDir
    private Path directory;

    private ServerFixture server;
    private TestClient client;

    @BeforeEach
    void start() {
        server = new ServerFixture(directory);
        client = server.client();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private long figure(String name) {
        return client.call("INFO", "everything")
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private void limit(long bytes, String policy) {
        assertThat(client.line("CONFIG SET maxmemory-policy " + policy + " maxmemory " + bytes))
                .isEqualTo("OK");
    }

    private void fill(String prefix, int count, String options) {
        for (int i = 0; i < count; i++) {
            assertThat(client.line("SET " + prefix + i + " " + "x".repeat(1000) + options))
                    .isEqualTo("OK");
        }
    }

    @Test
    void whatIsUsedIsWhatTheLimitIsOf() {
        fill("key", 100, "");
        long before = figure("used_memory");
        limit(before + 20_000, "noeviction");
        int set = 0;
        while (client.line("SET more" + set + " " + "y".repeat(1000)).equals("OK")) {
            set++;
        }
        assertThat(set).isBetween(15, 20);
        assertThat(figure("used_memory")).isBetween(before + 20_000, before + 22_000);
        assertThat(client.line("SET other y")).isEqualTo(OOM);
        assertThat(client.line("APPEND key1 y")).isEqualTo(OOM);
        assertThat(client.line("GET more1")).isEqualTo("y".repeat(1000));
        assertThat(client.line("DEL key1 key2 key3")).isEqualTo("3");
        assertThat(client.line("SET other y")).isEqualTo("OK");
    }

    @Test
    void aTransactionIsRefusedAsAWhole() {
        client.line("SET a 1");
        TestClient operator = server.client();
        client.line("MULTI");
        client.line("SET a 2");
        operator.line("CONFIG SET maxmemory 1");
        assertThat(client.line("EXEC")).isEqualTo("EXECABORT Transaction discarded because of: " + OOM);
        assertThat(client.line("MULTI")).isEqualTo("OK");
        assertThat(client.line("GET a")).isEqualTo(OOM); // the command would have to be kept
        assertThat(client.line("EXEC")).isEqualTo("EXECABORT Transaction discarded because of previous errors.");
        operator.line("CONFIG SET maxmemory 0");
        client.line("MULTI");
        client.line("GET a");
        operator.line("CONFIG SET maxmemory 1");
        assertThat(client.line("EXEC")).isEqualTo("[1]");
    }

    /**
     * A pass over all keys evicts an eighth, some 250. So each used key is used several times between two passes, whenever these
     * are. The used keys were written first: without the order of use all of them would go.
     */
    @Test
    void keysThatWereUsedLatelyStay() {
        fill("cold", 2000, "");
        limit(figure("used_memory"), "allkeys-lru");
        for (int round = 0; round < 16; round++) {
            for (int i = 0; i < 100; i++) {
                client.line("GET cold" + i);
            }
            fill("new" + round + "-", 50, "");
        }
        assertThat(figure("evicted_keys")).isGreaterThan(500);
        int hot = 0;
        for (int i = 0; i < 100; i++) {
            hot += client.line("EXISTS cold" + i).equals("1") ? 1 : 0;
        }
        assertThat(hot).isGreaterThan(95);
    }

    @Test
    void anObjectIsToldByThePolicy() {
        String switched =
                " Please note that when switching between policies at runtime LRU and LFU data will take some time to"
                        + " adjust.";
        client.line("SET k v");
        client.line("XADD s 1-1 f v");
        assertThat(client.line("OBJECT FREQ k"))
                .isEqualTo("ERR An LFU maxmemory policy is not selected, access frequency not tracked." + switched);
        assertThat(client.line("OBJECT IDLETIME k")).isEqualTo("0");
        limit(100 << 20, "allkeys-lfu");
        assertThat(client.line("OBJECT IDLETIME k"))
                .isEqualTo("ERR An LFU maxmemory policy is selected, idle time not tracked." + switched);
        for (String idle : List.of("OBJECT ENCODING k", "OBJECT REFCOUNT k", "EXISTS k", "TYPE k", "TTL k")) {
            client.line(idle);
            assertThat(client.line("OBJECT FREQ k")).as(idle).isEqualTo("0");
        }
        client.line("TOUCH k");
        assertThat(client.line("OBJECT FREQ k")).isEqualTo("1");
        assertThat(client.line("OBJECT FREQ k"))
                .as("to tell it is no look of an eviction")
                .isEqualTo("1");
        assertThat(client.line("OBJECT FREQ s")).isEqualTo("0");
        assertThat(client.line("OBJECT FREQ nothing")).isEqualTo("nil");
        assertThat(client.line("OBJECT IDLETIME nothing")).isEqualTo("nil");
    }

    @Test
    void onlyKeysThatExpireGoWhereThePolicySaysSo() {
        fill("stays", 100, "");
        fill("late", 100, " EX 10000");
        fill("soon", 100, " EX 1000");
        limit(figure("used_memory") - 30_000, "volatile-ttl");
        await().until(() -> figure("used_memory") <= figure("maxmemory"));
        int late = 0;
        for (int i = 0; i < 100; i++) {
            late += client.line("EXISTS late" + i).equals("1") ? 1 : 0;
        }
        assertThat(late).isGreaterThan(80);
        assertThat(figure("evicted_keys")).isBetween(20L, 110L);
        limit(1, "volatile-random");
        await().until(() -> figure("evicted_keys") == 200);
        await().until(() -> client.line("SET stays1 1").equals(OOM)); // once all keys have been looked at
        assertThat(client.line("DBSIZE")).isEqualTo("100");
        limit(0, "noeviction");
        assertThat(client.line("SET b 1")).isEqualTo("OK");
    }

    @Test
    void anEvictionIsToldWithoutACommand() {
        TestClient subscriber = server.client();
        client.line("CONFIG SET notify-keyspace-events Ee");
        subscriber.line("SUBSCRIBE __keyevent@0__:evicted");
        client.line("SET a 1");
        limit(1, "allkeys-random");
        assertThat(subscriber.reply()).contains("evicted").contains("a");
    }

    @Test
    void aServerAloneHasNoReplicas() {
        client.line("SET a 1");
        client.line("MULTI");
        client.line("SET a 2");
        TestClient operator = server.client();
        operator.line("CONFIG SET min-replicas-to-write 1");
        assertThat(client.line("EXEC"))
                .isEqualTo("EXECABORT Transaction discarded because of: NOREPLICAS Not enough good replicas to write.");
        assertThat(client.line("SET a 3")).isEqualTo("NOREPLICAS Not enough good replicas to write.");
        assertThat(client.line("GET a")).isEqualTo("1");
        operator.line("CONFIG SET min-replicas-max-lag 0");
        assertThat(client.line("SET a 3")).isEqualTo("OK");
    }

    /** No thread waits for the sync of a removal, so no key goes. The next pass looks at the first database again. */
    @Test
    void anEvictionThatFailsLeavesTheNextOneAsItIs() {
        StoreOptions options = StoreOptions.defaults().withSegmentBytes(4 << 20).withSync(SyncPolicy.everyAppend());
        try (LocalStores stores = LocalStores.open(directory.resolve("other"), 1, options)) {
            stores.store(0).put(Bytes.of("a"), Bytes.of("1"), Store.ENDLESS);
            MemoryLimit limit = new MemoryLimit(stores, new SlotLocks(), () -> {});
            limit.set(1, EvictionPolicy.ALLKEYS_RANDOM);
            for (int i = 0; i < 3; i++) {
                assertThat(limit.keepWithin()).isNotNull();
            }
            limit.tick();
        }
    }

    /** If an eviction has met an error, only commands that need memory are refused. */
    @Test
    void anErrorOfAnEvictionCountsAsFull() {
        StoreOptions options = StoreOptions.defaults().withSegmentBytes(4 << 20);
        try (LocalStores stores = LocalStores.open(directory.resolve("other"), 1, options)) {
            stores.store(0).put(Bytes.of("a"), Bytes.of("1"), Store.ENDLESS);
            stores.listener((store, key, event) -> {
                throw new IllegalStateException("a listener that fails");
            });
            MemoryLimit limit = new MemoryLimit(stores, new SlotLocks(), () -> {});
            limit.set(1, EvictionPolicy.ALLKEYS_RANDOM);
            assertThat(limit.keepWithin()).isEqualTo(MemoryState.FULL);
        }
    }
}
