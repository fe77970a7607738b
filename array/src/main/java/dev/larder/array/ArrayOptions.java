package dev.larder.array;

import dev.larder.array.plan.Topology;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.slots.StripeSlots;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Options of a node of an array. Immutable; each {@code with} returns a changed copy.
 *
 * @param array the identity of the array
 * @param node the number of this node
 * @param nodes the addresses of all nodes, by number, including this one: at most {@link Topology#NODES_MAX}
 * @param founders the nodes with which the array was made, which have the first members; other nodes were added later
 * @param directory the folder of its files
 * @param stripes how many stripes the array has, 1 to 1024; it never changes
 * @param mirrors how many nodes keep each stripe, 1 to 5, and at most as many as there are founders
 * @param witnesses how many other nodes have the log of each stripe and vote, without a store: 0, or 1 beside 2 mirrors or more
 * @param encryption TLS between the nodes; empty on loopback alone
 * @param segmentBytes the size that segments of the stores grow to, the same on all nodes: it bounds the size of a value
 * @param valuesOnce whether large values are written once, to the store, and not to the Raft log; the same on all nodes
 * @param electionLeast the least time that a follower waits for its leader
 * @param electionMost the longest time that it waits
 * @param ageMost how old an answer of a mirror may be, for clients that have sent {@code READONLY}
 * @param catchUp how members that were away come back
 */
public record ArrayOptions(
        UUID array,
        int node,
        Map<Integer, NodeAddresses> nodes,
        SortedSet<Integer> founders,
        Path directory,
        int stripes,
        int mirrors,
        int witnesses,
        Optional<NodeEncryption> encryption,
        long segmentBytes,
        boolean valuesOnce,
        Duration electionLeast,
        Duration electionMost,
        Duration ageMost,
        CatchUp catchUp) {

    private static final long SEGMENT_BYTES = 64L << 20;
    private static final int MIRRORS = 3;
    private static final int MIRRORS_MAX = 5;
    private static final int MIRRORS_BESIDE_WITNESS = 2;

    /** Creates options; the node must be one of the nodes, and each number in its range. */
    public ArrayOptions {
        nodes = Map.copyOf(nodes);
        if (!nodes.containsKey(node)) {
            throw new IllegalArgumentException("node " + node + " is not one of " + new TreeMap<>(nodes).keySet());
        }
        if (nodes.size() > Topology.NODES_MAX) {
            throw new IllegalArgumentException(
                    "nodes: " + nodes.size() + ", but an array has at most " + Topology.NODES_MAX + " nodes");
        }
        founders = Collections.unmodifiableSortedSet(new TreeSet<>(founders));
        stripes = new StripeSlots(stripes).stripes();
        if (witnesses < 0 || witnesses > 1) {
            throw new IllegalArgumentException("witnesses: " + witnesses + " is not within 0 and 1");
        }
        int mirrorsLeast = witnesses == 1 ? MIRRORS_BESIDE_WITNESS : 1;
        int mirrorsMost = Math.min(MIRRORS_MAX, founders.size() - witnesses);
        if (mirrors < mirrorsLeast || mirrors > mirrorsMost) {
            throw new IllegalArgumentException("mirrors: " + mirrors + " is not within " + mirrorsLeast + " and "
                    + mirrorsMost + ", with " + founders.size() + " nodes" + (witnesses == 1 ? " and a witness" : ""));
        }
        if (stripes * (mirrors + witnesses) > Topology.MEMBERS_MAX) {
            throw new IllegalArgumentException("stripes: " + stripes + ", of " + (mirrors + witnesses)
                    + " members each: an array has at most " + Topology.MEMBERS_MAX + " members");
        }
        if (witnesses > 0 && valuesOnce) {
            throw new IllegalArgumentException("witnesses: " + witnesses
                    + ", but the nodes write values only to stores (values-once): a witness has no store");
        }
    }

    /**
     * Returns the defaults of a node: as many stripes as there are nodes, each on three of them, and segments of 64 MiB.
     * Elections begin after 1.5 to 2.5 s, and answers of mirrors are at most 5 s old.
     */
    public static ArrayOptions of(UUID array, int node, Map<Integer, NodeAddresses> nodes, Path directory) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                new TreeSet<>(nodes.keySet()),
                directory,
                nodes.size(),
                Math.min(MIRRORS, nodes.size()),
                0,
                Optional.empty(),
                SEGMENT_BYTES,
                false,
                Duration.ofMillis(1500),
                Duration.ofMillis(2500),
                Duration.ofSeconds(5),
                CatchUp.defaults());
    }

    /** Returns a copy with other numbers of stripes and mirrors, without witnesses. */
    public ArrayOptions withStripes(int count, int mirrorsOfEach) {
        return withStripes(count, mirrorsOfEach, 0);
    }

    /** Returns a copy with other numbers of stripes, mirrors and witnesses. */
    public ArrayOptions withStripes(int count, int mirrorsOfEach, int witnessesOfEach) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                count,
                mirrorsOfEach,
                witnessesOfEach,
                encryption,
                segmentBytes,
                valuesOnce,
                electionLeast,
                electionMost,
                ageMost,
                catchUp);
    }

    /** Returns a copy with another election timeout. */
    public ArrayOptions withElection(Duration least, Duration most) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                stripes,
                mirrors,
                witnesses,
                encryption,
                segmentBytes,
                valuesOnce,
                least,
                most,
                ageMost,
                catchUp);
    }

    /** Returns a copy with another {@link #segmentBytes}. */
    public ArrayOptions withSegmentBytes(long bytes) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                stripes,
                mirrors,
                witnesses,
                encryption,
                bytes,
                valuesOnce,
                electionLeast,
                electionMost,
                ageMost,
                catchUp);
    }

    /** Returns a copy with another {@link #valuesOnce}. */
    public ArrayOptions withValuesOnce(boolean once) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                stripes,
                mirrors,
                witnesses,
                encryption,
                segmentBytes,
                once,
                electionLeast,
                electionMost,
                ageMost,
                catchUp);
    }

    /** Returns a copy with another {@link #ageMost}. */
    public ArrayOptions withAgeMost(Duration age) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                stripes,
                mirrors,
                witnesses,
                encryption,
                segmentBytes,
                valuesOnce,
                electionLeast,
                electionMost,
                age,
                catchUp);
    }

    /** Returns a copy with another {@link #catchUp}. */
    public ArrayOptions withCatchUp(CatchUp other) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                stripes,
                mirrors,
                witnesses,
                encryption,
                segmentBytes,
                valuesOnce,
                electionLeast,
                electionMost,
                ageMost,
                other);
    }

    /** Returns a copy with another {@link #encryption}. */
    public ArrayOptions withEncryption(NodeEncryption files) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                founders,
                directory,
                stripes,
                mirrors,
                witnesses,
                Optional.of(files),
                segmentBytes,
                valuesOnce,
                electionLeast,
                electionMost,
                ageMost,
                catchUp);
    }

    /** Returns a copy with other {@link #founders}. */
    public ArrayOptions withFounders(SortedSet<Integer> first) {
        return new ArrayOptions(
                array,
                node,
                nodes,
                first,
                directory,
                stripes,
                mirrors,
                witnesses,
                encryption,
                segmentBytes,
                valuesOnce,
                electionLeast,
                electionMost,
                ageMost,
                catchUp);
    }

    /** Returns the addresses of this node. */
    public NodeAddresses addresses() {
        return Objects.requireNonNull(nodes.get(node));
    }

    /** Returns which nodes had members of which stripes when the array was made. */
    List<StripeMembers> members() {
        return StripeMembers.inTurn(array, List.copyOf(founders), stripes, mirrors, witnesses);
    }
}
