package dev.larder.array.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of members that each node should have: in proportion to its weight, as far as the limits allow. A node has at most
 * one member of a stripe, and a zone at most a given number. The other nodes share in proportion what a full node or zone cannot
 * take.
 *
 * <p>The shares are raised together, and each limit that is reached stops its nodes (progressive filling, Bertsekas and Gallager,
 * Data Networks, 1992, section 6.5.2). The result is fair: no node could have more, unless a node with less for its weight had
 * even less.
 */
final class Shares {

    private final Map<Integer, Fraction> shares = new TreeMap<>();
    private final Map<String, Long> roomOfZones = new TreeMap<>();
    private final List<Node> open;
    private final int stripes;
    private long rest;

    private Shares(List<Node> nodes, int stripes, int members, int zoneLimit) {
        this.open = new ArrayList<>(nodes);
        this.stripes = stripes;
        this.rest = (long) stripes * members;
        nodes.forEach(node -> roomOfZones.put(node.zone(), (long) zoneLimit * stripes));
    }

    /** Nodes that stop together, at a level: the share for a weight of 1. */
    private record Limit(List<Node> nodes, Fraction level) {}

    /** Returns the share of each node, by its number. The shares add up to all members. */
    static Map<Integer, Fraction> of(List<Node> nodes, int stripes, int members, int zoneLimit) {
        Shares filling = new Shares(nodes, stripes, members, zoneLimit);
        while (!filling.open.isEmpty()) {
            filling.stopNext();
        }
        return filling.shares;
    }

    private void stopNext() {
        List<Limit> limits = new ArrayList<>();
        limits.add(new Limit(List.copyOf(open), new Fraction(rest, weight(open))));
        open.forEach(node -> limits.add(new Limit(List.of(node), new Fraction(stripes, node.weight()))));
        roomOfZones.forEach((zone, room) -> {
            List<Node> there =
                    open.stream().filter(node -> node.zone().equals(zone)).toList();
            if (!there.isEmpty()) {
                limits.add(new Limit(there, new Fraction(room, weight(there))));
            }
        });
        stop(limits.stream().min(Comparator.comparing(Limit::level)).orElseThrow());
    }

    private void stop(Limit limit) {
        for (Node node : limit.nodes()) {
            shares.put(node.number(), limit.level().times(node.weight()));
        }
        open.removeAll(limit.nodes());
        // These nodes together have a whole number: a node's limit, a zone's limit, or all that is left.
        long taken = limit.level().times(weight(limit.nodes())).floor();
        rest -= taken;
        roomOfZones.merge(limit.nodes().getFirst().zone(), -taken, Long::sum);
    }

    private static long weight(List<Node> nodes) {
        return nodes.stream().mapToLong(Node::weight).sum();
    }
}
