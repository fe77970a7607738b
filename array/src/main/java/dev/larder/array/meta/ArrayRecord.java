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
import java.util.function.UnaryOperator;

/**
 * The desired state of an array: its nodes, and where its stripes are to be. The stripes' own groups report where they are.
 * Immutable; each change is the next version.
 *
 * @param version how many times the record was changed
 * @param nextNode the number that the next node gets: it was never given before
 * @param mirrors how many members of a stripe keep its store
 * @param witnesses how many other members a stripe has: 0 or 1
 * @param nodes the nodes, by number
 * @param goals the target of each stripe, by number
 */
public record ArrayRecord(
        long version, int nextNode, int mirrors, int witnesses, List<KnownNode> nodes, List<Goal> goals) {

    /** Creates a record; nodes and goals are sorted, and each number must come once. */
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
                throw new IllegalArgumentException("the goals do not match stripes 0 to " + (goals.size() - 1));
            }
        }
    }

    /** Returns the record of a new array: each stripe is to stay where it was made, led by its first member. */
    public static ArrayRecord founding(
            SortedMap<Integer, NodeAddresses> nodes, int mirrors, int witnesses, List<StripeMembers> made) {
        List<KnownNode> known = new ArrayList<>();
        nodes.forEach((number, addresses) ->
                known.add(new KnownNode(new Node(number, zone(number), 1, NodeState.IN), addresses)));
        List<Goal> goals = made.stream().map(ArrayRecord::goal).toList();
        return new ArrayRecord(0, nodes.lastKey() + 1, mirrors, witnesses, known, goals);
    }

    /** Returns the zone of a node for which no zone is given: no other node is in it. */
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

    /** Returns the target of the stripes. */
    public Target target() {
        return new Target(goals, 1);
    }

    /**
     * Returns the next record, with a further node, whose number is {@link #nextNode}.
     *
     * @throws IllegalArgumentException if the array has {@link Topology#NODES_MAX} nodes already, or the weight is out of range
     */
    public ArrayRecord adding(String zone, int weight, NodeAddresses addresses) {
        requireNodes(nodes.size() + 1);
        List<KnownNode> more = new ArrayList<>(nodes);
        more.add(new KnownNode(new Node(nextNode, zone, weight, NodeState.IN), addresses));
        return new ArrayRecord(version + 1, nextNode + 1, mirrors, witnesses, more, goals);
    }

    /**
     * Requires that a topology can have the nodes of this record. The constructor does not: a record that was agreed upon must be
     * read.
     *
     * @throws IllegalArgumentException if there are more than {@link Topology#NODES_MAX} nodes
     */
    public void requireNodes() {
        requireNodes(nodes.size());
    }

    private static void requireNodes(int count) {
        if (count > Topology.NODES_MAX) {
            throw new IllegalArgumentException(
                    "the array would have " + count + " nodes, but it has at most " + Topology.NODES_MAX);
        }
    }

    /** Returns the next record, with another state of a node. */
    public ArrayRecord withState(int number, NodeState state) {
        List<KnownNode> changed = nodes.stream()
                .map(node -> node.number() == number ? node.withState(state) : node)
                .toList();
        return new ArrayRecord(version + 1, nextNode, mirrors, witnesses, changed, goals);
    }

    /** Returns the next record, with other addresses of a node. */
    public ArrayRecord withAddresses(int number, NodeAddresses addresses) {
        List<KnownNode> changed = nodes.stream()
                .map(node -> node.number() == number ? node.withAddresses(addresses) : node)
                .toList();
        return new ArrayRecord(version + 1, nextNode, mirrors, witnesses, changed, goals);
    }

    /** Returns this record with the addresses of all nodes in another form. The version stays. */
    public ArrayRecord withAddresses(UnaryOperator<NodeAddresses> form) {
        List<KnownNode> changed = nodes.stream()
                .map(node -> node.withAddresses(form.apply(node.addresses())))
                .toList();
        return new ArrayRecord(version, nextNode, mirrors, witnesses, changed, goals);
    }

    /** Returns the next record, without a node that has no members. */
    public ArrayRecord without(int number) {
        List<KnownNode> left =
                nodes.stream().filter(node -> node.number() != number).toList();
        return new ArrayRecord(version + 1, nextNode, mirrors, witnesses, left, goals);
    }

    /** Returns this record with other goals. The version stays. */
    public ArrayRecord withGoals(List<Goal> others) {
        return new ArrayRecord(version, nextNode, mirrors, witnesses, nodes, others);
    }

    /** Returns this record in another version. */
    public ArrayRecord withVersion(long next) {
        return new ArrayRecord(next, nextNode, mirrors, witnesses, nodes, goals);
    }

    /**
     * Returns the present topology of the array.
     *
     * @param array its identity, from which the seed of random choices follows
     * @param stripes the present stripes
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
        return new Topology(seed(array), mirrors, witnesses, all, stripes);
    }

    /** Returns the seed of an array's random choices, which its identity determines. */
    public static long seed(UUID array) {
        return array.getMostSignificantBits() ^ array.getLeastSignificantBits();
    }
}
