package dev.larder.lab.database;

import java.util.BitSet;

/** What is in a store by now: how many records, and which of them are no longer as they were inserted first. */
final class RecordsByThen {

    private final BitSet replaced = new BitSet();
    private final long inserted;
    private long count;

    /** So many records, all as they were inserted. */
    RecordsByThen(long inserted) {
        this.inserted = inserted;
        count = inserted;
    }

    /** Returns how many there are. */
    long count() {
        return count;
    }

    /** Returns how many have come since all were inserted. */
    long added() {
        return count - inserted;
    }

    /** Says how many there are. */
    void grow(long newCount) {
        count = newCount;
    }

    /** Returns whether a record is another one than was inserted first: replaced, or new. */
    boolean isReplaced(long id) {
        return replaced.get(Math.toIntExact(id));
    }

    /** A record is another one from here on. */
    void replace(long id) {
        replaced.set(Math.toIntExact(id));
    }
}
