package dev.larder.array.plan;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongBiFunction;

/**
 * Looks for a cheaper way to place members, by exchanges. A placement is a flow; it is a cheapest one exactly if no cycle of
 * exchanges has a cost below 0 (Klein, 1967). The search for a cycle is that of Bellman and Ford. If there is no cycle, its
 * distances prove that no placement costs less (they solve the dual program). The planner makes its flow by another method.
 */
final class CheaperWay {

    // An arc is an exchange: one goal, zone or node gives way to another.
    private int[] from = new int[256];
    private int[] to = new int[256];
    private long[] costs = new long[256];
    private int arcs;
    private final Map<String, Integer> zoneNumbers = new TreeMap<>();
    private final Map<Integer, Integer> nodePlaces = new TreeMap<>();
    private int places;

    private CheaperWay(Map<Integer, String> zones) {
        zones.values().forEach(zone -> zoneNumbers.putIfAbsent(zone, zoneNumbers.size()));
        zones.keySet().forEach(node -> nodePlaces.put(node, ++places));
    }

    private void exchange(int one, int other, boolean more, boolean less, long cost) {
        if (more) {
            add(one, other, cost);
        }
        if (less) {
            add(other, one, -cost);
        }
    }

    private void add(int one, int other, long cost) {
        if (arcs == from.length) {
            from = Arrays.copyOf(from, 2 * arcs);
            to = Arrays.copyOf(to, 2 * arcs);
            costs = Arrays.copyOf(costs, 2 * arcs);
        }
        from[arcs] = one;
        to[arcs] = other;
        costs[arcs++] = cost;
    }

    /**
     * Returns whether there is a cheaper way.
     *
     * @param chosen the nodes of each goal
     * @param options the nodes that each could have
     * @param zones the zone of each node
     * @param zoneLimit how many nodes of a zone a goal may have
     * @param shares how many goals a node should have: rounded up or down
     * @param cost the cost of a node for a goal
     */
    static boolean exists(
            Map<Goal, Set<Integer>> chosen,
            Map<Goal, Set<Integer>> options,
            Map<Integer, String> zones,
            int zoneLimit,
            Map<Integer, Double> shares,
            ToLongBiFunction<Goal, Integer> cost) {
        CheaperWay ways = new CheaperWay(zones);
        Map<Integer, Integer> counts = new TreeMap<>();
        options.forEach((goal, nodes) ->
                ways.addGoal(goal, chosen.getOrDefault(goal, Set.of()), nodes, zones, zoneLimit, cost));
        chosen.values().forEach(nodes -> nodes.forEach(node -> counts.merge(node, 1, Integer::sum)));
        shares.forEach((node, share) -> {
            int count = counts.getOrDefault(node, 0);
            boolean more = count < Math.ceil(share - 1e-6);
            ways.exchange(ways.nodePlaces.getOrDefault(node, 0), 0, more, count > Math.floor(share + 1e-6), 0);
        });
        return ways.hasNegativeCycle();
    }

    private void addGoal(
            Goal goal,
            Set<Integer> chosen,
            Set<Integer> options,
            Map<Integer, String> zones,
            int zoneLimit,
            ToLongBiFunction<Goal, Integer> cost) {
        int place = ++places;
        int[] counts = new int[zoneNumbers.size()];
        for (int node : options) {
            int zone = zoneNumbers.getOrDefault(zones.get(node), 0);
            boolean has = chosen.contains(node);
            counts[zone] += has ? 1 : 0;
            exchange(place + 1 + zone, nodePlaces.getOrDefault(node, 0), !has, has, cost.applyAsLong(goal, node));
        }
        for (int count : counts) {
            exchange(place, ++places, count < zoneLimit, count > 0, 0);
        }
    }

    private boolean hasNegativeCycle() {
        long[] distances = new long[places + 1];
        for (int round = 0; round <= distances.length; round++) {
            boolean changed = false;
            for (int arc = 0; arc < arcs; arc++) {
                if (distances[from[arc]] + costs[arc] < distances[to[arc]]) {
                    distances[to[arc]] = distances[from[arc]] + costs[arc];
                    changed = true;
                }
            }
            if (!changed) {
                return false;
            }
        }
        return true;
    }
}
