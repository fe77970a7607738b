package dev.larder.map.entry;

import dev.larder.map.format.EntryLayout;
import dev.larder.map.index.Lookup;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The entries of a page of the index, as they were: the position of each record, and its key. A walk that later finds a record
 * dropped looks up its key.
 */
final class EntryList {

    private static final int FIRST_ENTRIES = 256;
    private static final int FIRST_BYTES = 4096;

    private long[] positions = new long[FIRST_ENTRIES];
    private int[] ends = new int[FIRST_ENTRIES];
    private byte[] keys = new byte[FIRST_BYTES];
    private int count;

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    long position(int entry) {
        return positions[entry];
    }

    /** Adds an entry whose key is not known yet; keys are read one by one, in the order of addition. */
    void add(long position) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        positions[count++] = position;
    }

    /** Copies the key of an entry out of its record. */
    void takeKey(int entry, MemorySegment record, long at) {
        int start = start(entry);
        int length = EntryLayout.keyLength(record, at);
        if (start + length > keys.length) {
            keys = Arrays.copyOf(keys, Math.max(start + length, 2 * keys.length));
        }
        MemorySegment.copy(record, EntryLayout.keyAt(record, at), MemorySegment.ofArray(keys), start, length);
        ends[entry] = start + length;
    }

    /** Copies the key of an entry into a probe. */
    void giveKey(int entry, Lookup probe) {
        int start = start(entry);
        int length = ends[entry] - start;
        MemorySegment.copy(MemorySegment.ofArray(keys), start, probe.keyOf(length), 0, length);
    }

    private int start(int entry) {
        return entry == 0 ? 0 : ends[entry - 1];
    }
}
