package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.Set;

/**
 * The voters of a stripe. While its members change, there are two sets, and each needs a majority.
 *
 * @param current the voters, or the future ones
 * @param previous the former voters, while both sets count; else empty
 */
public record Voters(Set<MemberName> current, Set<MemberName> previous) {

    /** Creates voters; the sets are copied. */
    public Voters {
        current = Set.copyOf(current);
        previous = Set.copyOf(previous);
    }

    /** Returns whether a member votes. */
    public boolean contains(MemberName member) {
        return current.contains(member) || previous.contains(member);
    }

    /** Returns whether some members are a majority of each set. Members that do not vote are not counted. */
    public boolean isMajority(Set<MemberName> members) {
        return isMajority(members, current) && (previous.isEmpty() || isMajority(members, previous));
    }

    private static boolean isMajority(Set<MemberName> members, Set<MemberName> of) {
        return 2 * of.stream().filter(members::contains).count() > of.size();
    }
}
