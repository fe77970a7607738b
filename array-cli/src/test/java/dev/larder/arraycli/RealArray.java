package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.array.NodeAddresses;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.server.Configuration;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;

/** Some nodes, three with two stripes by default, in this JVM, and the file that describes them. */
final class RealArray implements AutoCloseable {

    static final int NODES = 3;
    static final int STRIPES = 2;

    private static final int MIRRORS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path directory;
    private final Path file;
    private final int count;
    private final ArrayShell shell = new ArrayShell();
    private final Map<Integer, ArrayNode> nodes = new ConcurrentSkipListMap<>();

    /** An array whose nodes are not made yet. */
    RealArray(Path directory, UUID array) throws IOException {
        this(directory, array, NODES, STRIPES);
    }

    /** The same, with other numbers. Each stripe has three members, from the node of its own number on. */
    RealArray(Path directory, UUID array, int count, int stripes) throws IOException {
        this.directory = directory;
        this.file = directory.resolve("array.properties");
        this.count = count;
        List<NodeAddresses> addresses = new ArrayList<>();
        for (int node = 0; node < count; node++) {
            addresses.add(ArrayDescription.addresses(FreePorts.takeNode()));
        }
        ArrayDescription.of(array, addresses)
                .with(stripes, MIRRORS, 0)
                .withSegmentBytes(4 << 20)
                .write(file);
    }

    Path file() {
        return file;
    }

    Path folder(int node) {
        return directory.resolve("node" + node);
    }

    private ArrayOptions options(int node) {
        return ArrayDescription.read(file).options(node, folder(node));
    }

    void create() {
        for (int node = 0; node < count; node++) {
            create(node);
        }
    }

    void create(int node) {
        ArrayNode.create(options(node));
    }

    void startAll() {
        for (int node = 0; node < count; node++) {
            start(node);
        }
    }

    void start(int node) {
        ArrayOptions options = options(node);
        int port = Objects.requireNonNull(options.nodes().get(node)).clients().getPort();
        nodes.put(node, ArrayNode.start(options, Configuration.defaults().with("port", Integer.toString(port))));
    }

    void stop(int node) {
        ArrayNode stopped = nodes.remove(node);
        if (stopped != null) {
            stopped.close();
        }
    }

    /** Waits until all stripes have a leader. */
    void awaitServing() {
        await().atMost(PATIENCE).until(() -> shell.array("status", file.toString()) == 0);
    }

    /** Waits until all members have all entries. */
    void awaitEqual() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(shell.array("status", file.toString())).isZero();
            assertThat(shell.out()).doesNotContain("member on", "does not answer");
        });
    }

    RedisClusterClient client() {
        Set<HostAndPort> known = nodes.values().stream()
                .map(node -> new HostAndPort("127.0.0.1", node.port()))
                .collect(Collectors.toSet());
        return RedisClusterClient.builder()
                .nodes(known)
                .clientConfig(DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(1500)
                        .socketTimeoutMillis(5000)
                        .build())
                .maxAttempts(20)
                .maxTotalRetriesDuration(Duration.ofSeconds(20))
                .build();
    }

    /** Retries a command, as a service does. */
    static <T> T patiently(Supplier<T> command) {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(command::get, reply -> true);
    }

    /** Stops all nodes together: one by one, each would wait for a new leader that is gone soon. */
    @Override
    public void close() {
        CompletableFuture.allOf(nodes.keySet().stream()
                        .map(node -> OtherThread.run(() -> stop(node)))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }
}
