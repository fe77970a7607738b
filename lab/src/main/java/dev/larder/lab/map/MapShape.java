package dev.larder.lab.map;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;

/**
 * How many entries of which size.
 *
 * @param entries that are loaded, each with a key of 8 bytes
 * @param valueBytes of each
 * @param newEntries that may come while it is measured, at most: whoever is sized in advance is given room for them
 */
public record MapShape(long entries, int valueBytes, long newEntries) {

    /** The bytes of a key. */
    public static final int KEY_BYTES = Long.BYTES;

    /** A shape that stays. */
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

    /** Returns what a child is told. */
    Figures plan() {
        return figures().put("new_entries", newEntries);
    }

    /** Returns how many entries there may be in the end. */
    public long mostEntries() {
        return entries + newEntries;
    }

    /** Returns the bytes of all keys and values that are loaded. */
    public long bytes() {
        return bytes(entries);
    }

    /** Returns the bytes of all keys and values that there may be in the end. */
    public long mostBytes() {
        return bytes(mostEntries());
    }

    /** Returns the bytes of the keys and values of so many entries. */
    long bytes(long count) {
        return count * (KEY_BYTES + valueBytes);
    }

    @Override
    public String toString() {
        return String.format(java.util.Locale.ROOT, "%,d x %s", entries, ByteSize.format(valueBytes));
    }
}
