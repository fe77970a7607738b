package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.plan.Topology;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Options are checked before a node has files. */
final class ArrayOptionsTest {

    private static ArrayOptions options(int nodes) {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        Map<Integer, NodeAddresses> all = new HashMap<>();
        for (int node = 0; node < nodes; node++) {
            all.put(node, new NodeAddresses(nobody, nobody, nobody));
        }
        return ArrayOptions.of(new UUID(1, 2), 0, all, Path.of("nowhere"));
    }

    /** Regression: such an array was made, and no node of it could say where its stripes were. */
    @Test
    void anArrayHasNoMoreNodesThanATopology() {
        assertThat(options(Topology.NODES_MAX).nodes()).hasSize(256);
        assertThatThrownBy(() -> options(257))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nodes: 257, but an array has at most 256 nodes");
    }
}
