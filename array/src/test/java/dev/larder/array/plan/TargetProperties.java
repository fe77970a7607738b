package dev.larder.array.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The properties of every target of every array. Shares, the zone limit and the number of moves are found independently of the
 * planner.
 */
final class TargetProperties {

    private static final double ROUNDING = 1e-6;

    private final Topology array;
    private final Target target;
    private final Map<Integer, Node> in = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();

    private TargetProperties(Topology array, Target target) {
        this.array = array;
        this.target = target;
        array.nodes().stream()
                .filter(node -> node.state() == NodeState.IN)
                .forEach(node -> in.put(node.number(), node));
    }

    /** Returns what is wrong with a target. */
    static List<String> violations(Topology array, Target target) {
        TargetProperties properties = new TargetProperties(array, target);
        properties.rolesFit();
        properties.zonesDiffer();
        properties.loadIsEven();
        if (properties.violations.isEmpty()) {
            properties.changesAreFewest();
        }
        return properties.violations;
    }

    /** Returns how many members a target adds. */
    static long moves(Topology array, Target target) {
        return target.goals().stream()
                .flatMap(goal -> goal.roles().keySet().stream()
                        .filter(node -> array.stripe(goal.stripe()).on(node).isEmpty()))
                .count();
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            violations.add(what);
        }
    }

    private void rolesFit() {
        require(target.goals().size() == array.stripes().size(), "stripes");
        for (Goal goal : target.goals()) {
            require(in.keySet().containsAll(goal.roles().keySet()), "a node is not in: " + goal);
            require(goal.roles().size() == array.membersAStripe(), "number of members: " + goal);
            require(goal.mirrors() == array.mirrors(), "number of mirrors: " + goal);
            require(goal.roles().get(goal.leader()) == Role.MIRROR, "the leader is no mirror: " + goal);
        }
    }

    /** Returns the lowest limit of members in a zone that lets a stripe have all its members. */
    private int zoneLimit() {
        Map<String, Long> sizes =
                in.values().stream().collect(Collectors.groupingBy(Node::zone, Collectors.counting()));
        int limit = 0;
        long room = 0;
        while (room < array.membersAStripe()) {
            int next = ++limit;
            room = sizes.values().stream()
                    .mapToLong(size -> Math.min(size, next))
                    .sum();
        }
        return limit;
    }

    private String zone(int node) {
        Node known = in.get(node);
        return known == null ? "none" : known.zone();
    }

    private void zonesDiffer() {
        Set<String> zones = new HashSet<>();
        in.values().forEach(node -> zones.add(node.zone()));
        require(zones.size() < array.membersAStripe() || zoneLimit() == 1, "the limit of zones");
        for (Goal goal : target.goals()) {
            Map<String, Integer> counts = new HashMap<>();
            goal.roles().keySet().forEach(node -> counts.merge(zone(node), 1, Integer::sum));
            require(counts.values().stream().allMatch(count -> count <= zoneLimit()), "zones: " + goal);
        }
    }

    private Map<Integer, Double> shares(double part) {
        Map<Integer, Double> shares = new TreeMap<>();
        FairShares.of(List.copyOf(in.values()), array.stripes().size(), array.membersAStripe(), zoneLimit())
                .forEach((node, share) -> shares.put(node, share * part));
        return shares;
    }

    private void loadIsEven() {
        Map<Integer, Integer> members = new HashMap<>();
        Map<Integer, Integer> leaders = new HashMap<>();
        Map<Integer, Integer> witnesses = new HashMap<>();
        for (Goal goal : target.goals()) {
            goal.roles().forEach((node, role) -> {
                members.merge(node, 1, Integer::sum);
                witnesses.merge(node, role == Role.WITNESS ? 1 : 0, Integer::sum);
            });
            leaders.merge(goal.leader(), 1, Integer::sum);
        }
        double leading = 1.0 / array.membersAStripe();
        shares(1).forEach((node, share) -> requireNear("members", node, members, share));
        shares(leading).forEach((node, share) -> requireNear("leaders", node, leaders, share));
        if (array.witnesses() > 0) {
            members.forEach((node, count) -> requireNear("witnesses", node, witnesses, count * leading));
        }
    }

    private void requireNear(String what, int node, Map<Integer, Integer> counts, double share) {
        int count = counts.getOrDefault(node, 0);
        require(
                Math.abs(count - share) < 1 - ROUNDING || Math.rint(share) == count,
                what + " of node " + node + ": " + count + ", and its share is " + share);
    }

    private void changesAreFewest() {
        Map<Integer, String> zones = new TreeMap<>();
        in.forEach((number, node) -> zones.put(number, node.zone()));
        Map<Goal, Set<Integer>> members = new HashMap<>();
        Map<Goal, Set<Integer>> anywhere = new HashMap<>();
        Map<Goal, Set<Integer>> leaders = new HashMap<>();
        Map<Goal, Set<Integer>> mirrors = new HashMap<>();
        for (Goal goal : target.goals()) {
            members.put(goal, goal.roles().keySet());
            anywhere.put(goal, in.keySet());
            leaders.put(goal, Set.of(goal.leader()));
            mirrors.put(
                    goal,
                    goal.roles().keySet().stream()
                            .filter(node -> goal.roles().get(node) == Role.MIRROR)
                            .collect(Collectors.toSet()));
        }
        require(
                !CheaperWay.exists(
                        members,
                        anywhere,
                        zones,
                        zoneLimit(),
                        shares(1),
                        (goal, node) -> array.stripe(goal.stripe()).on(node).isPresent() ? 0 : 1),
                "there is a way with fewer moves than " + moves(array, target));
        require(
                !CheaperWay.exists(
                        leaders,
                        mirrors,
                        zones,
                        1,
                        shares(1.0 / array.membersAStripe()),
                        (goal, node) -> leads(goal, node) ? 0 : 1),
                "there is a way with fewer changes of leaders");
    }

    private boolean leads(Goal goal, int node) {
        return array.stripe(goal.stripe())
                .leader()
                .filter(leader -> leader.node() == node)
                .isPresent();
    }
}
