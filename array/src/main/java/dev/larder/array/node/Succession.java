package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.ratis.LogEnd;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which members stand for election once the process of a stripe's leader has ended. The longest log is first: voters
 * refuse a shorter one. A refused candidate delays the others, since its vote has begun a term. In that term Ratis 3.3.0 lets no
 * member stand before the time-outs. A witness stands after mirrors whose log ends where its own does: it would only hand over.
 */
final class Succession {

    private Succession() {}

    /**
     * Returns how many members stand before a given one.
     *
     * @param stripe the number of the stripe: the order among equals differs between stripes
     * @param ends the ends of the logs of all members that may stand
     * @param witnesses the members that keep no store
     */
    static int turn(int stripe, MemberName member, Map<MemberName, LogEnd> ends, Set<MemberName> witnesses) {
        List<MemberName> places = ends.keySet().stream()
                .sorted(Comparator.comparingInt(MemberName::node))
                .toList();
        return places.stream()
                .sorted(Comparator.comparing((MemberName one) -> ends.getOrDefault(one, LogEnd.NONE))
                        .reversed()
                        .thenComparing(witnesses::contains)
                        .thenComparingInt(one -> Math.floorMod(places.indexOf(one) - stripe, places.size())))
                .toList()
                .indexOf(member);
    }
}
