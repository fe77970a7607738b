package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The process of a leader is killed, and clients get no error. They are set as the guide says, and repeat nothing themselves, unless
 * their pool had no connection for them.
 */
@Tag(Effort.LONG)
final class FailoverTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int KEYS = 20;
    private static final int KILLED = 2;

    /** More threads than a pool has connections. */
    private static final int CROWD = 16;

    private static final long CROWD_PAUSE_NANOS = 5_000_000;

    @TempDir
    private Path directory;

    private TestArray array;

    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();
    private long longestNanos;

    @BeforeEach
    void start() {
        array = new TestArray(directory);
        array.awaitLeaders();
    }

    @AfterEach
    void stop() {
        ended.set(true); // also for the threads of a test that failed
        array.close();
    }

    /** Returns a client with the settings of the guide. */
    private RedisClusterClient client() {
        Set<HostAndPort> nodes = IntStream.range(0, TestArray.NODES)
                .mapToObj(node -> new HostAndPort("127.0.0.1", array.port(node)))
                .collect(Collectors.toSet());
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxWait(Duration.ofMillis(1500));
        assertThat(pool.getMaxTotal()).isLessThan(CROWD);
        return RedisClusterClient.builder()
                .nodes(nodes)
                .clientConfig(DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(1500)
                        .socketTimeoutMillis(1500)
                        .build())
                .poolConfig(pool)
                .maxAttempts(20)
                .maxTotalRetriesDuration(Duration.ofSeconds(10))
                .topologyRefreshPeriod(Duration.ofSeconds(1))
                .build();
    }

    private Map<String, Integer> write(RedisClusterClient client) {
        assertThat(IntStream.range(0, KEYS)).anyMatch(i -> TestArray.stripe("key" + i) == KILLED);
        Map<String, Integer> acknowledged = new HashMap<>();
        while (!ended.get()) {
            int round = rounds.get();
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                long began = System.nanoTime();
                assertThat(client.set(key, Integer.toString(round))).isEqualTo("OK");
                acknowledged.put(key, round);
                assertThat(client.get(key)).isEqualTo(Integer.toString(round));
                longestNanos = Math.max(longestNanos, System.nanoTime() - began);
            }
            rounds.incrementAndGet();
        }
        return acknowledged;
    }

    /**
     * Writes a key. When the key's node is killed, the pool does not wake the threads that wait for a connection. Without a longest
     * wait some of them would stand until that node led again.
     */
    private void writeInCrowd(RedisClusterClient client, String key) {
        while (!ended.get()) {
            try {
                assertThat(client.set(key, "crowd")).isEqualTo("OK");
            } catch (JedisException e) {
                assertThat(e).hasMessageContaining("pool"); // the application repeats it, as the guide says
            }
            LockSupport.parkNanos(CROWD_PAUSE_NANOS);
        }
    }

    /** Writes a key at a node until some node serves it. Returns the first words of the node's replies. */
    private Set<String> answers(int node, String key) {
        Set<String> answers = new TreeSet<>();
        String gone = "127.0.0.1:" + array.port(KILLED);
        try (RespClient client = array.client(node)) {
            await().atMost(PATIENCE).until(() -> {
                String reply = client.call("SET " + key + " other");
                answers.add(reply.split(" ", -1)[0]);
                return reply.equals("OK") || (reply.startsWith("MOVED") && !reply.endsWith(gone));
            });
        }
        return answers;
    }

    private void awaitRounds(CompletableFuture<?> writer, int more) {
        int before = rounds.get();
        await().atMost(PATIENCE).until(() -> writer.isDone() || rounds.get() >= before + more);
    }

    private String keyOfKilled() {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "other" + i)
                .filter(key -> TestArray.stripe(key) == KILLED)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void clientsWaitAndGetNoError() throws Exception {
        String other = keyOfKilled();
        array.stop(KILLED);
        try (JoiningNode killed = new JoiningNode(array.options(KILLED));
                RedisClusterClient client = client();
                RedisClusterClient shared = client()) {
            await().atMost(PATIENCE).until(() -> {
                try (RespClient direct = array.client(KILLED)) {
                    return direct.call("SET " + other + " first").equals("OK");
                }
            });
            CompletableFuture<Map<String, Integer>> writer = OtherThread.call(() -> write(client));
            List<CompletableFuture<Void>> crowd = Stream.generate(
                            () -> OtherThread.run(() -> writeInCrowd(shared, other)))
                    .limit(CROWD)
                    .toList();
            awaitRounds(writer, 3);
            killed.kill();
            Set<String> answers = answers(0, other);
            awaitRounds(writer, 3);
            ended.set(true);
            Map<String, Integer> acknowledged = new TreeMap<>(writer.get(1, TimeUnit.MINUTES));
            for (CompletableFuture<Void> each : crowd) {
                each.get(1, TimeUnit.MINUTES);
            }
            System.out.println("array: a leader was killed: the longest call took "
                    + TimeUnit.NANOSECONDS.toMillis(longestNanos) + " ms, and a follower said " + answers);
            assertThat(answers).isSubsetOf("OK", "MOVED");
            acknowledged.forEach((key, value) -> assertThat(client.get(key)).isEqualTo(Integer.toString(value)));
            assertThat(Objects.requireNonNull(client.get(other))).isIn("first", "other", "crowd");
        }
    }
}
