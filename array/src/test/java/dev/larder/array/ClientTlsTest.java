package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.SelfSignedCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients find the nodes of an array, with TLS and without. */
@Tag(Effort.LONG)
final class ClientTlsTest {

    private static final int KEYS = 40;

    @TempDir
    private static Path keys;

    private static SelfSignedCertificate certificate;
    private static SocketFactory encrypted;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = SelfSignedCertificate.make(keys, "node");
        encrypted = certificate.client(Optional.empty()).getSocketFactory();
    }

    /** Returns a key of a stripe. */
    private static String keyOf(int stripe) {
        return IntStream.range(0, 1000)
                .mapToObj(number -> "key" + number)
                .filter(key -> TestArray.stripe(key) == stripe)
                .findFirst()
                .orElseThrow();
    }

    private static Set<Integer> ports(String pattern, String reply) {
        return Pattern.compile(pattern)
                .matcher(reply)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .collect(Collectors.toSet());
    }

    private static Set<Integer> ofSlots(RespClient client) {
        return ports("127\\.0\\.0\\.1, (\\d+), ", client.call("CLUSTER SLOTS"));
    }

    private static Set<Integer> ofNodes(RespClient client) {
        return ports("127\\.0\\.0\\.1:(\\d+)@", client.call("CLUSTER NODES"));
    }

    /** Follows the redirects of a command from node to node, over TLS alone. */
    private static String follow(int first, String command) {
        int port = first;
        for (int asked = 0; asked < 10; asked++) {
            try (RespClient client = new RespClient(encrypted, port)) {
                String reply = client.call(command);
                if (!reply.startsWith("MOVED ")) {
                    return reply;
                }
                port = Integer.parseInt(reply.substring(reply.lastIndexOf(':') + 1));
            }
        }
        throw new AssertionError("sent from node to node, at last to port " + port);
    }

    @Test
    void eachClientIsToldItsKindOfPort() {
        try (TestArray array = TestArray.withTlsPorts(directory, certificate, Set.of(0, 1, 2))) {
            array.awaitLeaders();
            String key = keyOf(1);
            try (RespClient plain = array.client(0);
                    RespClient overTls = new RespClient(encrypted, array.tlsPort(0))) {
                await().until(() -> plain.call("GET " + key).startsWith("MOVED")); // the node knows the leader
                for (String command : List.of("GET %s", "SET %s 1", "WATCH %s", "XREAD BLOCK 0 STREAMS %s 0")) {
                    String line = command.replace("%s", key);
                    assertThat(plain.call(line)).endsWith(" 127.0.0.1:" + array.port(1));
                    assertThat(overTls.call(line)).endsWith(" 127.0.0.1:" + array.tlsPort(1));
                }
                Set<Integer> plainPorts = Set.of(array.port(0), array.port(1), array.port(2));
                Set<Integer> tlsPorts = Set.of(array.tlsPort(0), array.tlsPort(1), array.tlsPort(2));
                assertThat(ofSlots(plain)).isEqualTo(plainPorts);
                assertThat(ofSlots(overTls)).isEqualTo(tlsPorts);
                assertThat(ofNodes(plain)).isEqualTo(plainPorts);
                assertThat(ofNodes(overTls)).isEqualTo(tlsPorts);
                for (RespClient client : List.of(plain, overTls)) {
                    String shards = client.call("CLUSTER SHARDS");
                    for (int node = 0; node < TestArray.NODES; node++) {
                        assertThat(shards)
                                .contains("port, " + array.port(node) + ", tls-port, " + array.tlsPort(node) + ", ip");
                    }
                }
            }
            for (int i = 0; i < KEYS; i++) {
                assertThat(follow(array.tlsPort(i % TestArray.NODES), "SET all" + i + " " + i))
                        .isEqualTo("OK");
            }
            for (int i = 0; i < KEYS; i++) {
                assertThat(follow(array.tlsPort(2), "GET all" + i)).isEqualTo("" + i);
            }
        }
    }

    /** A port without TLS would not understand the client. */
    @Test
    void aClientThatSpeaksTlsIsNotSentToANodeThatDoesNot() {
        try (TestArray array = TestArray.withTlsPorts(directory, certificate, Set.of(0, 1))) {
            array.awaitLeaders();
            String key = keyOf(2);
            try (RespClient plain = array.client(0);
                    RespClient overTls = new RespClient(encrypted, array.tlsPort(0))) {
                await().until(() -> plain.call("GET " + key).endsWith(array.address(2)));
                assertThat(overTls.call("GET " + key))
                        .isEqualTo("CLUSTERDOWN Node 2 leads the stripe, but has no port for clients that use TLS");
                Set<Integer> tlsPorts = Set.of(array.tlsPort(0), array.tlsPort(1));
                assertThat(ofSlots(overTls)).isEqualTo(tlsPorts);
                assertThat(ofNodes(overTls)).isEqualTo(tlsPorts);
                List<String> slots = new ArrayList<>();
                for (String node : overTls.call("CLUSTER NODES").split("\n", -1)) {
                    List<String> words = List.of(node.split(" ", -1));
                    slots.addAll(words.subList(Math.min(8, words.size()), words.size()));
                }
                assertThat(slots).doesNotHaveDuplicates().hasSize(TestArray.STRIPES);
                assertThat(ofNodes(plain)).contains(array.port(2));
                assertThat(overTls.call("CLUSTER SHARDS")).contains("port, " + array.port(2) + ", ip");
            }
        }
    }

    @Test
    void anArrayMayServeTlsAlone() {
        try (TestArray array = TestArray.withTlsOnly(directory, certificate)) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> IntStream.range(0, TestArray.STRIPES)
                            .allMatch(stripe -> follow(array.tlsPort(0), "SET " + keyOf(stripe) + " 1")
                                    .equals("OK")));
            Set<Integer> tlsPorts = Set.of(array.tlsPort(0), array.tlsPort(1), array.tlsPort(2));
            try (RespClient client = new RespClient(encrypted, array.tlsPort(0))) {
                assertThat(ofSlots(client)).isEqualTo(tlsPorts);
                assertThat(ofNodes(client)).isEqualTo(tlsPorts);
                String shards = client.call("CLUSTER SHARDS");
                for (int node = 0; node < TestArray.NODES; node++) {
                    assertThat(shards)
                            .contains("tls-port, " + array.tlsPort(node) + ", ip, 127.0.0.1")
                            .doesNotContain("" + array.port(node));
                }
                assertThat(client.call("CLUSTER INFO"))
                        .contains("cluster_state:ok")
                        .doesNotContain("cluster_size:0");
            }
            for (int node = 0; node < TestArray.NODES; node++) {
                int port = array.port(node);
                assertThatThrownBy(() -> new RespClient(port)).hasStackTraceContaining("Connection refused");
                assertThat(array.node(node).port()).isEqualTo(array.tlsPort(node));
            }
        }
    }

    private ArrayOptions options(OptionalInt tlsPort) {
        InetSocketAddress unused = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000);
        NodeAddresses addresses = new NodeAddresses(unused, unused, unused).withTlsPort(tlsPort);
        return ArrayOptions.of(new UUID(1, 7), 0, Map.of(0, addresses), directory);
    }

    @Test
    void whatDoesNotFitIsRefusedAheadOfTheStart() {
        Configuration none = Configuration.defaults();
        ArrayOptions withPort = options(OptionalInt.of(6390));
        assertThatThrownBy(() -> ArrayNode.start(withPort, none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tls-port 6390: TLS needs a tls-cert-file, and none is given");
        for (ArrayOptions options : List.of(options(OptionalInt.empty()), withPort)) {
            assertThatThrownBy(() -> ArrayNode.start(options, none.with("tls-port", "6380")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("tls-port 6380: ")
                    .hasMessageContaining("node.0.tls-port=6380");
        }
        Configuration rewritten = none.with("tls-port", "6390")
                .with("tls-cert-file", certificate.certificate().toString())
                .with("tls-key-file", certificate.key().toString())
                .with("tls-auth-clients", "no");
        assertThatThrownBy(() -> ArrayNode.start(withPort, rewritten))
                .as("CONFIG REWRITE has written the port that the description says, and the parameters fit")
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("was never created");
        assertThatThrownBy(() -> options(OptionalInt.of(65_536)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("TLS port 65536 is not within 1 and 65535");
        NodeAddresses plain = options(OptionalInt.empty()).addresses();
        assertThatThrownBy(plain::withTlsOnly)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a node only for TLS clients needs a TLS port");
    }
}
