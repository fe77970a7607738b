package dev.larder.array.link;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Options of a node's links. Immutable.
 *
 * @param array which array the node is of
 * @param node its number
 * @param address where it listens
 * @param nodes where the others listen, by number
 * @param encryption TLS; empty only where all addresses are loopback
 */
public record LinkOptions(
        UUID array,
        int node,
        InetSocketAddress address,
        Map<Integer, InetSocketAddress> nodes,
        Optional<LinkEncryption> encryption) {

    /** Options; without encryption all addresses must be loopback. */
    public LinkOptions {
        nodes = Map.copyOf(nodes);
        if (nodes.containsKey(node)) {
            throw new IllegalArgumentException("node " + node + " has no link to itself");
        }
        if (encryption.isEmpty()) {
            requireLoopback(address);
            nodes.values().stream()
                    .filter(other -> !other.isUnresolved()) // nobody connects to a host that is not known
                    .forEach(LinkOptions::requireLoopback);
        }
    }

    private static void requireLoopback(InetSocketAddress address) {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "links to " + address + " need TLS: only those of the loopback address go without");
        }
    }
}
