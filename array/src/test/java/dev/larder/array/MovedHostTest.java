package dev.larder.array;

import static org.awaitility.Awaitility.await;

import dev.larder.array.link.Links;
import dev.larder.server.Configuration;
import dev.larder.tests.support.FreePorts;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that gets another IP address while other nodes run. */
final class MovedHostTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path directory;

    /** Regression: a host that was found once was never looked up again, so its node was cut off until the others restarted. */
    @Test
    void isFoundAtItsNewAddress() throws Exception {
        List<InetSocketAddress> free = FreePorts.take(9);
        Map<Integer, NodeAddresses> now = new TreeMap<>();
        for (int node = 0; node < 3; node++) {
            now.put(node, new NodeAddresses(free.get(3 * node), free.get(3 * node + 1), free.get(3 * node + 2)));
        }
        InetAddress former = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 9});
        Map<Integer, NodeAddresses> before = new TreeMap<>(now);
        before.computeIfPresent(
                1, (node, all) -> all.with(address -> new InetSocketAddress(former, address.getPort())));
        try (ArrayNode first = start(0, before);
                ArrayNode _ = start(1, now)) {
            Links links = (Links) MethodHandles.privateLookupIn(ArrayNode.class, MethodHandles.lookup())
                    .findVarHandle(ArrayNode.class, "links", Links.class)
                    .get(first);
            await().atMost(PATIENCE).until(() -> links.isLinked(1));
        }
    }

    private ArrayNode start(int node, Map<Integer, NodeAddresses> known) {
        ArrayOptions options = TestArray.options(directory.resolve("node" + node), node, known, CatchUp.defaults());
        ArrayNode.create(options);
        int port = options.addresses().clients().getPort();
        return ArrayNode.start(options, Configuration.defaults().with("port", Integer.toString(port)));
    }
}
