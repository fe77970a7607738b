package dev.larder.array.plan;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A stripe in its present state.
 *
 * @param number its number, from 0 on
 * @param members its members, by name; each node has at most one that is not lost
 * @param leader the member that leads; empty while there is none
 * @param epoch how often its members have changed: a step planned for another epoch is void
 * @param incarnations for each node that ever had a member, the number of its last one
 */
public record Stripe(
        int number, List<Member> members, Optional<MemberName> leader, long epoch, Map<Integer, Integer> incarnations) {

    /** Creates a stripe; members are sorted, and each is known to {@link #incarnations}. */
    public Stripe {
        members = members.stream()
                .sorted(Comparator.comparingInt(Member::node)
                        .thenComparingInt(member -> member.name().incarnation()))
                .toList();
        Map<Integer, Integer> last = new TreeMap<>(incarnations);
        members.forEach(member -> last.merge(member.node(), member.name().incarnation(), Math::max));
        incarnations = Map.copyOf(last);
        requireOneANode(number, members);
    }

    private static void requireOneANode(int number, List<Member> members) {
        Set<Integer> nodes = new TreeSet<>();
        for (Member member : members) {
            if (!member.isLost() && !nodes.add(member.node())) {
                throw new IllegalArgumentException(
                        "stripe " + number + " has two members on node " + member.node() + ": " + members);
            }
        }
    }

    /** Returns a stripe that has no members yet. */
    public static Stripe empty(int number) {
        return new Stripe(number, List.of(), Optional.empty(), 0, Map.of());
    }

    /** Returns the member of a node; empty if the node has none, or has lost it. */
    public Optional<Member> on(int node) {
        for (Member member : members) {
            if (member.node() == node && !member.isLost()) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    /** Returns a member by its name. */
    public Optional<Member> member(MemberName name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    /** Returns the members that vote, including lost ones. */
    public Stream<Member> voters() {
        return members.stream().filter(Member::votes);
    }

    /** Returns the name of the next member of a node: none of its earlier members had it. */
    public MemberName nextName(int node) {
        return new MemberName(node, incarnations.getOrDefault(node, -1) + 1);
    }

    /** Returns the stripe with other members, in the next epoch. */
    Stripe withMembers(Collection<Member> next) {
        return new Stripe(number, List.copyOf(next), leader, epoch + 1, incarnations);
    }

    /** Returns the stripe with another leader. */
    public Stripe withLeader(Optional<MemberName> next) {
        return new Stripe(number, members, next, epoch, incarnations);
    }

    /** Returns the stripe with a member in another condition. A lost member does not lead. */
    public Stripe with(MemberName name, Condition condition) {
        List<Member> next = new ArrayList<>();
        members.forEach(member -> next.add(member.name().equals(name) ? member.with(condition) : member));
        boolean leads = condition == Condition.LOST && leader.equals(Optional.of(name));
        return new Stripe(number, next, leads ? Optional.empty() : leader, epoch, incarnations);
    }
}
