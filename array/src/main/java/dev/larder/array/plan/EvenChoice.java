package dev.larder.array.plan;

import java.util.List;

/**
 * Gives several choosers some of several options each, at the least cost, as members of stripes are given to nodes. Each option
 * is chosen a bounded number of times, and a chooser takes a bounded number of options of a zone.
 *
 * <p>It is a flow from the source to choosers, zones of a chooser, options, and the sink. The least amount of an option flows to
 * the sink directly, the rest through one more place. As the needed amounts fit exactly, all direct arcs are full in the end.
 */
final class EvenChoice {

    /** The cost of an option that a chooser may not take. */
    static final long FORBIDDEN = -1;

    private final List<Bounds> options;
    private final int zoneLimit;
    private final int zones;

    /**
     * The number of times that an option is chosen.
     *
     * @param zone the number of its zone, from 0 on
     * @param least the least number of times
     * @param most the greatest number of times, at least {@code least}
     */
    record Bounds(int zone, int least, int most) {

        /** Returns bounds from the share of an option: the whole numbers around it. */
        static Bounds around(int zone, Fraction share) {
            return new Bounds(zone, share.floor(), share.ceiling());
        }
    }

    /** Creates a choice with at most so many options of a zone for each chooser. */
    EvenChoice(List<Bounds> options, int zoneLimit) {
        this.options = options;
        this.zoneLimit = zoneLimit;
        this.zones = 1 + options.stream().mapToInt(Bounds::zone).max().orElse(0);
    }

    /**
     * Returns which options each chooser has.
     *
     * @param each how many options a chooser takes
     * @param costs the cost of an option, by chooser and option, or {@link #FORBIDDEN}
     * @throws IllegalStateException if the bounds cannot be met
     */
    boolean[][] choose(int each, long[][] costs) {
        int choosers = costs.length;
        int amount = choosers * each;
        int source = 0;
        int firstZone = 1 + choosers;
        int firstOption = firstZone + choosers * zones;
        int spare = firstOption + options.size();
        int sink = spare + 1;
        Flow flow = new Flow(sink + 1);
        int[][] arcs = new int[choosers][options.size()];
        for (int chooser = 0; chooser < choosers; chooser++) {
            flow.arc(source, 1 + chooser, each, 0);
            for (int zone = 0; zone < zones; zone++) {
                flow.arc(1 + chooser, firstZone + chooser * zones + zone, zoneLimit, 0);
            }
            for (int option = 0; option < options.size(); option++) {
                int zone = firstZone + chooser * zones + options.get(option).zone();
                boolean allowed = costs[chooser][option] != FORBIDDEN;
                arcs[chooser][option] =
                        flow.arc(zone, firstOption + option, allowed ? 1 : 0, Math.max(0, costs[chooser][option]));
            }
        }
        int needed = 0;
        for (int option = 0; option < options.size(); option++) {
            Bounds bounds = options.get(option);
            flow.arc(firstOption + option, sink, bounds.least(), 0);
            flow.arc(firstOption + option, spare, bounds.most() - bounds.least(), 0);
            needed += bounds.least();
        }
        flow.arc(spare, sink, amount - needed, 0);
        if (needed > amount || flow.send(source, sink, amount) < amount) {
            throw new IllegalStateException(choosers + " choosers cannot take " + each + " of " + options);
        }
        return chosen(flow, arcs);
    }

    private static boolean[][] chosen(Flow flow, int[][] arcs) {
        boolean[][] chosen = new boolean[arcs.length][];
        for (int chooser = 0; chooser < arcs.length; chooser++) {
            chosen[chooser] = new boolean[arcs[chooser].length];
            for (int option = 0; option < arcs[chooser].length; option++) {
                chosen[chooser][option] = flow.through(arcs[chooser][option]) > 0;
            }
        }
        return chosen;
    }
}
