package dev.larder.arraycli.demo;

import dev.larder.arraycli.state.ArrayDescription;
import java.time.Duration;
import java.util.stream.Collectors;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;

/** Opens a cluster client with the settings of the guide. */
final class DemoClient {

    private static final int TIMEOUT_MILLIS = 1_500;
    private static final int ATTEMPTS = 20;

    private DemoClient() {}

    /** Returns a client of an array. Its pools have eight connections to each node. */
    static RedisClusterClient open(ArrayDescription description) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxWait(Duration.ofMillis(TIMEOUT_MILLIS));
        return RedisClusterClient.builder()
                .nodes(description.nodes().values().stream()
                        .map(node -> new HostAndPort(
                                node.clients().getAddress().getHostAddress(),
                                node.clients().getPort()))
                        .collect(Collectors.toSet()))
                .clientConfig(DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(TIMEOUT_MILLIS)
                        .socketTimeoutMillis(TIMEOUT_MILLIS)
                        .build())
                .poolConfig(pool)
                .maxAttempts(ATTEMPTS)
                .maxTotalRetriesDuration(Duration.ofSeconds(10))
                .topologyRefreshPeriod(Duration.ofSeconds(1))
                .build();
    }
}
