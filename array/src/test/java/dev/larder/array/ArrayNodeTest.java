package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes as their clients see them. */
final class ArrayNodeTest {

    @TempDir
    private Path directory;

    private TestArray array;

    @BeforeEach
    void start() {
        array = new TestArray(directory);
    }

    @AfterEach
    void stop() {
        array.close();
    }

    @Test
    void theLeaderAnswersAndTheOthersSayWhoLeads() {
        int leader = array.leader();
        int other = (leader + 1) % TestArray.NODES;
        try (RespClient first = array.client(leader);
                RespClient second = array.client(other)) {
            assertThat(first.call("SET fruit apple")).isEqualTo("OK");
            assertThat(first.call("GET fruit")).isEqualTo("apple");
            assertThat(first.call("INCR count")).isEqualTo("1");
            assertThat(first.call("TTL fruit")).isEqualTo("-1");
            assertThat(first.call("SET fruit pear NX")).isEqualTo("nil");
            assertThat(first.call("INCR fruit")).isEqualTo("ERR value is not an integer or out of range");
            assertThat(first.call("DBSIZE")).isEqualTo("2");
            await().until(() -> second.call("GET fruit").startsWith("MOVED")); // it has heard of the leader
            // slots by the reference: CLUSTER KEYSLOT fruit is 1821
            assertThat(second.call("GET fruit")).isEqualTo("MOVED 1821 " + array.address(leader));
            assertThat(second.call("SET fruit apple")).isEqualTo("MOVED 1821 " + array.address(leader));
            assertThat(second.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void repliesOfAPipelineComeInItsOrder() {
        try (RespClient client = array.client(array.leader())) {
            List<String> lines = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                lines.add("INCR count");
                lines.add("GET count");
                lines.add("PING");
                expected.add(Integer.toString(i));
                expected.add(Integer.toString(i));
                expected.add("PONG");
            }
            assertThat(client.pipeline(lines)).isEqualTo(expected);
        }
    }

    @Test
    void transactionsAreOneEntry() {
        int leader = array.leader();
        try (RespClient client = array.client(leader);
                RespClient other = array.client(leader)) {
            assertThat(client.pipeline(List.of("MULTI", "SET a 1", "INCR a", "GET a", "PING", "EXEC")))
                    .containsExactly("OK", "QUEUED", "QUEUED", "QUEUED", "QUEUED", "[OK, 2, 2, PONG]");
            assertThat(client.call("WATCH a")).isEqualTo("OK");
            assertThat(other.call("SET a 5")).isEqualTo("OK");
            assertThat(client.pipeline(List.of("MULTI", "INCR a", "EXEC"))).containsExactly("OK", "QUEUED", "nil");
            assertThat(client.call("WATCH a")).isEqualTo("OK");
            assertThat(client.pipeline(List.of("MULTI", "INCR a", "EXEC"))).containsExactly("OK", "QUEUED", "[6]");
        }
    }

    @Test
    void whatIsNotReplicatedYetIsRefused() {
        try (RespClient client = array.client(array.leader())) {
            assertThat(client.call("XADD s * field value")).startsWith("ERR streams are not replicated yet");
            assertThat(client.pipeline(List.of("MULTI", "XADD s * field value", "EXEC"))
                            .getLast())
                    .startsWith("EXECABORT");
            assertThat(client.call("SET long " + "v".repeat(2 << 20))).startsWith("ERR a write of");
            assertThat(client.words("SET", "\0larder note\0", "1")).isEqualTo("ERR this key is reserved");
            assertThat(client.words("GET", "\0larder note\0")).isEqualTo("ERR this key is reserved");
            assertThat(client.call("GET long")).isEqualTo("nil");
        }
    }

    @Test
    void keysExpireByTheTimeOfTheStripe() {
        try (RespClient client = array.client(array.leader())) {
            assertThat(client.call("SET a 1 PX 3000")).isEqualTo("OK");
            assertThat(client.call("GET a")).isEqualTo("1");
            await().until(() -> client.call("GET a").equals("nil"));
            assertThat(client.call("SETNX a 2")).isEqualTo("1");
        }
    }

    /** Returns what the store of a node that is stopped holds. */
    private Map<String, String> content(int node) {
        Map<String, String> content = new TreeMap<>();
        ArrayOptions options = array.options(node);
        try (StoreStripe stripe = StoreStripe.open(
                options.directory().resolve("stripe"),
                options.segmentBytes(),
                InstantSource.system(),
                () -> {},
                cause -> {})) {
            Store store = stripe.stores().store(0);
            ValueBuffer value = new ValueBuffer();
            long cursor = 0;
            List<Bytes> keys = new ArrayList<>();
            do {
                cursor = store.scan(cursor, 100, key -> keys.add(key.copy()));
            } while (cursor != 0);
            for (Bytes key : keys) {
                if (store.read(key, value) != Store.ABSENT) {
                    content.put(key.toString(), value.bytes().toString());
                }
            }
        }
        return content;
    }

    /**
     * Counters through the loss of two leaders: each increment that was acknowledged is there, and none twice. One without a
     * reply may be there or not.
     */
    @Test
    void acknowledgedWritesSurviveTheirLeader() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong acknowledged = new AtomicLong();
        AtomicLong unknown = new AtomicLong();
        List<CompletableFuture<Void>> clients = IntStream.range(0, 4)
                .mapToObj(number -> OtherThread.run(() -> increment(ended, acknowledged, unknown)))
                .toList();
        for (int round = 0; round < 2; round++) {
            int leader = array.leader();
            long before = acknowledged.get();
            await().atMost(Duration.ofMinutes(1)).until(() -> acknowledged.get() > before + 50);
            array.stop(leader);
            int next = array.leader();
            assertThat(next).isNotEqualTo(leader);
            array.start(leader);
        }
        long before = acknowledged.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> acknowledged.get() > before + 50);
        ended.set(true);
        for (CompletableFuture<Void> client : clients) {
            client.get(1, TimeUnit.MINUTES);
        }
        try (RespClient client = array.client(array.leader())) {
            long counted = Long.parseLong(client.call("GET count"));
            assertThat(counted).isBetween(acknowledged.get(), acknowledged.get() + unknown.get());
            assertThat(client.call("SET last 1")).isEqualTo("OK");
        }
        await().atMost(Duration.ofSeconds(30)).until(array::isEqual);
        array.close();
        Map<String, String> first = content(0);
        assertThat(first).containsKeys("count", "last");
        assertThat(content(1)).isEqualTo(first);
        assertThat(content(2)).isEqualTo(first);
    }

    /** Increments wherever the leader is. */
    private void increment(AtomicBoolean ended, AtomicLong acknowledged, AtomicLong unknown) {
        int node = 0;
        while (!ended.get()) {
            boolean sent = false;
            try (RespClient client = array.client(node)) {
                while (!ended.get()) {
                    sent = true;
                    String reply = client.call("INCR count");
                    sent = false;
                    if (reply.startsWith("MOVED") || reply.startsWith("CLUSTERDOWN The stripe")) {
                        break;
                    } else if (reply.startsWith("CLUSTERDOWN The write")) {
                        unknown.incrementAndGet();
                        break;
                    }
                    Long.parseLong(reply);
                    acknowledged.incrementAndGet();
                }
            } catch (UncheckedIOException e) {
                unknown.addAndGet(sent ? 1 : 0);
            }
            node = (node + 1) % TestArray.NODES;
        }
    }

    @Test
    void filesOfAnotherNodeOrArrayAreRefused() {
        array.close();
        ArrayOptions options = array.options(0);
        assertThatThrownBy(() -> ArrayNode.start(
                        ArrayOptions.of(new UUID(1, 1), 0, options.nodes(), options.directory()),
                        Configuration.defaults().with("port", "0")))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("array.ctl");
        assertThatThrownBy(() -> ArrayNode.start(
                        ArrayOptions.of(options.array(), 1, options.nodes(), options.directory()),
                        Configuration.defaults().with("port", "0")))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("of node 0");
    }

    /** A disk that was replaced: what the node promised and acknowledged is forgotten. */
    @Test
    void aNodeThatHasLostAllItsFilesDoesNotStart() throws IOException {
        int other = (array.leader() + 1) % TestArray.NODES;
        array.stop(other);
        try (Stream<Path> files = Files.walk(array.options(other).directory())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> array.start(other))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("array.ctl is missing", "must not come back");
    }

    @Test
    void aNodeIsMadeInAnEmptyFolder() {
        array.close();
        ArrayOptions options = array.options(0);
        assertThatThrownBy(() -> ArrayNode.create(options))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("empty folder");
    }

    /** Whoever cannot listen leaves nothing behind, and starts once it can. */
    @Test
    void aNodeWhosePortIsTakenSaysSoAndStartsLater() throws IOException {
        int other = (array.leader() + 1) % TestArray.NODES;
        array.stop(other);
        int port = array.port(other);
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> array.start(other))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()));
        }
        array.start(other);
        try (RespClient client = array.client(other)) {
            assertThat(client.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aNodeThatHasLostItsLogDoesNotStart() throws IOException {
        int leader = array.leader();
        int other = (leader + 1) % TestArray.NODES;
        array.stop(other);
        try (Stream<Path> files = Files.walk(array.options(other).directory().resolve("raft"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> array.start(other))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("must not come back");
        try (RespClient client = array.client(array.leader())) {
            assertThat(client.call("SET a 1")).isEqualTo("OK");
        }
    }
}
