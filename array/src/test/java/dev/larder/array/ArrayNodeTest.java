package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.StorageException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.tests.support.Effort;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes as their clients see them. */
@TestMethodOrder(OrderAnnotation.class)
final class ArrayNodeTest {

    @TempDir
    static Path directory;

    private static TestArray array;

    @BeforeAll
    static void start() {
        array = new TestArray(directory);
    }

    /** Restores the array: a test may have stopped a node. */
    @BeforeEach
    void restore() {
        array.restore();
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    @Test
    void keysExpireByTheTimeOfTheStripe() {
        try (RespClient client = array.client(array.leader("a"))) {
            assertThat(client.call("SET a 1 PX 5000")).isEqualTo("OK");
            assertThat(client.call("GET a")).isEqualTo("1");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> client.call("GET a").equals("nil"));
            assertThat(client.call("SETNX a 2")).isEqualTo("1");
        }
    }

    /** Returns the content of the store of a stopped node. */
    private static Map<String, String> content(int node) {
        Map<String, String> content = new TreeMap<>();
        ArrayOptions options = array.options(node);
        try (StoreStripe stripe = StoreStripe.open(
                ArrayNode.storeDirectory(options, TestArray.stripe("count")),
                options.segmentBytes(),
                InstantSource.system(),
                () -> {},
                cause -> {})) {
            Store store = stripe.stores().store(0);
            ValueBuffer value = new ValueBuffer();
            long cursor = 0;
            List<Bytes> keys = new ArrayList<>();
            do {
                cursor = store.keys().scan(cursor, 100, key -> keys.add(key.copy()));
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
     * Loses two leaders while clients count. Each acknowledged increment is there, and no increment is there twice. An increment
     * without a reply may be there or not. The test stops the array, so it is the last one.
     */
    @Order(Integer.MAX_VALUE)
    @Tag(Effort.LONG)
    @Test
    void acknowledgedWritesSurviveTheirLeader() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong acknowledged = new AtomicLong();
        AtomicLong unknown = new AtomicLong();
        List<CompletableFuture<Void>> clients = IntStream.range(0, 4)
                .mapToObj(number -> OtherThread.run(() -> increment(ended, acknowledged, unknown)))
                .toList();
        for (int round = 0; round < 2; round++) {
            int leader = array.leader("count");
            long before = acknowledged.get();
            await().atMost(Duration.ofMinutes(1)).until(() -> acknowledged.get() > before + 50);
            array.stop(leader);
            int next = array.leader("count");
            assertThat(next).isNotEqualTo(leader);
            try (RespClient client = array.client(next)) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> client.stripeFigures("members_away") > 0
                                && client.stripeFigures("lag_entries") > 0
                                && client.stripeFigures("lag_bytes") > 0
                                && client.stripeFigures("lag_millis") > 0);
            }
            array.start(leader);
        }
        long before = acknowledged.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> acknowledged.get() > before + 50);
        ended.set(true);
        for (CompletableFuture<Void> client : clients) {
            client.get(1, TimeUnit.MINUTES);
        }
        try (RespClient client = array.client(array.leader("count"))) {
            long counted = Long.parseLong(client.call("GET count"));
            assertThat(counted).isBetween(acknowledged.get(), acknowledged.get() + unknown.get());
            assertThat(client.call("SET {count}last 1")).isEqualTo("OK");
        }
        await().atMost(Duration.ofMinutes(1)).until(array::isEqual);
        try (RespClient client = array.client(array.leader("count"))) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> client.stripeFigures("members_away") == 0 && client.stripeFigures("lag_millis") == 0);
            assertThat(client.stripeFigures("elections")).isGreaterThan(1);
        }
        array.close();
        Map<String, String> first = content(0);
        assertThat(first).containsKeys("count", "{count}last");
        assertThat(content(1)).isEqualTo(first);
        assertThat(content(2)).isEqualTo(first);
    }

    /** Increments the counter at its leader, wherever that is. */
    private static void increment(AtomicBoolean ended, AtomicLong acknowledged, AtomicLong unknown) {
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

    /** A node that stops in order first lets others lead, so its clients wait for no election. After its start it leads again. */
    @Tag(Effort.LONG)
    @Test
    void aNodeThatStopsHandsOverAndLeadsAgainLater() {
        int first = TestArray.stripe("count") % TestArray.NODES;
        array.stop(first); // an election would take 3.5 s at least
        assertThat(array.isLedBesides(first, "count")).isTrue();
        array.start(first);
        array.awaitLeaders();
        assertThat(array.leader("count")).isEqualTo(first);
    }

    /** The disk was replaced, so the node has forgotten its promises and acknowledgements. */
    @Test
    void aNodeThatHasLostAllItsFilesDoesNotStart() throws IOException {
        int other = (array.leader("count") + 1) % TestArray.NODES;
        Path node = array.options(other).directory();
        array.stop(other);
        Path saved = Files.move(node, directory.resolve("saved"));
        assertThatThrownBy(() -> array.start(other))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("array.ctl is missing", "do not start it again");
        giveBack(saved, node);
    }

    @Test
    @Tag(Effort.LONG)
    void aNodeThatHasLostItsLogDoesNotStart() throws IOException {
        int other = (array.leader("count") + 1) % TestArray.NODES;
        Path node = array.options(other).directory();
        array.stop(other);
        Path saved = copy(node, directory.resolve("saved"));
        delete(node.resolve("raft"), Files::isRegularFile);
        assertThatThrownBy(() -> array.start(other))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("do not start it again");
        try (RespClient client = array.client(array.leader("count"))) {
            assertThat(client.call("SET {count}others 1")).isEqualTo("OK");
        }
        giveBack(saved, node);
    }

    /** Puts back the node's folder, which later tests need. */
    private static void giveBack(Path saved, Path node) throws IOException {
        if (Files.exists(node)) {
            delete(node, path -> true);
        }
        Files.move(saved, node);
    }

    private static void delete(Path folder, Predicate<Path> which) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(which).sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        return to;
    }

    /** A node that cannot listen leaves nothing behind, and starts once it can. */
    @Test
    void aNodeWhosePortIsTakenSaysSoAndStartsLater() throws IOException {
        int other = (array.leader("count") + 1) % TestArray.NODES;
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
}
