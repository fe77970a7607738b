package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.array.NodeAddresses;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.arraycli.state.NodeAccess;
import dev.larder.cli.Figures;
import dev.larder.server.Configuration;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;

/** The commands that change where the stripes are, with real nodes. */
@Tag(Effort.LONG)
final class TopologyCommandsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KEYS = 100;

    @TempDir
    Path scratch;

    private final ArrayShell shell = new ArrayShell();
    private final Map<Integer, ArrayNode> nodes = new TreeMap<>();
    private Path file = Path.of("");

    @BeforeEach
    void start() throws IOException {
        file = scratch.resolve("array.properties");
        List<NodeAddresses> addresses = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            addresses.add(ArrayDescription.addresses(FreePorts.takeNode()));
        }
        ArrayDescription.of(new UUID(4, 5), addresses)
                .with(2, 3, 0)
                .withSegmentBytes(4 << 20)
                .write(file);
        for (int node = 0; node < 3; node++) {
            start(node);
        }
        awaitArrived();
    }

    @AfterEach
    void stop() {
        nodes.values().forEach(ArrayNode::close);
    }

    private void start(int node) {
        ArrayOptions options = ArrayDescription.read(file).options(node, scratch.resolve("node" + node));
        ArrayNode.create(options);
        int port = Objects.requireNonNull(options.nodes().get(node)).clients().getPort();
        nodes.put(node, ArrayNode.start(options, Configuration.defaults().with("port", Integer.toString(port))));
    }

    /** Loses the disk of a node. */
    private void lose(int node) throws IOException {
        Objects.requireNonNull(nodes.remove(node)).close();
        try (Stream<Path> files = Files.walk(scratch.resolve("node" + node))) {
            for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private Figures json(String... arguments) {
        int code = shell.array(arguments);
        assertThat(code).as(shell.err()).isZero();
        return Figures.parse(shell.out());
    }

    /** Waits until all stripes have a leader, and are where they are to be. */
    private void awaitArrived() {
        await().atMost(PATIENCE)
                .until(() -> shell.array("status", file.toString(), "--json") == 0
                        && shell.out().contains("\"moves\" : [ ]"));
    }

    private static <T> T patiently(Supplier<T> command) {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(command::get, reply -> true);
    }

    private RedisClusterClient client() {
        return RedisClusterClient.builder()
                .nodes(Set.of(new HostAndPort(
                        "127.0.0.1", Objects.requireNonNull(nodes.get(0)).port())))
                .build();
    }

    /** Regression: a file of a former array changed the one that has its addresses now. */
    @Test
    void aFileOfAnotherArrayChangesNothing() throws IOException {
        String array = ArrayDescription.read(file).array().toString();
        Path former = scratch.resolve("former.properties");
        Files.writeString(
                former, Files.readString(file).replace(array, UUID.randomUUID().toString()));
        for (List<String> command : List.of(
                List.of("plan", former.toString()),
                List.of("rebalance", former.toString()),
                List.of("add-node", former.toString(), "127.0.0.1:1234"))) {
            assertThat(shell.array(command.toArray(String[]::new)))
                    .as(command.getFirst())
                    .isNotZero();
            assertThat(shell.err()).contains("no node answers: node 0: it belongs to another array than ");
        }
        assertThat(shell.array("plan", file.toString())).as(shell.err()).isZero();
    }

    /** Regression: the backup asked the nodes of the other array again and again, and never ended. */
    @Test
    @Timeout(120)
    void aBackupByAFileOfAnotherArrayIsRefused() throws IOException {
        Path former = scratch.resolve("former.properties");
        String array = ArrayDescription.read(file).array().toString();
        Files.writeString(
                former, Files.readString(file).replace(array, UUID.randomUUID().toString()));
        Path backup = scratch.resolve("backup");
        assertThat(shell.array("backup", former.toString(), backup.toString())).isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("node 0: it belongs to another array than ");
        assertThat(backup).doesNotExist();
    }

    /** A new node takes the place of one whose files are gone. */
    @Test
    void aNodeThatIsLostIsReplaced() throws IOException {
        try (RedisClusterClient client = client()) {
            for (int key = 0; key < KEYS; key++) {
                int number = key;
                patiently(() -> client.set("key" + number, Integer.toString(number)));
            }
        }
        assertThat(shell.array("plan", file.toString())).as(shell.err()).isZero();
        assertThat(shell.out()).contains("0 members copy", "dry run");

        InetSocketAddress address = FreePorts.takeNode();
        String text = "127.0.0.1:" + address.getPort();
        String second = "127.0.0.1:"
                + Objects.requireNonNull(ArrayDescription.read(file).nodes().get(2))
                        .clients()
                        .getPort();
        assertThat(shell.array("add-node", file.toString(), "192.0.2.1:7003")).isNotZero();
        assertThat(shell.err()).contains("the nodes have no TLS", "192.0.2.1:7003");
        assertThat(json("add-node", file.toString(), text, "--json", "--dry-run")
                        .whole("node"))
                .isEqualTo(3);
        assertThat(ArrayDescription.read(file).nodes()).hasSize(3);
        assertThat(json("add-node", file.toString(), text, "--json").whole("node"))
                .isEqualTo(3);
        assertThat(json("add-node", file.toString(), text, "--json").whole("node"))
                .as("it is the same one")
                .isEqualTo(3);
        assertThat(ArrayDescription.read(file).nodes()).hasSize(4);
        assertThat(shell.array("add-node", file.toString(), text, "--zone", "other"))
                .isEqualTo(3);
        assertThat(shell.err()).contains(text + " is node 3 already, in zone node3 with weight 1");
        start(3);
        lose(2);
        await().atMost(PATIENCE).until(() -> shell.array("status", file.toString()) == 0);
        String lost = "node.2.clients=127.0.0.1";
        Files.writeString(file, Files.readString(file).replace(lost, "node.2.clients=no-such-host.invalid"));

        Figures plan = json("remove-node", file.toString(), "2", "--lost", "--json", "--dry-run");
        assertThat(plan.part("plan").whole("copies")).isEqualTo(2);
        long version = plan.whole("version");
        assertThat(json("remove-node", file.toString(), "2", "--lost", "--json").whole("version"))
                .isEqualTo(version);
        assertThat(shell.array("add-node", file.toString(), second)).isNotZero();
        assertThat(shell.err()).contains(second + " is node 2, which is leaving the array or is lost");
        awaitArrived();
        // a stripe whose leadership moves has no leader for a moment
        await().atMost(PATIENCE).until(() -> shell.array("status", file.toString()) == 0);
        assertThat(shell.out()).contains("node 2 is lost, and has 0 members");
        assertThat(shell.array("remove-node", file.toString(), "2"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).contains("leaves the array");
        assertThat(ArrayDescription.read(file).nodes()).containsOnlyKeys(0, 1, 3);

        try (RedisClusterClient client = client()) {
            for (int key = 0; key < KEYS; key++) {
                int number = key;
                assertThat(patiently(() -> client.get("key" + number))).isEqualTo(Integer.toString(number));
            }
        }
    }

    /** Other nodes learn of the port from the record, and the node itself from the file. */
    @Test
    void aNodeThatIsThereGetsAPortForTls() throws IOException {
        InetSocketAddress clients = Objects.requireNonNull(
                        ArrayDescription.read(file).nodes().get(1))
                .clients();
        String text = "127.0.0.1:" + clients.getPort();
        for (int turn = 0; turn < 2; turn++) {
            assertThat(json("add-node", file.toString(), text, "--client-tls", "--json")
                            .whole("node"))
                    .isEqualTo(1);
            assertThat(tlsPort(1)).hasValue(clients.getPort() + 5000);
            assertThat(json("status", file.toString(), "--json").whole("version"))
                    .isEqualTo(1);
        }
        assertThat(tlsPort(0)).isEmpty();
        assertThat(shell.array("add-node", file.toString(), text, "--no-client-tls"))
                .isZero();
        assertThat(tlsPort(1)).isEmpty();
        assertThat(shell.array("add-node", file.toString(), text, "--no-client-tls", "--client-tls"))
                .isEqualTo(2);
        assertThat(shell.array("add-node", file.toString(), text, "--client-tls"))
                .isZero();
        String line = "node.1.tls-port=";
        Files.writeString(
                file, Files.readString(file).replace(line + (clients.getPort() + 5000), line + clients.getPort()));
        assertThat(shell.array("add-node", file.toString(), text)).isEqualTo(3);
        assertThat(shell.err()).contains("node.1.clients and node.1.tls-port are both");
    }

    /** Returns the port that both the file and the record have. */
    private OptionalInt tlsPort(int node) {
        ArrayDescription description = ArrayDescription.read(file);
        NodeAddresses described = Objects.requireNonNull(description.nodes().get(node));
        assertThat(ArrayView.ask(description, NodeAccess.OPEN)
                        .record()
                        .node(node)
                        .orElseThrow()
                        .addresses())
                .isEqualTo(described);
        return described.tlsPort();
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThat(shell.array("remove-node", file.toString(), "2")).isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("2 nodes");
        assertThat(shell.array("remove-node", file.toString(), "7")).isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("there is no node 7");
        assertThat(shell.array("move", file.toString(), "--stripe", "0", "--from", "0", "--to", "1"))
                .isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("cannot move a member from node 0 to node 1");
        assertThat(shell.array("move", file.toString(), "--stripe", "2", "--from", "0", "--to", "1"))
                .isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("the stripes are 0 to 1");
        assertThat(shell.array("add-node", file.toString(), "127.0.0.1:60000")).isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("60000");
    }

    /** Such a node would have no addresses, and no command could reach the array any more. */
    @Test
    void aNodeOnAHostThatIsNotKnownIsRefused() {
        long version = json("status", file.toString(), "--json").whole("version");
        assertThat(shell.array("add-node", file.toString(), "no-such-host.invalid:7003"))
                .isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("no-such-host.invalid:7003", "is not known");
        assertThat(ArrayDescription.read(file).nodes()).hasSize(3);
        assertThat(json("status", file.toString(), "--json").whole("version")).isEqualTo(version);
    }
}
