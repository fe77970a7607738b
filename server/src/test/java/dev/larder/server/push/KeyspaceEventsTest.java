package dev.larder.server.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of keys, as a subscriber gets them from a server. The expected events are those of Redis 7.0.15. */
final class KeyspaceEventsTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient subscriber;
    private TestClient client;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory, options -> options.withLoops(2));
        subscriber = fixture.client();
        subscriber.line("PSUBSCRIBE __key*");
        client = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private void expect(String command, String... messages) {
        client.line(command);
        for (String message : messages) {
            String[] words = message.split(" ", -1);
            assertThat(subscriber.reply())
                    .as(command)
                    .isEqualTo("[pmessage, __key*, " + words[0] + ", " + words[1] + "]");
        }
    }

    @Test
    void eachChangeIsTold() {
        fixture.node().events().set("KA");
        expect("SET foo bar", "__keyspace@0__:foo set");
        expect("SET foo bar EX 100", "__keyspace@0__:foo set", "__keyspace@0__:foo expire");
        expect("INCR n", "__keyspace@0__:n incrby");
        expect("APPEND foo x", "__keyspace@0__:foo append");
        expect("PERSIST foo", "__keyspace@0__:foo persist");
        expect("EXPIRE foo 100", "__keyspace@0__:foo expire");
        expect("RENAME foo bar", "__keyspace@0__:foo rename_from", "__keyspace@0__:bar rename_to");
        expect("SELECT 3");
        expect("PSETEX e 20 x", "__keyspace@3__:e set", "__keyspace@3__:e expire", "__keyspace@3__:e expired");
        expect("MSET a 1 b 2", "__keyspace@3__:a set", "__keyspace@3__:b set");
        expect("DEL a b c", "__keyspace@3__:a del", "__keyspace@3__:b del");
    }

    /** A lifetime of 19 years: the key does not expire, and the event is that of Redis. */
    @Test
    void aLifetimeThatIsLongerThanAKeyCanHaveIsTold() {
        fixture.node().events().set("KA");
        expect("SET foo bar EX 600000000", "__keyspace@0__:foo set", "__keyspace@0__:foo expire");
        expect("GETEX foo EX 600000000", "__keyspace@0__:foo expire");
        expect("EXPIRE foo 100", "__keyspace@0__:foo expire");
        expect("GETEX foo PX 600000000000", "__keyspace@0__:foo expire");
        expect("SETEX foo 600000000 bar", "__keyspace@0__:foo set", "__keyspace@0__:foo expire");
        expect("GETEX foo PERSIST");
        expect("EXPIRE foo 600000000", "__keyspace@0__:foo expire");
        assertThat(client.line("TTL foo")).isEqualTo("-1");
        expect("DEL foo", "__keyspace@0__:foo del");
    }

    @Test
    void missesAndNewKeysAreToldWhereAskedFor() {
        fixture.node().events().set("Emn");
        expect("GET foo", "__keyevent@0__:keymiss foo");
        expect("SET foo x", "__keyevent@0__:new foo");
        expect("SET foo y");
        expect("GET foo");
        expect("SET bar y EX 100", "__keyevent@0__:new bar");
        expect("MGET foo nothing", "__keyevent@0__:keymiss nothing");
        assertThat(subscriber.line("PING")).isEqualTo("[pong, ]");
    }

    @Test
    void newKeysAreToldBesideAllOthers() {
        assertThat(client.line("CONFIG SET notify-keyspace-events EAmn")).isEqualTo("OK");
        assertThat(client.line("CONFIG GET notify-keyspace-events")).isEqualTo("[notify-keyspace-events, AnEm]");
        expect("GETSET foo x", "__keyevent@0__:keymiss foo", "__keyevent@0__:new foo", "__keyevent@0__:set foo");
        expect("XADD s 1-1 f v", "__keyevent@0__:new s", "__keyevent@0__:xadd s");
        expect(
                "RENAME s foo",
                "__keyevent@0__:new foo",
                "__keyevent@0__:rename_from s",
                "__keyevent@0__:rename_to foo");
        expect("OBJECT ENCODING nothing");
        expect("XACK nothing g 1-1", "__keyevent@0__:keymiss nothing");
    }
}
