package dev.larder.array.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The present state of an array: its nodes, its stripes, and their members on the nodes.
 *
 * @param seed the seed of random choices: drawn when the array is made, and constant afterwards
 * @param mirrors how many mirrors a stripe has
 * @param witnesses how many witnesses a stripe has, 0 or 1
 * @param nodes the nodes, by number
 * @param stripes the stripes, by number, fixed when the array is made
 */
public record Topology(long seed, int mirrors, int witnesses, List<Node> nodes, List<Stripe> stripes) {

    /** The greatest number of nodes. */
    public static final int NODES_MAX = 256;

    /** The greatest number of members of all stripes. */
    public static final int MEMBERS_MAX = 2048;

    /** Creates a topology; members of lost nodes are lost as well. */
    public Topology {
        if (mirrors < 1 || witnesses < 0 || witnesses > 1 || (witnesses > 0 && mirrors < 2)) {
            throw new IllegalArgumentException(mirrors + " mirrors and " + witnesses
                    + " witnesses: a stripe has at least 1 mirror and no" + " witness, or at least 2 and 1");
        }
        if (nodes.size() > NODES_MAX) {
            throw new IllegalArgumentException(nodes.size() + " nodes are more than " + NODES_MAX);
        }
        if (stripes.size() * (long) (mirrors + witnesses) > MEMBERS_MAX) {
            throw new IllegalArgumentException(stripes.size() + " stripes of " + (mirrors + witnesses)
                    + " members have more than " + MEMBERS_MAX + " members");
        }
        nodes = nodes.stream().sorted(Comparator.comparingInt(Node::number)).toList();
        requireDistinct("node", nodes.stream().map(Node::number).toList());
        requireDistinct("stripe", stripes.stream().map(Stripe::number).toList());
        Map<Integer, NodeState> states = nodes.stream().collect(Collectors.toMap(Node::number, Node::state));
        stripes = stripes.stream()
                .sorted(Comparator.comparingInt(Stripe::number))
                .map(stripe -> withLosses(stripe, states))
                .toList();
    }

    private static void requireDistinct(String what, List<Integer> numbers) {
        Set<Integer> distinct = Set.copyOf(numbers);
        if (distinct.size() < numbers.size()) {
            throw new IllegalArgumentException("a number of a " + what + " comes twice: " + numbers);
        }
    }

    private static Stripe withLosses(Stripe stripe, Map<Integer, NodeState> states) {
        Stripe known = stripe;
        for (Member member : stripe.members()) {
            NodeState state = states.get(member.node());
            if (state == null) {
                throw new IllegalArgumentException("stripe " + stripe.number() + " has member " + member.name()
                        + ", but there is no node " + member.node());
            }
            if (state == NodeState.LOST && !member.isLost()) {
                known = known.with(member.name(), Condition.LOST);
            }
        }
        return known;
    }

    /** Returns how many members a stripe is to have. */
    public int membersAStripe() {
        return mirrors + witnesses;
    }

    /** Returns the nodes that are to have members. */
    public List<Node> nodesIn() {
        return nodes.stream().filter(node -> node.state() == NodeState.IN).toList();
    }

    /** Returns a node by its number. */
    public Optional<Node> node(int number) {
        return nodes.stream().filter(node -> node.number() == number).findFirst();
    }

    /** Returns a stripe by its number. */
    public Stripe stripe(int number) {
        for (Stripe stripe : stripes) {
            if (stripe.number() == number) {
                return stripe;
            }
        }
        throw new IllegalArgumentException("there is no stripe " + number + ": the stripes are "
                + stripes.stream().map(Stripe::number).toList());
    }

    /** Returns the topology with a node added, or replaced if its number exists. */
    public Topology with(Node node) {
        List<Node> next = new ArrayList<>(nodes);
        next.removeIf(other -> other.number() == node.number());
        next.add(node);
        return new Topology(seed, mirrors, witnesses, next, stripes);
    }

    /** Returns the topology with the stripe of the same number replaced. */
    public Topology with(Stripe stripe) {
        return withStripes(other -> other.number() == stripe.number() ? stripe : other);
    }

    /** Returns the topology with a change applied to each stripe. */
    public Topology withStripes(UnaryOperator<Stripe> change) {
        return new Topology(
                seed, mirrors, witnesses, nodes, stripes.stream().map(change).toList());
    }

    /** Returns the topology after some steps, each of which concerns another stripe. */
    public Topology after(List<Step> steps) {
        Map<Integer, Step> ofStripes = steps.stream().collect(Collectors.toMap(Step::stripe, step -> step));
        return withStripes(stripe -> {
            Step step = ofStripes.get(stripe.number());
            return step == null ? stripe : step.appliedTo(stripe);
        });
    }
}
