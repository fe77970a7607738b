package dev.larder.server.store;

import dev.larder.log.NotInMemoryException;
import dev.larder.map.LarderMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A batch of keys that a policy may evict, with the first to evict in front. */
final class EvictionBatch {

    /** The smallest number of keys that are compared. */
    static final int KEYS = 64;

    /** One key in this many may be evicted at once. */
    private static final int SHARE = 8;

    private record Candidate(Bytes key, boolean used, long rank) {

        Candidate withUse(boolean taken) {
            return new Candidate(key, taken, rank);
        }
    }

    private final LarderMap<Bytes, Bytes> strings;
    private final EvictionPolicy policy;
    private final List<Candidate> candidates = new ArrayList<>();

    EvictionBatch(LarderMap<Bytes, Bytes> strings, EvictionPolicy policy) {
        this.strings = strings;
        this.policy = policy;
    }

    /** Adds a key. This does not clear the key's use: a scan that meets a key which is not in memory begins again. */
    void add(Bytes key) {
        Optional<Instant> expiry = policy.isOnlyVolatile() ? strings.expiry(key) : Optional.empty();
        if (policy.isOnlyVolatile() && expiry.isEmpty()) {
            return;
        }
        switch (policy.order()) {
            case ANY -> candidates.add(new Candidate(key, false, 0));
            case UNUSED -> candidates.add(new Candidate(key, false, strings.version(key)));
            case DEADLINE ->
                candidates.add(new Candidate(
                        key, false, expiry.map(Instant::toEpochMilli).orElse(Long.MAX_VALUE)));
        }
    }

    /** Returns the keys to evict, at least one if there are any. Clears the uses of all keys that were added. */
    List<Bytes> worst() {
        if (policy.asksUses()) {
            candidates.replaceAll(candidate -> candidate.withUse(takeUse(candidate.key)));
        }
        candidates.sort(Comparator.comparing(Candidate::used).thenComparingLong(Candidate::rank));
        int count = (candidates.size() + SHARE - 1) / SHARE;
        return candidates.subList(0, count).stream().map(Candidate::key).toList();
    }

    private boolean takeUse(Bytes key) {
        try {
            return strings.takeUse(key);
        } catch (NotInMemoryException e) {
            return true; // it has just left memory: its use is still noted, so it stays for now
        }
    }
}
