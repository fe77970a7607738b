package dev.larder.tests.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.ProtocolException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandLogTest {

    private static final TestName FIRST = new TestName("unit/a", "first", 1);
    private static final TestName SECOND = new TestName("unit/a", "second", 1);
    private static final TestName THIRD = new TestName("unit/a", "third", 1);

    private final CommandLog log = new CommandLog(Set.of("get", "lpush", "client", "client|id", "hset", "acl|setuser"));

    @Test
    void shouldKnowWhatATestSends() throws Exception {
        run(FIRST, "GET k", "client ID");
        run(SECOND, "lpush k v");

        assertThat(log.of(FIRST)).containsExactlyInAnyOrder("get", "client|id");
        assertThat(log.of(SECOND)).containsExactly("lpush");
    }

    @Test
    void shouldCountWhatABlockBeganWith() throws Exception {
        log.serverStarted();
        log.serverStarted();
        send("lpush k v");
        run(FIRST, "get k");
        log.serverEnded();
        run(SECOND, "get k");

        assertThat(log.of(FIRST)).containsExactlyInAnyOrder("get", "lpush");
        assertThat(log.of(SECOND)).containsExactly("get");
    }

    @Test
    void shouldCountAReplicaForTheRestOfItsBlock() throws Exception {
        log.serverStarted();
        run(FIRST, "replicaof 127.0.0.1 1");
        run(SECOND, "get k");
        run(THIRD, "replicaof no one");
        assertThat(log.of(SECOND)).contains("replicaof");

        TestName behind = new TestName("unit/a", "behind", 1);
        run(behind, "get k");
        assertThat(log.of(behind)).containsExactly("get");
    }

    private void run(TestName test, String... lines) throws ProtocolException {
        log.running(List.of(test));
        for (String line : lines) {
            send(line);
        }
        log.running(List.of());
    }

    private void send(String line) throws ProtocolException {
        Request request = new Request();
        ByteBuffer bytes = ByteBuffer.wrap((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        assertThat(new RequestParser(RequestLimits.defaults()).parse(bytes, request))
                .isTrue();
        log.add(request);
    }
}
