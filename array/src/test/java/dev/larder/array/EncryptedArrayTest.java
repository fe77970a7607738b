package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ratis.RaftOptions;
import dev.larder.server.Configuration;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.SelfSignedCertificate;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that speak TLS to each other. */
@Tag(Effort.LONG)
final class EncryptedArrayTest {

    private static final UUID ARRAY = new UUID(5, 5);

    @TempDir
    private static Path keys;

    private static SelfSignedCertificate own;
    private static SelfSignedCertificate foreign;

    @TempDir
    private Path directory;

    private final List<ArrayNode> nodes = new ArrayList<>();

    @BeforeAll
    static void makeCertificates() {
        own = SelfSignedCertificate.make(keys, "own");
        foreign = SelfSignedCertificate.make(keys, "foreign");
    }

    @AfterEach
    void stop() {
        nodes.forEach(ArrayNode::close);
    }

    private static NodeEncryption encryption(SelfSignedCertificate certificate) {
        return new NodeEncryption(certificate.certificate(), certificate.key(), certificate.certificate());
    }

    /** Starts nodes at an address that their certificates were not made for. */
    private void start(SelfSignedCertificate... certificates) {
        Map<Integer, NodeAddresses> addresses = new HashMap<>();
        List<InetSocketAddress> free = FreePorts.take(3 * certificates.length);
        for (int node = 0; node < certificates.length; node++) {
            addresses.put(
                    node,
                    new NodeAddresses(
                            free.get(3 * node),
                            new InetSocketAddress(
                                    "127.0.0.2", free.get(3 * node + 1).getPort()),
                            new InetSocketAddress(
                                    "127.0.0.2", free.get(3 * node + 2).getPort())));
        }
        for (int node = 0; node < certificates.length; node++) {
            ArrayOptions options = ArrayOptions.of(ARRAY, node, addresses, directory.resolve("node" + node))
                    .withStripes(1, certificates.length)
                    .withSegmentBytes(4 << 20)
                    .withElection(Duration.ofMillis(3500), Duration.ofMillis(5000))
                    .withEncryption(encryption(certificates[node]));
            ArrayNode.create(options);
            nodes.add(ArrayNode.start(
                    options,
                    Configuration.defaults()
                            .with("port", Integer.toString(free.get(3 * node).getPort()))));
        }
    }

    @Test
    void nodesOfOneAuthorityAreAnArray() {
        start(own, own);
        int leader = await().atMost(Duration.ofSeconds(40))
                .until(
                        () -> IntStream.range(0, 2)
                                .filter(node -> nodes.get(node).isLeading(0))
                                .findFirst()
                                .orElse(-1),
                        node -> node >= 0);
        try (RespClient client = new RespClient(nodes.get(leader).port())) {
            assertThat(client.call("SET a 1")).isEqualTo("OK");
            await().until(() -> client.call("GET a").equals("1"));
        }
    }

    @Test
    void aNodeOfAnotherAuthorityIsNoMember() throws InterruptedException {
        start(own, foreign);
        TimeUnit.SECONDS.sleep(4); // a first election starts after 2 s at most
        assertThat(nodes).noneMatch(node -> node.isLeading(0));
    }

    @Test
    void addressesBeyondLoopbackNeedTls() {
        InetSocketAddress beyond = new InetSocketAddress("192.0.2.1", 7000);
        MemberName member = new MemberName(0, 0);
        assertThatThrownBy(() -> RaftOptions.of(member, beyond, directory, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("192.0.2.1:7000", "needs TLS");
        assertThat(RaftOptions.of(member, beyond, directory, Optional.of(encryption(own)))
                        .address())
                .isEqualTo(beyond);
    }
}
