package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.array.NodeAddresses;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.cli.Figures;
import dev.larder.server.Configuration;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The output of {@code larder array status}. */
final class ArrayStatusTest {

    private static final UUID ARRAY = new UUID(4, 3);

    @TempDir
    Path scratch;

    private final ArrayShell shell = new ArrayShell();

    private static ArrayDescription oneNode(int stripes) throws IOException {
        List<InetSocketAddress> free = FreePorts.take(3);
        return ArrayDescription.of(ARRAY, List.of(new NodeAddresses(free.get(0), free.get(1), free.get(2))))
                .with(stripes, 1, 0)
                .withSegmentBytes(4 << 20);
    }

    @Test
    void asksANodeThatServes() throws IOException {
        ArrayDescription description = oneNode(2);
        Path file = scratch.resolve("array.properties");
        description.write(file);
        ArrayOptions options = description.options(0, scratch.resolve("node"));
        int port = options.nodes().values().iterator().next().clients().getPort();
        ArrayNode.create(options);
        try (ArrayNode node = ArrayNode.start(options, Configuration.defaults().with("port", Integer.toString(port)));
                Jedis client = new Jedis("127.0.0.1", node.port())) {
            await().atMost(Duration.ofSeconds(60)).until(() -> shell.array("status", file.toString()) == 0);
            client.set("fruit", "apple");

            assertThat(shell.array("status", file.toString())).isZero();
            assertThat(shell.out())
                    .containsPattern("localhost:\\d+ +up +0,1 +1 ")
                    .contains("2 of 2 stripes have a leader");
            assertThat(shell.array("status", file.toString(), "--json")).isZero();
            Figures figures = Figures.parse(shell.out());
            assertThat(figures.text("array")).isEqualTo(ARRAY.toString());
            assertThat(figures.rows("nodes")).hasSize(1);
            assertThat(figures.rows("nodes").getFirst().flag("up")).isTrue();
            assertThat(figures.rows("nodes").getFirst().whole("keys")).isEqualTo(1);
        }
    }

    @Test
    void tellsThatANodeIsNotThere() throws IOException {
        Path file = scratch.resolve("array.properties");
        oneNode(2).write(file);
        assertThat(shell.array("status", file.toString())).isEqualTo(1);
        assertThat(shell.out())
                .containsPattern("localhost:\\d+ +down +- +- +-")
                .contains("node 0 does not answer: ")
                .contains("0 of 2 stripes have a leader; without a leader: 0,1");
        assertThat(shell.array("status", file.toString(), "--json")).isEqualTo(1);
        assertThat(shell.out()).contains("\"not_led\" : [ 0, 1 ]");
    }
}
