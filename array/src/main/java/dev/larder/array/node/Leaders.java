package dev.larder.array.node;

import dev.larder.array.node.Leadership.Claim;
import dev.larder.array.node.Leadership.Here;
import dev.larder.array.ratis.LogEnd;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The leaders and members of stripes, as the other nodes report them. It is hearsay: only the leading node itself can be sure,
 * through its barrier. Thread-safe.
 */
final class Leaders {

    /** How long a node may be silent before it is taken for gone. */
    private static final long SILENCE_MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * For how long after its last report a member counts as one that takes entries. It may stand for seconds, or start again, while
     * it catches up.
     */
    private static final long TAKER_SILENCE_MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record Leader(int node, long term) {}

    /** The last report of a member that takes entries. */
    private record Taker(long kept, long nanos) {}

    private final LongSupplier nanoTime;
    private final Map<UUID, Leader> leaders = new ConcurrentHashMap<>();
    private final Map<UUID, Hearsay> members = new ConcurrentHashMap<>();
    private final Map<Integer, Map<UUID, Here>> here = new ConcurrentHashMap<>();
    private final Map<Integer, Long> heardNanos = new ConcurrentHashMap<>();
    private final Map<UUID, Map<Integer, Taker>> takers = new ConcurrentHashMap<>();

    Leaders(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Takes a node's report: it leads these stripes, and no others. A claim of an earlier term changes nothing. */
    void heard(int node, Leadership leadership) {
        long now = nanoTime.getAsLong();
        heardNanos.put(node, now);
        here.put(node, leadership.here());
        leadership.here().forEach((stripe, member) -> noteTaker(node, stripe, member, now));
        for (Claim claim : leadership.claims()) {
            leaders.merge(
                    claim.stripe(),
                    new Leader(node, claim.term()),
                    (known, told) -> told.term >= known.term ? told : known);
            if (claim.saysMembers()) {
                members.merge(claim.stripe(), new Hearsay(claim.term(), claim.members()), Hearsay::later);
            }
        }
        Set<UUID> claimed = leadership.claims().stream().map(Claim::stripe).collect(Collectors.toSet());
        leaders.entrySet().removeIf(known -> known.getValue().node == node && !claimed.contains(known.getKey()));
    }

    private void noteTaker(int node, UUID stripe, Here member, long now) {
        Map<Integer, Taker> ofStripe = takers.computeIfAbsent(stripe, id -> new ConcurrentHashMap<>());
        if (member.takesEntries()) {
            ofStripe.put(node, new Taker(member.kept(), now));
        } else {
            ofStripe.remove(node);
        }
    }

    /** Takes a node for gone until it is heard of again: its process has ended. */
    void gone(int node) {
        heardNanos.remove(node);
    }

    /** Returns where the log of a node's member ends, by its last report. */
    LogEnd end(int node, UUID stripe) {
        Here member = here.getOrDefault(node, Map.of()).get(stripe);
        return member == null || !isThere(node) ? LogEnd.NONE : member.end();
    }

    /** Returns the node that leads a stripe; empty if no leader is known that is there. */
    OptionalInt leader(UUID stripe) {
        Leader leader = leaders.get(stripe);
        return leader == null || !isThere(leader.node) ? OptionalInt.empty() : OptionalInt.of(leader.node);
    }

    /** Returns the members of a stripe, as reported by the last of its leaders that was heard. */
    Optional<Hearsay> members(UUID stripe) {
        return Optional.ofNullable(members.get(stripe));
    }

    /** Returns whether a node has reported a short time ago that its member of a stripe runs. */
    boolean hasMember(int node, UUID stripe) {
        Here member = here.getOrDefault(node, Map.of()).get(stripe);
        return isThere(node) && member != null && member.runs();
    }

    /**
     * Returns the lowest entry up to which stores of a stripe are durable on other nodes, by their last reports.
     *
     * @param members the nodes of its members: one without a report may need each entry
     */
    long lowestKept(UUID stripe, Collection<Integer> members) {
        long lowest = Long.MAX_VALUE;
        for (int node : members) {
            Here member = here.getOrDefault(node, Map.of()).get(stripe);
            lowest = Math.min(lowest, member == null ? -1 : member.kept());
        }
        for (Map.Entry<Integer, Map<UUID, Here>> node : here.entrySet()) {
            Here member = node.getValue().get(stripe);
            if (member != null && isThere(node.getKey())) { // it may be about to join
                lowest = Math.min(lowest, member.kept());
            }
        }
        return lowest;
    }

    /** Returns the entry up to which the member of a node has applied all, by its last report; empty if there is none. */
    OptionalLong applied(int node, UUID stripe) {
        Here member = here.getOrDefault(node, Map.of()).get(stripe);
        return member == null || member.applied() < 0 ? OptionalLong.empty() : OptionalLong.of(member.applied());
    }

    /**
     * Returns the lowest entry up to which a store of a stripe is durable on another node, among members that take entries: they
     * run, or their files are pulled. A member that has ended does not count. It may stay so until its node starts again, and the
     * logs of the others would grow for as long.
     */
    long lowestOfTakers(UUID stripe) {
        long now = nanoTime.getAsLong();
        return takers.getOrDefault(stripe, Map.of()).values().stream()
                .filter(taker -> now - taker.nanos < TAKER_SILENCE_MOST_NANOS)
                .mapToLong(Taker::kept)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns the nodes whose members of a stripe run and have a store, in order. */
    List<Integer> running(UUID stripe) {
        return here.keySet().stream()
                .filter(node -> hasMember(node, stripe) && !isWitness(node, stripe))
                .sorted()
                .toList();
    }

    /** Returns whether a node's last report says that its member of a stripe has no store. */
    boolean isWitness(int node, UUID stripe) {
        Here member = here.getOrDefault(node, Map.of()).get(stripe);
        return member != null && member.isWitness();
    }

    /** Returns whether a node was heard of a short time ago. */
    boolean isThere(int node) {
        Long heard = heardNanos.get(node);
        return heard != null && nanoTime.getAsLong() - heard < SILENCE_MOST_NANOS;
    }
}
