package dev.larder.array.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tries every way to place the stripes of a small array. */
final class EveryWay {

    private final Topology array;
    private final List<Node> nodes;
    private final int zoneLimit;
    private final Map<Integer, Double> shares;
    private long fewest = Long.MAX_VALUE;

    private EveryWay(Topology array) {
        this.array = array;
        nodes = array.nodesIn();
        zoneLimit = new ZoneNumbers(nodes, array.membersAStripe()).limit();
        shares = FairShares.of(nodes, array.stripes().size(), array.membersAStripe(), zoneLimit);
    }

    /** Returns the least number of new members with which all shares are met, rounded up or down. */
    static long fewestMoves(Topology array) {
        EveryWay ways = new EveryWay(array);
        List<List<Node>> sets = new ArrayList<>();
        ways.addSets(sets, List.of(), 0);
        ways.place(sets, 0, new TreeMap<>(), 0);
        return ways.fewest;
    }

    private void addSets(List<List<Node>> sets, List<Node> begun, int from) {
        if (begun.size() == array.membersAStripe()) {
            sets.add(begun);
            return;
        }
        for (int index = from; index < nodes.size(); index++) {
            Node node = nodes.get(index);
            if (begun.stream().filter(other -> other.zone().equals(node.zone())).count() < zoneLimit) {
                List<Node> longer = new ArrayList<>(begun);
                longer.add(node);
                addSets(sets, longer, index + 1);
            }
        }
    }

    private void place(List<List<Node>> sets, int stripe, Map<Integer, Integer> counts, long moves) {
        if (stripe == array.stripes().size()) {
            fewest = isEven(counts) ? Math.min(fewest, moves) : fewest;
            return;
        }
        for (List<Node> set : sets) {
            Map<Integer, Integer> more = new TreeMap<>(counts);
            set.forEach(node -> more.merge(node.number(), 1, Integer::sum));
            long added = set.stream()
                    .filter(node ->
                            array.stripes().get(stripe).on(node.number()).isEmpty())
                    .count();
            place(sets, stripe + 1, more, moves + added);
        }
    }

    private boolean isEven(Map<Integer, Integer> counts) {
        return shares.entrySet().stream().allMatch(share -> {
            int count = counts.getOrDefault(share.getKey(), 0);
            return count >= Math.floor(share.getValue() + 1e-6) && count <= Math.ceil(share.getValue() - 1e-6);
        });
    }
}
