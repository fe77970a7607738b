package dev.larder.array.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;

/** The shares of nodes, found by bisection with floating-point numbers: another way than the planner's. */
final class FairShares {

    private FairShares() {}

    static Map<Integer, Double> of(List<Node> nodes, int stripes, int members, int zoneLimit) {
        Map<String, List<Node>> zones = nodes.stream().collect(Collectors.groupingBy(Node::zone));
        double level = level(
                at -> zones.values().stream()
                        .mapToDouble(zone -> Math.min((double) zoneLimit * stripes, taken(zone, at, stripes)))
                        .sum(),
                (double) stripes * members);
        Map<Integer, Double> shares = new HashMap<>();
        for (List<Node> zone : zones.values()) {
            double room = Math.min((double) zoneLimit * stripes, taken(zone, level, stripes));
            double within = level(at -> taken(zone, at, stripes), room);
            zone.forEach(node -> shares.put(node.number(), Math.min(stripes, within * node.weight())));
        }
        return shares;
    }

    private static double taken(List<Node> nodes, double level, int stripes) {
        return nodes.stream()
                .mapToDouble(node -> Math.min(stripes, level * node.weight()))
                .sum();
    }

    /** Returns the point where a non-decreasing function reaches a value. */
    private static double level(DoubleUnaryOperator function, double value) {
        double low = 0;
        double high = Topology.MEMBERS_MAX;
        for (int round = 0; round < 70; round++) {
            double middle = (low + high) / 2;
            if (function.applyAsDouble(middle) < value) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}
