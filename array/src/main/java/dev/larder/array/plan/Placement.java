package dev.larder.array.plan;

import dev.larder.array.plan.EvenChoice.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The target of a topology's stripes. It has the fewest new members. Among such targets it has the fewest nodes outside of the
 * stripes' copy sets, and rendezvous hashing decides between the rest. Members are chosen first, then witnesses among them, then
 * leaders among the mirrors, each with the fewest changes.
 *
 * <p>Nodes have their shares of members, rounded up or down. A stripe's leader is one of its m members. So nodes have an m-th of
 * their shares of leaders, rounded. This is always possible, since a stripe could be led by an m-th of each member, and hence it
 * is possible with whole leaders. The same holds for witnesses.
 *
 * <p>The drawn numbers make one way the best of all (but for chances of one in millions). A step towards it makes it cheaper by
 * one change, and no other way by more. So it stays the best, and planning again half-way leads to the same end.
 */
final class Placement {

    /** The cost of a change. It exceeds the sum of all numbers that may be drawn for the most members. */
    private static final long CHANGE = Topology.MEMBERS_MAX * 2 * Rendezvous.LIMIT;

    private final Topology topology;
    private final List<Node> nodes;
    private final ZoneNumbers zones;
    private final Map<Integer, Fraction> shares;

    private Placement(Topology topology) {
        this.topology = topology;
        nodes = topology.nodesIn();
        int members = topology.membersAStripe();
        if (nodes.size() < members) {
            throw new IllegalArgumentException("a stripe has " + members + " members, each on another node, but only "
                    + nodes.size() + " nodes take members");
        }
        zones = new ZoneNumbers(nodes, members);
        shares = Shares.of(nodes, topology.stripes().size(), members, zones.limit());
    }

    /**
     * Returns the target of the stripes.
     *
     * @throws IllegalArgumentException if there are fewer nodes than a stripe has members
     */
    static Target of(Topology topology) {
        return new Placement(topology).target();
    }

    private Target target() {
        boolean[][] members = zones.choice(nodes, shares).choose(topology.membersAStripe(), memberCosts());
        boolean[][] witnesses = witnesses(members);
        boolean[][] mirrors = without(members, witnesses);
        boolean[][] leaders = one(
                Rendezvous.LEADERS,
                mirrors,
                leaderBounds(),
                (stripe, node) ->
                        stripe.leader().filter(leader -> leader.node() == node).isPresent());
        List<Goal> goals = new ArrayList<>();
        for (int stripe = 0; stripe < members.length; stripe++) {
            goals.add(goal(stripe, members[stripe], witnesses[stripe], leaders[stripe]));
        }
        return new Target(goals, zones.limit());
    }

    /** A test whether a stripe already uses a node in the role in question. */
    private interface AsItIs {
        boolean test(Stripe stripe, int node);
    }

    private long[][] memberCosts() {
        boolean[][] preferred = CopySets.preferred(topology, nodes, zones);
        long[][] costs = new long[topology.stripes().size()][nodes.size()];
        for (int index = 0; index < costs.length; index++) {
            Stripe stripe = topology.stripes().get(index);
            for (int option = 0; option < nodes.size(); option++) {
                Node node = nodes.get(option);
                costs[index][option] =
                        Rendezvous.NODES_OF_STRIPES.draw(topology.seed(), stripe.number(), node.number(), node.weight())
                                + (preferred[index][option] ? 0 : Rendezvous.LIMIT)
                                + (stripe.on(node.number()).isPresent() ? 0 : CHANGE);
            }
        }
        return costs;
    }

    private boolean[][] witnesses(boolean[][] members) {
        if (topology.witnesses() == 0) {
            return new boolean[members.length][nodes.size()];
        }
        List<Bounds> bounds = new ArrayList<>();
        for (int option = 0; option < nodes.size(); option++) {
            int count = 0;
            for (boolean[] chosen : members) {
                count += chosen[option] ? 1 : 0;
            }
            bounds.add(Bounds.around(0, new Fraction(count, topology.membersAStripe())));
        }
        return one(
                Rendezvous.WITNESSES,
                members,
                bounds,
                (stripe, node) -> stripe.on(node)
                        .filter(member -> member.role() == Role.WITNESS)
                        .isPresent());
    }

    private List<Bounds> leaderBounds() {
        List<Bounds> bounds = new ArrayList<>();
        shares.forEach((node, share) -> bounds.add(Bounds.around(0, share.by(topology.membersAStripe()))));
        return bounds;
    }

    /** Chooses one of the candidates of each stripe, with the fewest changes. */
    private boolean[][] one(Rendezvous purpose, boolean[][] candidates, List<Bounds> bounds, AsItIs asItIs) {
        long[][] costs = new long[candidates.length][nodes.size()];
        for (int index = 0; index < costs.length; index++) {
            Stripe stripe = topology.stripes().get(index);
            for (int option = 0; option < nodes.size(); option++) {
                int node = nodes.get(option).number();
                long cost = purpose.draw(topology.seed(), stripe.number(), node, 1)
                        + (asItIs.test(stripe, node) ? 0 : CHANGE);
                costs[index][option] = candidates[index][option] ? cost : EvenChoice.FORBIDDEN;
            }
        }
        return new EvenChoice(bounds, 1).choose(1, costs);
    }

    private static boolean[][] without(boolean[][] all, boolean[][] some) {
        boolean[][] others = new boolean[all.length][];
        for (int index = 0; index < all.length; index++) {
            others[index] = all[index].clone();
            for (int option = 0; option < others[index].length; option++) {
                others[index][option] &= !some[index][option];
            }
        }
        return others;
    }

    private Goal goal(int index, boolean[] members, boolean[] witness, boolean[] leader) {
        Map<Integer, Role> roles = new HashMap<>();
        int leads = -1;
        for (int option = 0; option < members.length; option++) {
            int node = nodes.get(option).number();
            if (members[option]) {
                roles.put(node, witness[option] ? Role.WITNESS : Role.MIRROR);
            }
            leads = leader[option] ? node : leads;
        }
        return new Goal(topology.stripes().get(index).number(), roles, leads);
    }
}
