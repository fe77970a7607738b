package dev.larder.map.format;

import dev.larder.log.Position;
import dev.larder.log.random.LogRecords;
import org.jspecify.annotations.Nullable;

/**
 * Packs the position of a record into 40 bits: in units of 8 bytes, modulo 2^40.
 *
 * <pre>
 *  position   | segment number 31 | offset 32 |
 *  place      | segment number, low bits | offset / 8 |      as many bits as the largest segment needs
 * </pre>
 *
 * The first segment of the log completes the segment number: positions within {@link #segmentsMax} segments of it are unique.
 * Smaller segments at the beginning take the same space here as the largest, so no table is needed. The first segment moves
 * on as any process drops segments. Some of the space stays free. So a lookup that began some segments ago is completed
 * correctly, or to a position that does not exist. A checkpoint of the index is completed from where the log ended.
 *
 * <pre>
 *  first          3/4 of the segments that can be told apart        7/8
 * |-----------------------------------------------------------------|--------------------------------|----------- - -
 *  puts                                                              what the cleaner carries, removals    unused
 * </pre>
 */
public final class PackedPositions {

    private static final int UNIT_SHIFT = 3;

    private final int segmentShift;
    private final int segmentsMax;
    private final @Nullable LogRecords records;
    private final int fixed;

    private PackedPositions(int segmentShift, @Nullable LogRecords records, int fixed) {
        this.segmentShift = segmentShift;
        this.segmentsMax = (int) Math.min(Integer.MAX_VALUE, 1L << (IndexWord.PLACE_BITS + UNIT_SHIFT - segmentShift));
        this.records = records;
        this.fixed = fixed;
    }

    /** Creates the places of a log whose segments grow to a size. The first segment is always the log's current one. */
    public PackedPositions(long largestSegmentBytes, LogRecords records) {
        this(shift(largestSegmentBytes), records, 0);
    }

    /** Creates the places of a log whose segments grow to a size, valid as long as its first segment has a given number. */
    public PackedPositions(long largestSegmentBytes, int first) {
        this(shift(largestSegmentBytes), null, first);
    }

    private static int shift(long largestSegmentBytes) {
        assert Long.bitCount(largestSegmentBytes) == 1 : largestSegmentBytes;
        return Long.numberOfTrailingZeros(largestSegmentBytes);
    }

    /** Returns how many segments, from the first on, can be told apart. */
    public int segmentsMax() {
        return segmentsMax;
    }

    /**
     * Returns how many segments a log may have at a time.
     *
     * @param freeing whether the append lets others be dropped; without room for it, a full log would stay full for ever
     */
    public int spanMax(boolean freeing) {
        return segmentsMax() / 8 * (freeing ? 7 : 6);
    }

    /** Returns places as of when a segment was the last one: they are completed below it, not from the first one on. */
    public PackedPositions before(int last) {
        return new PackedPositions(1L << segmentShift, last - segmentsMax() + 1);
    }

    /** Returns the first segment. It is read from the log itself, as any process may have dropped the one before. */
    public int first() {
        return records == null ? fixed : records.firstSegment();
    }

    /** Returns the same in no order with other loads, for a caller that only compares it. */
    public int firstOpaque() {
        return records == null ? fixed : records.firstSegmentOpaque();
    }

    /** Returns whether a record in a segment may be linked, that is, whether the log does not span too many segments. */
    public boolean mayLink(long position, boolean freeing) {
        return (long) Position.segment(position) - first() < spanMax(freeing);
    }

    /** Returns whether a position can be told apart from all others. */
    boolean isWithin(long position) {
        long beyond = (long) Position.segment(position) - first();
        return beyond >= 0 && beyond < segmentsMax();
    }

    public long place(long position) {
        assert isWithin(position) : Position.toString(position);
        return placeOf(position);
    }

    /** Returns the same, whichever segment is the first. */
    public long placeOf(long position) {
        long linear = ((long) Position.segment(position) << segmentShift) + Position.offset(position);
        return (linear >>> UNIT_SHIFT) & ((1L << IndexWord.PLACE_BITS) - 1);
    }

    public long position(long place) {
        return position(place, first());
    }

    /** Returns the position of a place that was read when segment {@code from} was the first one, or later. */
    public long position(long place, int from) {
        long linear = place << UNIT_SHIFT;
        int low = (int) (linear >>> segmentShift);
        int number = from + ((low - from) & (segmentsMax() - 1));
        return Position.of(number, linear & ((1L << segmentShift) - 1));
    }
}
