package dev.larder.array.link;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Options of a node's links. Immutable.
 *
 * @param array the array of the node
 * @param node the node's number
 * @param address the address on which it listens
 * @param nodes the addresses of the other nodes, by number
 * @param encryption TLS; empty only where all addresses are loopback
 */
public record LinkOptions(
        UUID array,
        int node,
        InetSocketAddress address,
        Map<Integer, InetSocketAddress> nodes,
        Optional<LinkEncryption> encryption) {

    /** Creates options; without encryption all addresses must be loopback. */
    public LinkOptions {
        nodes = Map.copyOf(nodes);
        if (nodes.containsKey(node)) {
            throw new IllegalArgumentException("node " + node + " has no link to itself");
        }
        if (encryption.isEmpty()) {
            requireLoopback(address);
            nodes.values().stream()
                    .filter(other -> !other.isUnresolved()) // the node does not connect to an unknown host
                    .forEach(LinkOptions::requireLoopback);
        }
    }

    private static void requireLoopback(InetSocketAddress address) {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "links to " + address + " need TLS: only the loopback address needs none");
        }
    }
}
