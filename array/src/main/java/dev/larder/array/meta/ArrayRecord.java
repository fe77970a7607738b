package dev.larder.array.meta;

import dev.larder.array.MemberName;
import dev.larder.array.NodeAddresses;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Role;
import dev.larder.array.plan.Stripe;
import dev.larder.array.plan.Target;
import dev.larder.array.plan.Topology;
import dev.larder.array.slots.StripeMembers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What is wished of an array: which nodes there are, and where the stripes are to be. Where they are is told by their own groups.
 * Immutable; each change is the next version.
 *
 * @param version how often it was changed
 * @param nextNode the number that the next node gets: none that was ever given
 * @param mirrors how many members of a stripe keep its store
 * @param witnesses how many others it has: 0 or 1
 * @param nodes the nodes, by number
 * @param goals where each stripe is to be, by number
 */
public record ArrayRecord(
        long version, int nextNode, int mirrors, int witnesses, List<KnownNode> nodes, List<Goal> goals) {

    /** A record; nodes and goals are sorted, and each number comes once. */
    public ArrayRecord {
        nodes = nodes.stream()
                .sorted(Comparator.comparingInt(KnownNode::number))
                .toList();
        goals = goals.stream().sorted(Comparator.comparingInt(Goal::stripe)).toList();
        for (int i = 0; i < nodes.size(); i++) {
            int number = nodes.get(i).number();
            if (number >= nextNode || (i > 0 && nodes.get(i - 1).number() == number)) {
                throw new IllegalArgumentException(
                        "node " + number + " comes twice, or is not below the next number, " + nextNode);
            }
        }
        for (int i = 0; i < goals.size(); i++) {
            if (goals.get(i).stripe() != i) {
                throw new IllegalArgumentException("the goals are not those of stripes 0 to " + (goals.size() - 1));
            }
        }
    }

    /** Returns the record of a new array: each stripe is to be where it was made, and its first member is to lead. */
    public static ArrayRecord founding(
            SortedMap<Integer, NodeAddresses> nodes, int mirrors, int witnesses, List<StripeMembers> made) {
        List<KnownNode> known = new ArrayList<>();
        nodes.forEach((number, addresses) ->
                known.add(new KnownNode(new Node(number, zone(number), 1, NodeState.IN), addresses)));
        List<Goal> goals = made.stream().map(ArrayRecord::goal).toList();
        return new ArrayRecord(0, nodes.lastKey() + 1, mirrors, witnesses, known, goals);
    }

    /** Returns the zone of a node of which nothing else is said: no other node stands there. */
    public static String zone(int node) {
        return "node" + node;
    }

    private static Goal goal(StripeMembers made) {
        Map<Integer, Role> roles = new TreeMap<>();
        made.members().forEach(member -> roles.put(member.node(), made.isWitness(member) ? Role.WITNESS : Role.MIRROR));
        return new Goal(made.number(), roles, made.members().getFirst().node());
    }

    /** Returns a node by its number. */
    public Optional<KnownNode> node(int number) {
        return nodes.stream().filter(node -> node.number() == number).findFirst();
    }

    /** Returns where the stripes are to be. */
    public Target target() {
        return new Target(goals, 1);
    }

    /** Returns the next record, with one node more, whose number is {@link #nextNode}. */
    public ArrayRecord adding(String zone, int weight, NodeAddresses addresses) {
        List<KnownNode> more = new ArrayList<>(nodes);
        more.add(new KnownNode(new Node(nextNode, zone, weight, NodeState.IN), addresses));
        return new ArrayRecord(version + 1, nextNode + 1, mirrors, witnesses, more, goals);
    }

    /** Returns the next record, in which a node is to have members, or not. */
    public ArrayRecord withState(int number, NodeState state) {
        List<KnownNode> changed = nodes.stream()
                .map(node -> node.number() == number ? node.withState(state) : node)
                .toList();
        return new ArrayRecord(version + 1, nextNode, mirrors, witnesses, changed, goals);
    }

    /** Returns the next record, in which a node listens elsewhere. */
    public ArrayRecord withAddresses(int number, NodeAddresses addresses) {
        List<KnownNode> changed = nodes.stream()
                .map(node -> node.number() == number ? node.withAddresses(addresses) : node)
                .toList();
        return new ArrayRecord(version + 1, nextNode, mirrors, witnesses, changed, goals);
    }

    /** Returns the next record, without a node that has no members. */
    public ArrayRecord without(int number) {
        List<KnownNode> left =
                nodes.stream().filter(node -> node.number() != number).toList();
        return new ArrayRecord(version + 1, nextNode, mirrors, witnesses, left, goals);
    }

    /** Returns this record, in which the stripes are to be elsewhere. The version stays. */
    public ArrayRecord withGoals(List<Goal> others) {
        return new ArrayRecord(version, nextNode, mirrors, witnesses, nodes, others);
    }

    /** Returns this record in another version. */
    public ArrayRecord withVersion(long next) {
        return new ArrayRecord(next, nextNode, mirrors, witnesses, nodes, goals);
    }

    /**
     * Returns the array as it is.
     *
     * @param array its identity, from which follows what chance follows
     * @param stripes the stripes as they are
     */
    public Topology topology(UUID array, List<Stripe> stripes) {
        List<Node> all = new ArrayList<>(nodes.stream().map(KnownNode::node).toList());
        stripes.stream()
                .flatMap(stripe -> stripe.members().stream())
                .map(member -> member.name())
                .mapToInt(MemberName::node)
                .distinct()
                .filter(number -> node(number).isEmpty())
                .forEach(number -> all.add(new Node(number, zone(number), 1, NodeState.LEAVING)));
        return new Topology(
                array.getMostSignificantBits() ^ array.getLeastSignificantBits(), mirrors, witnesses, all, stripes);
    }
}
