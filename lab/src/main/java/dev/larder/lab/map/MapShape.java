package dev.larder.lab.map;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;

/**
 * The number and size of a map's entries.
 *
 * @param entries to load, each with a key of 8 bytes
 * @param valueBytes of each
 * @param newEntries the most that a measurement may add: a subject sized in advance gets room for them
 */
public record MapShape(long entries, int valueBytes, long newEntries) {

    /** The bytes of a key. */
    public static final int KEY_BYTES = Long.BYTES;

    /** A shape that does not grow. */
    public MapShape(long entries, int valueBytes) {
        this(entries, valueBytes, 0);
    }

    static MapShape of(Figures plan) {
        return new MapShape(
                plan.whole("entries"), Math.toIntExact(plan.whole("value_bytes")), plan.whole("new_entries"));
    }

    Figures figures() {
        return new Figures().put("entries", entries).put("value_bytes", valueBytes);
    }

    /** Returns a child's plan. */
    Figures plan() {
        return figures().put("new_entries", newEntries);
    }

    /** Returns the most entries at the end. */
    public long mostEntries() {
        return entries + newEntries;
    }

    /** Returns the bytes of all loaded keys and values. */
    public long bytes() {
        return bytes(entries);
    }

    /** Returns the most bytes of all keys and values at the end. */
    public long mostBytes() {
        return bytes(mostEntries());
    }

    /** Returns the key and value bytes of so many entries. */
    long bytes(long count) {
        return count * (KEY_BYTES + valueBytes);
    }

    @Override
    public String toString() {
        return String.format(java.util.Locale.ROOT, "%,d x %s", entries, ByteSize.format(valueBytes));
    }
}
