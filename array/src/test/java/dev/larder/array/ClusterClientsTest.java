package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import dev.larder.tests.support.SelfSignedCertificate;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** Cluster clients of Java services, unmodified, while a node stops and comes back. */
@Tag(Effort.LONG)
final class ClusterClientsTest {

    private static final int KEYS = 40;

    @TempDir
    static Path directory;

    private static SelfSignedCertificate certificate;
    private static TestArray array;

    @BeforeAll
    static void start() {
        certificate = SelfSignedCertificate.make(directory, "node");
        array = TestArray.withTlsPorts(directory, certificate, Set.of(0, 1, 2));
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

    /** The commands of a client that the test uses. */
    private interface Client {

        String set(String key, String value);

        String get(String key);
    }

    private static int port(int node, boolean encrypted) {
        return encrypted ? array.tlsPort(node) : array.port(node);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("deprecation") // the options of clusters have no other form yet
    void lettuce(boolean encrypted) throws Exception {
        RedisClusterClient client = RedisClusterClient.create(IntStream.range(0, TestArray.NODES)
                .mapToObj(node -> RedisURI.Builder.redis("127.0.0.1", port(node, encrypted))
                        .withSsl(encrypted)
                        .build())
                .toList());
        client.setOptions(ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enableAdaptiveRefreshTrigger(RefreshTrigger.values())
                        .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                        .enablePeriodicRefresh(Duration.ofSeconds(2))
                        .build())
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(1))
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(2)))
                .sslOptions(SslOptions.builder()
                        .jdkSslProvider()
                        .trustManager(certificate.certificate().toFile())
                        .build())
                .build());
        try (StatefulRedisClusterConnection<String, String> connection = client.connect();
                StatefulRedisClusterConnection<String, String> mirrors = client.connect()) {
            Map<String, String> many = new HashMap<>();
            for (int i = 0; i < 200; i++) {
                many.put("many" + i, Integer.toString(i));
            }
            assertThat(patiently(() -> connection.sync().mset(many)))
                    .isEqualTo("OK"); // the client splits the command by slots
            for (KeyValue<String, String> pair :
                    connection.sync().mget(many.keySet().toArray(String[]::new))) {
                assertThat(pair.getValue()).isEqualTo(many.get(pair.getKey()));
            }
            // Lettuce takes a node for a master or a replica, not both: so masters answer
            mirrors.setReadFrom(ReadFrom.REPLICA_PREFERRED);
            await().ignoreExceptions()
                    .until(() -> many.entrySet().stream()
                            .allMatch(entry ->
                                    entry.getValue().equals(mirrors.sync().get(entry.getKey()))));
            throughALoss("lettuce" + encrypted, new Client() {
                @Override
                public String set(String key, String value) {
                    return connection.sync().set(key, value);
                }

                @Override
                public String get(String key) {
                    return connection.sync().get(key);
                }
            });
        } finally {
            client.shutdown(0, 5, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings(
            "deprecation") // the other TLS options of Jedis need a file of certificates in a format of Java's own
    void jedis(boolean encrypted) throws Exception {
        Set<HostAndPort> nodes = IntStream.range(0, TestArray.NODES)
                .mapToObj(node -> new HostAndPort("127.0.0.1", port(node, encrypted)))
                .collect(Collectors.toSet());
        try (redis.clients.jedis.RedisClusterClient client = redis.clients.jedis.RedisClusterClient.builder()
                .nodes(nodes)
                .clientConfig(DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(1000)
                        .socketTimeoutMillis(2000)
                        .ssl(encrypted)
                        .sslSocketFactory(certificate.client(Optional.empty()).getSocketFactory())
                        .build())
                .maxAttempts(10)
                .maxTotalRetriesDuration(Duration.ofSeconds(5))
                .topologyRefreshPeriod(Duration.ofSeconds(2))
                .build()) {
            assertThat(client.mset("{a}1", "1", "{a}2", "2")).isEqualTo("OK");
            throughALoss("jedis" + encrypted, new Client() {
                @Override
                public String set(String key, String value) {
                    return client.set(key, value);
                }

                @Override
                public String get(String key) {
                    return client.get(key);
                }
            });
        }
    }

    /** Writes and reads keys of all stripes, while the node that leads two of them stops and comes back. */
    private static void throughALoss(String keys, Client client) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<Map<String, Integer>> written = OtherThread.call(() -> {
            Map<String, Integer> acknowledged = new TreeMap<>();
            while (!ended.get()) {
                for (int key = 0; key < KEYS; key++) {
                    String name = keys + key;
                    int next = rounds.get();
                    assertThat(patiently(() -> client.set(name, Integer.toString(next))))
                            .isEqualTo("OK");
                    acknowledged.put(name, next);
                    assertThat(patiently(() -> client.get(name))).isEqualTo(Integer.toString(next));
                }
                rounds.incrementAndGet();
            }
            return acknowledged;
        });
        awaitRounds(rounds, written, 2);
        array.stop(0);
        awaitRounds(rounds, written, 3);
        array.start(0);
        awaitRounds(rounds, written, 3);
        ended.set(true);
        written.get(1, TimeUnit.MINUTES)
                .forEach((key, value) ->
                        assertThat(patiently(() -> client.get(key))).isEqualTo(Integer.toString(value)));
    }

    private static void awaitRounds(AtomicInteger rounds, CompletableFuture<?> writer, int more) {
        int before = rounds.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> writer.isDone() || rounds.get() >= before + more);
    }

    /** Retries a command, as a service does. */
    private static String patiently(Supplier<String> command) {
        return await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .pollDelay(Duration.ZERO)
                .until(
                        () -> {
                            try {
                                return List.of(String.valueOf(command.get()));
                            } catch (RedisException | JedisException e) {
                                return List.<String>of();
                            }
                        },
                        answers -> !answers.isEmpty())
                .getFirst();
    }
}
