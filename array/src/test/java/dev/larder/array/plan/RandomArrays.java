package dev.larder.array.plan;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random arrays in the midst of their lives: nodes have come, gone and been lost, and plans were left half-way. Each stripe has a
 * majority and a leader, and enough nodes are in.
 */
final class RandomArrays {

    private final Random random;
    private final int nodesMost;
    private final int stripesMost;

    RandomArrays(long seed, int nodesMost, int stripesMost) {
        this.random = new Random(seed);
        this.nodesMost = nodesMost;
        this.stripesMost = stripesMost;
    }

    /** Returns an array. */
    Topology next() {
        Topology array = random.nextInt(4) == 0 ? scattered() : Planner.create(empty());
        for (int event = random.nextInt(4); event >= 0; event--) {
            Topology changed = afterEvent(array);
            array = isSound(changed) ? changed : array;
            array = random.nextBoolean() ? array : halfWay(array);
        }
        return array;
    }

    private Topology empty() {
        int mirrors = List.of(1, 2, 3, 3, 3, 3, 4, 5).get(random.nextInt(8));
        int witnesses = mirrors == 2 && random.nextInt(4) > 0 ? 1 : 0;
        int members = mirrors + witnesses;
        int nodes = members + random.nextInt(Math.max(1, nodesMost - members + 1));
        int zones = 1 + random.nextInt(nodes);
        int weightMost = List.of(1, 1, 4, 100).get(random.nextInt(4));
        List<Node> all = IntStream.range(0, nodes)
                .mapToObj(number -> node(number, zones, weightMost))
                .toList();
        List<Stripe> stripes = IntStream.range(0, 1 + random.nextInt(stripesMost))
                .mapToObj(Stripe::empty)
                .toList();
        return new Topology(random.nextLong(), mirrors, witnesses, all, stripes);
    }

    private Node node(int number, int zones, int weightMost) {
        int zone = random.nextBoolean() ? number % zones : random.nextInt(zones);
        return new Node(number, "zone" + zone, 1 + random.nextInt(weightMost), NodeState.IN);
    }

    /** Returns an array with members placed anywhere, as if by hand. */
    private Topology scattered() {
        Topology array = empty();
        return array.withStripes(stripe -> {
            List<Node> nodes = new ArrayList<>(array.nodes());
            Collections.shuffle(nodes, random);
            List<Member> members = new ArrayList<>();
            for (Node node : nodes.subList(0, array.membersAStripe())) {
                Role role = members.size() < array.mirrors() ? Role.MIRROR : Role.WITNESS;
                members.add(new Member(new MemberName(node.number(), 0), role, true, Condition.CURRENT));
            }
            return stripe.withMembers(members)
                    .withLeader(Optional.of(members.getFirst().name()));
        });
    }

    private Topology afterEvent(Topology array) {
        Node node = array.nodes().get(random.nextInt(array.nodes().size()));
        return switch (random.nextInt(8)) {
            case 0, 1 -> array.with(node(array.nodes().size(), array.nodes().size(), 4));
            case 2 -> array.with(node.withState(NodeState.LEAVING));
            case 3 -> elected(array.with(node.withState(NodeState.LOST)));
            case 4 -> array.with(node.withWeight(1 + random.nextInt(4)));
            case 5 -> elected(withoutZone(array, node.zone()));
            case 6 -> elected(withoutFiles(array, node));
            default -> replaced(array, node);
        };
    }

    private static Topology withoutZone(Topology array, String zone) {
        Topology left = array;
        for (Node node : array.nodes()) {
            left = node.zone().equals(zone) ? left.with(node.withState(NodeState.LOST)) : left;
        }
        return left;
    }

    /** Returns the array after a node's disk was replaced: the node continues with new members. */
    private static Topology withoutFiles(Topology array, Node node) {
        return array.withStripes(stripe -> stripe.on(node.number())
                .map(member -> stripe.with(member.name(), Condition.LOST))
                .orElse(stripe));
    }

    private Topology replaced(Topology array, Node node) {
        Node next = new Node(array.nodes().size(), node.zone(), node.weight(), NodeState.IN);
        return elected(array.with(node.withState(NodeState.LOST)).with(next));
    }

    /** Returns the array with a leader for each stripe that can have one. */
    private Topology elected(Topology array) {
        return array.withStripes(stripe -> {
            List<Member> able =
                    stripe.members().stream().filter(Member::canLead).toList();
            return stripe.leader().isPresent() || able.isEmpty()
                    ? stripe
                    : stripe.withLeader(
                            Optional.of(able.get(random.nextInt(able.size())).name()));
        });
    }

    /** Returns the array after some steps of a plan. */
    private Topology halfWay(Topology array) {
        Target target = Planner.target(array);
        int movesAtOnce = 1 + random.nextInt(8);
        Topology left = array;
        for (int round = random.nextInt(8); round >= 0; round--) {
            List<Step> next = new ArrayList<>(NextSteps.of(left, target, movesAtOnce));
            next.removeIf(step -> random.nextInt(4) == 0);
            left = left.after(next);
        }
        return left;
    }

    private static boolean isSound(Topology array) {
        return array.nodesIn().size() >= array.membersAStripe()
                && array.stripes().stream()
                        .allMatch(stripe -> stripe.leader().isPresent()
                                && 2 * acknowledging(stripe) > stripe.voters().count());
    }

    private static long acknowledging(Stripe stripe) {
        return stripe.voters()
                .filter(member -> member.condition().acknowledges())
                .count();
    }
}
