package dev.larder.server.store;

import java.util.concurrent.atomic.LongAdder;

/** Counts how often reading commands found a key, and how often they did not. Thread-safe. */
public final class LookUps {

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** Counts the lookups of a command. */
    public void add(int found, int missed) {
        if (found > 0) {
            hits.add(found);
        }
        if (missed > 0) {
            misses.add(missed);
        }
    }

    /** Returns how often a key was there. */
    public long hits() {
        return hits.sum();
    }

    /** Returns how often a key was not there. */
    public long misses() {
        return misses.sum();
    }
}
