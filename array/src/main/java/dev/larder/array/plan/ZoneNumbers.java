package dev.larder.array.plan;

import dev.larder.array.plan.EvenChoice.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The zones of some nodes, and how many members of a stripe one zone may have. This is one, if there are enough zones. Else it is
 * the least number with which all members find a node.
 */
final class ZoneNumbers {

    private final Map<String, Integer> numbers = new TreeMap<>();
    private final int limit;

    /** Numbers the zones of nodes. There must be at least as many nodes as a stripe has members. */
    ZoneNumbers(List<Node> nodes, int members) {
        Map<String, Integer> sizes = new TreeMap<>();
        nodes.forEach(node -> sizes.merge(node.zone(), 1, Integer::sum));
        sizes.keySet().forEach(zone -> numbers.put(zone, numbers.size()));
        int least = 1;
        while (places(sizes, least) < members) {
            least++;
        }
        limit = least;
    }

    private static int places(Map<String, Integer> sizes, int limit) {
        return sizes.values().stream().mapToInt(size -> Math.min(size, limit)).sum();
    }

    /** Returns how many members of a stripe a zone may have. */
    int limit() {
        return limit;
    }

    /** Returns a choice among nodes, in which each node is chosen according to its share. */
    EvenChoice choice(List<Node> nodes, Map<Integer, Fraction> shares) {
        List<Bounds> bounds = new ArrayList<>();
        for (Node node : nodes) {
            Fraction share = shares.get(node.number());
            if (share == null) {
                throw new IllegalArgumentException("node " + node.number() + " has no share");
            }
            bounds.add(Bounds.around(numbers.getOrDefault(node.zone(), 0), share));
        }
        return new EvenChoice(bounds, limit);
    }
}
