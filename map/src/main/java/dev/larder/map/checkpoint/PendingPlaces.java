package dev.larder.map.checkpoint;

import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PendingLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The places of the pending records of a log, for a walk over the log that checks whether references lead to them. */
public final class PendingPlaces {

    private static final int FIRST = 64;

    private long[] positions = new long[FIRST];
    private int[] lengths = new int[FIRST];
    private int count;

    /** Adds a pending record with the length of its payload: in the order of their positions, each once. */
    public void add(long position, int length) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        positions[count] = position;
        lengths[count++] = length;
    }

    /** Returns whether a reference leads to a range of one of these records. */
    public boolean contain(MemorySegment reference, long at, int length) {
        long position = EntryLayout.referencePosition(reference, at, length);
        int found = Arrays.binarySearch(positions, 0, count, position);
        long end = (long) EntryLayout.referenceOffset(reference, at, length)
                + EntryLayout.referenceLength(reference, at, length);
        return found >= 0
                && EntryLayout.referenceOffset(reference, at, length) >= PendingLayout.HEADER_BYTES
                && end <= lengths[found];
    }
}
