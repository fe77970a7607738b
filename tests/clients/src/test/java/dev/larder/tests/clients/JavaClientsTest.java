package dev.larder.tests.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.server.LarderServer;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** The tour with the clients that Java services use. */
final class JavaClientsTest {

    private static final int MANY = 1000;

    @TempDir
    private Path directory;

    @Test
    void jedis() {
        try (LarderServer server = TourServer.start(directory);
                Jedis client = new Jedis("127.0.0.1", server.port())) {
            assertThat(client.set("fruit", "apple")).isEqualTo("OK");
            assertThat(client.get("fruit")).isEqualTo("apple");
            assertThat(client.get("none")).isNull();
            assertThat(client.incrBy("count", 41)).isEqualTo(41);
            client.expire("fruit", 100);
            assertThat(client.ttl("fruit")).isBetween(90L, 100L);
            Pipeline pipeline = client.pipelined();
            for (int i = 0; i < MANY; i++) {
                pipeline.set("many:" + i, "value");
            }
            assertThat(pipeline.syncAndReturnAll()).hasSize(MANY).containsOnly("OK");
            assertThat(scanned(client)).hasSize(MANY);
            Transaction transaction = client.multi();
            transaction.incr("count");
            transaction.get("count");
            assertThat(transaction.exec()).containsExactly(42L, "42");
            StreamEntryID id = client.xadd("stream", StreamEntryID.NEW_ENTRY, Map.of("field", "value"));
            assertThat(client.xrange("stream", "-", "+"))
                    .hasSize(1)
                    .allMatch(entry -> entry.getID().equals(id));
            assertThatThrownBy(() -> client.lpush("list", "element"))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageStartingWith("ERR unknown command");
        }
    }

    private static Set<String> scanned(Jedis client) {
        Set<String> found = new HashSet<>();
        String cursor = ScanParams.SCAN_POINTER_START;
        do {
            ScanResult<String> page =
                    client.scan(cursor, new ScanParams().match("many:*").count(100));
            found.addAll(page.getResult());
            cursor = page.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
        return found;
    }

    @Test
    void lettuce() throws Exception {
        try (LarderServer server = TourServer.start(directory)) {
            RedisClient client = RedisClient.create("redis://127.0.0.1:" + server.port());
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                tour(client, connection.sync());
            } finally {
                client.shutdown();
            }
        }
    }

    @SuppressWarnings("unchecked") // an array of a generic type, for its variable arguments
    private static void tour(RedisClient client, RedisCommands<String, String> commands) throws Exception {
        assertThat(commands.set("fruit", "apple")).isEqualTo("OK");
        assertThat(commands.get("fruit")).isEqualTo("apple");
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            many.put("many:" + i, Integer.toString(i));
        }
        assertThat(commands.mset(many)).isEqualTo("OK");
        Set<String> found = new HashSet<>();
        ScanIterator.scan(commands, ScanArgs.Builder.matches("many:*")).forEachRemaining(found::add);
        assertThat(found).isEqualTo(many.keySet());
        commands.multi();
        commands.incr("count");
        commands.get("count");
        assertThat(commands.exec().stream().toList()).isEqualTo(List.of(1L, "1"));
        publish(client, commands);
        String id = commands.xadd("stream", Map.of("field", "value"));
        commands.xgroupCreate(StreamOffset.from("stream", "0"), "group");
        assertThat(commands.xreadgroup(Consumer.from("group", "me"), StreamOffset.lastConsumed("stream")))
                .hasSize(1)
                .allMatch(entry -> entry.getId().equals(id));
        assertThat(commands.xack("stream", "group", id)).isEqualTo(1);
    }

    private static void publish(RedisClient client, RedisCommands<String, String> commands) throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (StatefulRedisPubSubConnection<String, String> listener = client.connectPubSub()) {
            listener.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    heard.complete(message);
                }
            });
            listener.sync().subscribe("news");
            assertThat(commands.publish("news", "hello")).isEqualTo(1);
            assertThat(heard.get()).isEqualTo("hello");
        }
    }
}
