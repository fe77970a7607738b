package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.Set;

/**
 * Who votes in a stripe. While its members change, there are two sets, and each needs a majority.
 *
 * @param current the voters, or those that are to be
 * @param previous the voters that were, while both count; else empty
 */
public record Voters(Set<MemberName> current, Set<MemberName> previous) {

    /** Voters; the sets are copied. */
    public Voters {
        current = Set.copyOf(current);
        previous = Set.copyOf(previous);
    }

    /** Returns whether a member votes. */
    public boolean contains(MemberName member) {
        return current.contains(member) || previous.contains(member);
    }

    /** Returns whether some members are a majority of each set. Those that do not vote count nowhere. */
    public boolean isMajority(Set<MemberName> members) {
        return isMajority(members, current) && (previous.isEmpty() || isMajority(members, previous));
    }

    private static boolean isMajority(Set<MemberName> members, Set<MemberName> of) {
        return 2 * of.stream().filter(members::contains).count() > of.size();
    }
}
