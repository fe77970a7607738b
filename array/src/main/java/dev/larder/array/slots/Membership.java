package dev.larder.array.slots;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The members of a stripe, by an entry of its log.
 *
 * @param epoch the index of that entry; -1 for the members with which the stripe began
 * @param voters the members that vote
 * @param previous the former voters, while both sets count; else empty
 * @param listeners the members that receive entries, and do not vote
 * @param witnesses the members that keep the log, and no store
 */
public record Membership(
        long epoch,
        Set<MemberName> voters,
        Set<MemberName> previous,
        Set<MemberName> listeners,
        Set<MemberName> witnesses) {

    /** Creates a membership; the sets are copied. */
    public Membership {
        voters = Set.copyOf(voters);
        previous = Set.copyOf(previous);
        listeners = Set.copyOf(listeners);
        witnesses = Set.copyOf(witnesses);
    }

    /** Returns whether one set of voters counts, and not two. */
    public boolean isStable() {
        return previous.isEmpty();
    }

    /** Returns the voters of each set that counts. While two count, a voter of one of them is left out. */
    public Set<MemberName> votersOfAll() {
        Set<MemberName> both = new HashSet<>(voters);
        if (!isStable()) {
            both.retainAll(previous);
        }
        return Collections.unmodifiableSet(both);
    }

    /** Returns whether a member votes, or receives entries. */
    public boolean contains(MemberName member) {
        return voters.contains(member) || previous.contains(member) || listeners.contains(member);
    }

    /** Returns whether a member keeps the log, and no store. */
    public boolean isWitness(MemberName member) {
        return witnesses.contains(member);
    }

    /** Returns the nodes of all members in order, the voters' nodes first. */
    public List<Integer> nodes() {
        List<Integer> nodes = new ArrayList<>(numbers(voters));
        Set<Integer> others = numbers(previous);
        others.addAll(numbers(listeners));
        others.removeAll(nodes);
        nodes.addAll(others);
        return Collections.unmodifiableList(nodes);
    }

    /** Returns the nodes of the members that keep a store, in the same order. */
    public List<Integer> mirrors() {
        List<Integer> nodes = new ArrayList<>(nodes());
        nodes.removeAll(numbers(witnesses));
        return nodes;
    }

    private static Set<Integer> numbers(Set<MemberName> members) {
        Set<Integer> numbers = new TreeSet<>();
        members.forEach(member -> numbers.add(member.node()));
        return numbers;
    }
}
