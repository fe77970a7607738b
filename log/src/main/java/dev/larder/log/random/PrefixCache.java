package dev.larder.log.random;

import dev.larder.log.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of each record of a segment that has ended, in memory of this process: for who needs no more of a record
 * than that, and would have to wait for the disk to see it.
 *
 * <pre>
 *  offsets   4 bytes each: where a record begins, / 8, ascending
 *  starts    4 bytes each: where its head is, / 4
 *  heads     | length of the payload 4 | its first bytes | pad to 4 |   each
 * </pre>
 *
 * <p>A segment that has ended does not change, so they are never out of date. A record is found by the share of the way at
 * which it lies, as records of one segment are about as long as one another: in one or two steps then, in no more than those
 * of a binary search for any. They are given back with the segment: who looks at them later finds an {@link
 * IllegalStateException}.
 */
public final class PrefixCache {

    /** What {@link #find} returns for a position at which no record is kept. */
    public static final long NONE = -1;

    /** Of a segment of which none are kept. */
    public static final PrefixCache NOT_KEPT = new PrefixCache();

    static final int UNIT_SHIFT = 3;
    static final int HEAD_SHIFT = 2;

    /** What each takes beside the bytes of its payload. */
    static final int BYTES_EACH = 12;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final @Nullable Arena arena;
    private final MemorySegment memory;
    private final int count;
    private final long starts;
    private final long heads;
    private final int first;

    /** A record's share of the way from the first to the last one. */
    private final double each;

    private PrefixCache() {
        this.count = 0;
        this.starts = 0;
        this.heads = 0;
        this.arena = null;
        this.memory = MemorySegment.NULL;
        this.first = 0;
        this.each = 0;
    }

    /**
     * Takes what was collected.
     *
     * @param offsets of so many records
     * @param starts of their heads in the staged bytes
     */
    PrefixCache(int count, int[] offsets, int[] starts, MemorySegment staged) {
        assert count > 0;
        this.count = count;
        this.starts = (long) count * Integer.BYTES;
        this.heads = 2 * this.starts;
        Arena own = Arena.ofShared();
        this.arena = own;
        this.memory = own.allocate(heads + staged.byteSize(), Long.BYTES);
        MemorySegment.copy(offsets, 0, memory, INT, 0, count);
        MemorySegment.copy(starts, 0, memory, INT, this.starts, count);
        MemorySegment.copy(staged, 0, memory, heads, staged.byteSize());
        this.first = offsets[0];
        this.each = (count - 1) / Math.max(1.0, (double) offsets[count - 1] - first);
    }

    /** Returns where in {@link #bytes} the payload of a record begins, as far as it is kept; {@link #NONE} where it is not. */
    public long find(long position) {
        return count == 0 ? NONE : findAmong(position);
    }

    private long findAmong(long position) {
        int wanted = (int) (Position.offset(position) >>> UNIT_SHIFT);
        int number = search(wanted, Math.clamp((long) ((wanted - first) * each), 0, count - 1));
        return number < 0 ? NONE : heads + ((long) start(number) << HEAD_SHIFT) + Integer.BYTES;
    }

    /** Returns how long the whole payload is of a record that was found. */
    public int length(long at) {
        return memory.get(INT, at - Integer.BYTES);
    }

    /** Returns what the heads lie in. */
    public MemorySegment bytes() {
        return memory;
    }

    long sizeBytes() {
        return memory.byteSize();
    }

    /** Widens the stretch around a guess until the offset lies in it, twice as far each time; then halves it. */
    private int search(int wanted, int guess) {
        int low = guess;
        int high = guess;
        for (int step = 1; low > 0 && offset(low) > wanted; step *= 2) {
            high = low;
            low = Math.max(0, low - step);
        }
        for (int step = 1; high < count - 1 && offset(high) < wanted; step *= 2) {
            low = high;
            high = Math.min(count - 1, high + step);
        }
        return halve(wanted, low, high);
    }

    private int halve(int wanted, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (offset(middle) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return offset(low) == wanted ? low : -1;
    }

    private int offset(int number) {
        return memory.get(INT, (long) number * Integer.BYTES);
    }

    private int start(int number) {
        return memory.get(INT, starts + (long) number * Integer.BYTES);
    }

    /** Gives the memory back. */
    void close() {
        if (arena != null) {
            arena.close();
        }
    }
}
