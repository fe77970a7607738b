package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.link.HalfOpenProxy;
import dev.larder.server.Configuration;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member whose connections carry nothing, although neither side has closed them. New connections work. */
@Tag(Effort.LONG)
final class HalfOpenMemberTest {

    private static final int NODES = 3;

    /** The node that the others reach through proxies. It is not the first of its stripe, so another node is to lead. */
    private static final int BEHIND = 2;

    private static final UUID ARRAY = new UUID(9, 10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    /** TCP would retransmit lost data for a quarter of an hour, at growing intervals. These proxies never deliver it. */
    @Test
    void itIsReachedOnOtherConnections() throws IOException {
        List<InetSocketAddress> free = FreePorts.take(3 * NODES);
        InetSocketAddress raft = free.get(3 * BEHIND + 1);
        InetSocketAddress links = free.get(3 * BEHIND + 2);
        try (HalfOpenProxy raftProxy = new HalfOpenProxy(raft);
                HalfOpenProxy linkProxy = new HalfOpenProxy(links)) {
            NodeAddresses seen = new NodeAddresses(free.get(3 * BEHIND), raftProxy.address(), linkProxy.address());
            try (ArrayNode zero = start(0, free, seen);
                    ArrayNode one = start(1, free, seen);
                    ArrayNode behind = start(BEHIND, free, new NodeAddresses(free.get(3 * BEHIND), raft, links))) {
                await().atMost(PATIENCE).until(() -> zero.isLeading(0));
                write(zero, "before");
                await().atMost(PATIENCE).until(() -> areEqual(zero, one, behind));
                raftProxy.vanish();
                linkProxy.vanish();
                write(zero, "meanwhile");
                await().atMost(PATIENCE).until(() -> areEqual(zero, one, behind));
            }
        }
    }

    private static boolean areEqual(ArrayNode leader, ArrayNode one, ArrayNode other) {
        long applied = leader.appliedIndex(0);
        return one.appliedIndex(0) == applied && other.appliedIndex(0) == applied;
    }

    private static void write(ArrayNode leader, String value) {
        try (RespClient client = new RespClient(leader.port())) {
            assertThat(client.call("SET key " + value)).isEqualTo("OK");
        }
    }

    private ArrayNode start(int node, List<InetSocketAddress> free, NodeAddresses behind) {
        Map<Integer, NodeAddresses> nodes = new HashMap<>();
        for (int one = 0; one < NODES; one++) {
            nodes.put(one, new NodeAddresses(free.get(3 * one), free.get(3 * one + 1), free.get(3 * one + 2)));
        }
        nodes.put(BEHIND, behind);
        ArrayOptions options = ArrayOptions.of(ARRAY, node, nodes, directory.resolve("node" + node))
                .withStripes(1, NODES)
                .withSegmentBytes(4 << 20)
                .withElection(Duration.ofMillis(3500), Duration.ofMillis(5000));
        ArrayNode.create(options);
        return ArrayNode.start(
                options,
                Configuration.defaults()
                        .with("port", Integer.toString(free.get(3 * node).getPort()))
                        .with("dir", directory.resolve("unused" + node).toString()));
    }
}
