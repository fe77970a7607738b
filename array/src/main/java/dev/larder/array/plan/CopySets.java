package dev.larder.array.plan;

import dev.larder.array.plan.EvenChoice.Bounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The sets of nodes on which stripes should lie. If the nodes of a set are lost together, so are its stripes: fewer sets make a
 * loss less likely (Cidon et al., Copysets: reducing the frequency of data loss in cloud storage, USENIX ATC 2013). But the
 * neighbours of a node take over its load, and more sets mean more neighbours. A node is in {@value #SETS_A_NODE} sets, or in as
 * many as a stripe has members, in proportion to its weight. Three mirrors then have four to six neighbours. If as many nodes
 * fail together as a stripe has members, they share a stripe in 8 % of cases among ten nodes of 40 stripes, and not in 28 %.
 *
 * <p>Placement prefers these sets, but need not use them: balance and the number of moves come first.
 */
final class CopySets {

    /** How many sets a node is in, if these make whole sets. */
    static final int SETS_A_NODE = 2;

    private CopySets() {}

    /** Returns for each stripe which nodes are in its set. */
    static boolean[][] preferred(Topology topology, List<Node> nodes, ZoneNumbers zones) {
        int stripes = topology.stripes().size();
        int members = topology.membersAStripe();
        int sets = Math.min(stripes, sets(nodes.size(), members));
        boolean[][] nodesOfSets = zones.choice(nodes, Shares.of(nodes, sets, members, zones.limit()))
                .choose(members, draws(topology.seed(), sets, nodes));
        boolean[][] setOfStripes = new EvenChoice(
                        Collections.nCopies(sets, Bounds.around(0, new Fraction(stripes, sets))), 1)
                .choose(1, draws(topology, sets));
        List<boolean[]> preferred = new ArrayList<>();
        for (boolean[] chosen : setOfStripes) {
            int set = 0;
            while (!chosen[set]) {
                set++;
            }
            preferred.add(nodesOfSets[set]);
        }
        return preferred.toArray(boolean[][]::new);
    }

    /** Returns the number of sets: two a node, or as many a node as a set has members if two do not make whole sets. */
    private static int sets(int nodes, int members) {
        int all = SETS_A_NODE * nodes;
        return all % members == 0 ? all / members : nodes;
    }

    private static long[][] draws(long seed, int sets, List<Node> nodes) {
        long[][] draws = new long[sets][nodes.size()];
        for (int set = 0; set < sets; set++) {
            for (int index = 0; index < nodes.size(); index++) {
                Node node = nodes.get(index);
                draws[set][index] = Rendezvous.NODES_OF_SETS.draw(seed, set, node.number(), node.weight());
            }
        }
        return draws;
    }

    private static long[][] draws(Topology topology, int sets) {
        List<Stripe> stripes = topology.stripes();
        long[][] draws = new long[stripes.size()][sets];
        for (int index = 0; index < stripes.size(); index++) {
            for (int set = 0; set < sets; set++) {
                draws[index][set] = Rendezvous.SETS_OF_STRIPES.draw(
                        topology.seed(), stripes.get(index).number(), set, 1);
            }
        }
        return draws;
    }
}
