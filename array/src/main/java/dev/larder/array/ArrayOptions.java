package dev.larder.array;

import dev.larder.array.link.LinkEncryption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Options of a node of an array. Immutable; each {@code with} returns a changed copy.
 *
 * @param array the identity of the array
 * @param node the number of this node
 * @param nodes where all nodes listen, by number, this one included
 * @param directory the folder of its files
 * @param linkEncryption TLS of the links; empty on loopback alone
 * @param segmentBytes the size that segments of the store grow to, the same on all nodes: it bounds what a value may have
 * @param electionLeast how long a follower waits at least for its leader
 * @param electionMost how long at most
 */
public record ArrayOptions(
        UUID array,
        int node,
        Map<Integer, NodeAddresses> nodes,
        Path directory,
        Optional<LinkEncryption> linkEncryption,
        long segmentBytes,
        Duration electionLeast,
        Duration electionMost) {

    private static final long SEGMENT_BYTES = 64L << 20;

    /** Options; the node must be one of the nodes. */
    public ArrayOptions {
        nodes = Map.copyOf(nodes);
        if (!nodes.containsKey(node)) {
            throw new IllegalArgumentException("node " + node + " is none of " + nodes.keySet());
        }
    }

    /** Returns the defaults of a node: segments of 64 MiB, elections after 1.5 to 2.5 s. */
    public static ArrayOptions of(UUID array, int node, Map<Integer, NodeAddresses> nodes, Path directory) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                directory,
                Optional.empty(),
                SEGMENT_BYTES,
                Duration.ofMillis(1500),
                Duration.ofMillis(2500));
    }

    /** Returns a copy with another time-out of elections. */
    public ArrayOptions withElection(Duration least, Duration most) {
        return new ArrayOptions(array, node, nodes, directory, linkEncryption, segmentBytes, least, most);
    }

    /** Returns a copy with another {@link #segmentBytes}. */
    public ArrayOptions withSegmentBytes(long bytes) {
        return new ArrayOptions(array, node, nodes, directory, linkEncryption, bytes, electionLeast, electionMost);
    }

    /** Returns a copy with another {@link #linkEncryption}. */
    public ArrayOptions withLinkEncryption(LinkEncryption encryption) {
        return new ArrayOptions(
                array, node, nodes, directory, Optional.of(encryption), segmentBytes, electionLeast, electionMost);
    }
}
