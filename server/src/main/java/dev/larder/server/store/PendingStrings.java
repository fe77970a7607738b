package dev.larder.server.store;

import dev.larder.map.pending.PendingValues;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Strings that were written before their keys, in records of a log of commands. When a running command puts a string, its
 * record is searched for that string. A string that is found becomes the value of its key and is not written again.
 *
 * <pre>
 * the map's log | pending: a = V, b = W | ... | a -> V |
 *                 written with the entry        written as SET a V is run
 * </pre>
 *
 * One thread at a time runs commands.
 */
public final class PendingStrings {

    /**
     * A string of a record.
     *
     * @param key its key
     * @param value the string
     */
    public record Part(Bytes key, Bytes value) {}

    private final PendingValues values;
    private long position;
    private List<Part> parts = List.of();

    /** The first part that no command has put yet. Parts are in the order of the commands. */
    private int next;

    PendingStrings(PendingValues values) {
        this.values = values;
    }

    /** Returns the records. */
    public PendingValues values() {
        return values;
    }

    /** Sets the record of the commands that run from now on, until {@link #end}. */
    public void begin(long record, List<Part> all) {
        position = record;
        parts = List.copyOf(all);
        next = 0;
    }

    /** Ends the record: its commands have run. */
    public void end() {
        parts = List.of();
    }

    /** Puts a string that lies in the record of the running commands; returns false if it is not there. */
    boolean put(Bytes key, Bytes value, Optional<Instant> deadline) {
        for (int number = next; number < parts.size(); number++) {
            Part part = parts.get(number);
            if (part.key().equals(key) && part.value().equals(value)) {
                values.put(position, number, deadline);
                next = number + 1;
                return true;
            }
        }
        return false;
    }
}
