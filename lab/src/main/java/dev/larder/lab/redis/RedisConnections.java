package dev.larder.lab.redis;

import dev.larder.lab.result.LabException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a Redis, or to each node of a cluster. A password comes from the process's environment, so that it is
 * not passed on: {@value #PASSWORD_VARIABLE}, and {@value #USER_VARIABLE} for another user than the default one.
 *
 * <p>Unless the client is patient, a broken connection stays broken, and its requests fail. To reconnect and repeat
 * them, as an application may wish, would hide the failure. Used by one thread.
 */
final class RedisConnections implements AutoCloseable {

    static final String PASSWORD_VARIABLE = "LARDER_REDIS_PASSWORD";
    static final String USER_VARIABLE = "LARDER_REDIS_USER";

    private static final long END_SECONDS = 5;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 10;
    private static final Duration ANSWER = Duration.ofMillis(1_500);
    private static final Duration CONNECT_TO_NODE = Duration.ofSeconds(1);

    /** Refresh of the leaders without a reason. Each one reconnects to every node, which costs busy nodes. */
    private static final Duration REFRESH = Duration.ofSeconds(10);

    /** With a reason. By default Lettuce 7 asks after a broken connection, a redirection, and for a slot without a leader. */
    private static final Duration REFRESH_WITH_REASON = Duration.ofMillis(500);

    private final List<Connection> connections = new ArrayList<>();
    private final BitSet used = new BitSet();
    private final boolean cluster;
    private final AbstractRedisClient client;

    /** One connection to the server, and its commands. */
    private record Connection(
            StatefulConnection<byte[], byte[]> connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {}

    /**
     * Connects.
     *
     * @param count of connections; in a cluster, to each node
     * @throws LabException if no server answers, or it refuses
     */
    RedisConnections(RedisClientSettings settings, int count) {
        List<RedisURI> addresses = Arrays.stream(settings.addresses().split(",", -1))
                .map(address -> uri(RedisAddress.parse(address)))
                .toList();
        cluster = settings.cluster();
        try {
            client = cluster
                    ? openCluster(addresses, count, settings.patient())
                    : openSingle(addresses.getFirst(), count);
        } catch (RedisException e) {
            throw new LabException("cannot connect to Redis at " + settings.addresses() + ": " + fault(e), e);
        }
    }

    private static RedisURI uri(RedisAddress address) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(address.host())
                .withPort(address.port())
                .withTimeout(CONNECT);
        @Nullable String password = System.getenv(PASSWORD_VARIABLE);
        @Nullable String user = System.getenv(USER_VARIABLE);
        if (password != null) {
            uri = user == null
                    ? uri.withPassword(password.toCharArray())
                    : uri.withAuthentication(user, password.toCharArray());
        }
        return uri.build();
    }

    private AbstractRedisClient openSingle(RedisURI address, int count) {
        RedisClient single = RedisClient.create(address);
        single.setOptions(set(ClientOptions.builder()).build());
        open(single, count, () -> {
            StatefulRedisConnection<byte[], byte[]> connection = single.connect(ByteArrayCodec.INSTANCE);
            return new Connection(connection, connection.async());
        });
        return single;
    }

    /** A patient client retries: nodes at full load may answer late. */
    private AbstractRedisClient openCluster(List<RedisURI> addresses, int count, boolean patient) {
        for (int attempt = 1; patient && attempt < ATTEMPTS; attempt++) {
            try {
                return openClusterOnce(addresses, count, true);
            } catch (RedisException e) {
                connections.clear(); // the client has closed them
            }
        }
        return openClusterOnce(addresses, count, patient);
    }

    private AbstractRedisClient openClusterOnce(List<RedisURI> addresses, int count, boolean patient) {
        RedisClusterClient opened = RedisClusterClient.create(addresses);
        ClusterClientOptions.Builder options = ClusterClientOptions.builder();
        set(options);
        opened.setOptions(patient ? patient(options).build() : options.build());
        open(opened, count, () -> {
            StatefulRedisClusterConnection<byte[], byte[]> connection = opened.connect(ByteArrayCodec.INSTANCE);
            connectNodes(connection);
            return new Connection(connection, connection.async());
        });
        return opened;
    }

    /** Connects to every node now: otherwise a node's first command would precede its connection, and be refused. */
    private static void connectNodes(StatefulRedisClusterConnection<byte[], byte[]> connection) {
        for (RedisClusterNode node : connection.getPartitions()) {
            String answer = connection
                    .getConnection(node.getUri().getHost(), node.getUri().getPort())
                    .sync()
                    .ping();
            assert answer.equals("PONG") : answer;
            String known = connection.getConnection(node.getNodeId()).sync().ping();
            assert known.equals("PONG") : known;
        }
    }

    /** Finds the leaders again after a failover, as {@code docs/guide/array.md} says. */
    private static ClusterClientOptions.Builder patient(ClusterClientOptions.Builder options) {
        return options.autoReconnect(true)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(CONNECT_TO_NODE).build())
                .timeoutOptions(TimeoutOptions.enabled(ANSWER))
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH)
                        .refreshTriggersReconnectAttempts(1)
                        .adaptiveRefreshTriggersTimeout(REFRESH_WITH_REASON)
                        .build());
    }

    private static ClientOptions.Builder set(ClientOptions.Builder options) {
        return options.autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
    }

    private void open(AbstractRedisClient opening, int count, Supplier<Connection> connect) {
        try {
            for (int i = 0; i < count; i++) {
                connections.add(connect.get());
            }
        } catch (RedisException e) {
            end(opening);
            throw e;
        }
    }

    /** Returns the commands of a turn's connection. */
    RedisClusterAsyncCommands<byte[], byte[]> commands(long turn) {
        return commands(turn, 0, connections.size());
    }

    /**
     * Returns the commands of a connection only for writes, or only for reads, if there are two or more. Replies come in
     * order: on a shared connection, a read waits for the writes ahead of it.
     */
    RedisClusterAsyncCommands<byte[], byte[]> commands(long turn, boolean isWrite) {
        int writing = connections.size() / 2;
        if (writing == 0) {
            return commands(turn);
        }
        return isWrite ? commands(turn, 0, writing) : commands(turn, writing, connections.size() - writing);
    }

    private RedisClusterAsyncCommands<byte[], byte[]> commands(long turn, int first, int count) {
        int index = first + (int) (turn % count);
        used.set(index);
        return connections.get(index).commands();
    }

    int count() {
        return connections.size();
    }

    /** From here on, commands leave with {@link #flush} only. */
    void holdBack() {
        connections.forEach(connection -> connection.connection().setAutoFlushCommands(false));
    }

    /**
     * Sends held requests. Never waits: Netty keeps what a server does not accept. In a cluster, redirected commands may
     * be held back as well, so it flushes every connection.
     */
    void flush() {
        if (cluster) {
            used.set(0, connections.size());
        }
        for (int index = used.nextSetBit(0); index >= 0; index = used.nextSetBit(index + 1)) {
            connections.get(index).connection().flushCommands();
        }
        used.clear();
    }

    @Override
    public void close() {
        end(client);
    }

    private static void end(AbstractRedisClient ending) {
        try {
            ending.shutdownAsync(0, END_SECONDS, TimeUnit.SECONDS).get(2 * END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            System.err.println("cannot close a connection to Redis: " + e); // ends with the process
        }
    }

    /** Returns the text of the first error with details of its own; outer errors only wrap it. */
    static String fault(Throwable error) {
        Throwable deepest = error;
        while (!saysItself(deepest) && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        return message == null ? deepest.toString() : message;
    }

    private static boolean saysItself(Throwable error) {
        return error instanceof RedisCommandExecutionException || error instanceof ConnectException;
    }
}
