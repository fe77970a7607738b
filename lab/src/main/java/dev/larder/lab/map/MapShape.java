package dev.larder.lab.map;

import dev.larder.lab.result.ByteSize;
import dev.larder.lab.result.Figures;

/**
 * How many entries of which size.
 *
 * @param entries each with a key of 8 bytes
 * @param valueBytes of each
 */
public record MapShape(long entries, int valueBytes) {

    /** The bytes of a key. */
    public static final int KEY_BYTES = Long.BYTES;

    static MapShape of(Figures plan) {
        return new MapShape(plan.whole("entries"), Math.toIntExact(plan.whole("value_bytes")));
    }

    Figures figures() {
        return new Figures().put("entries", entries).put("value_bytes", valueBytes);
    }

    /** Returns the bytes of all keys and values. */
    public long bytes() {
        return entries * (KEY_BYTES + valueBytes);
    }

    @Override
    public String toString() {
        return String.format(java.util.Locale.ROOT, "%,d x %s", entries, ByteSize.format(valueBytes));
    }
}
