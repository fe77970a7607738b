package dev.larder.log.random;

import dev.larder.log.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of each record of a segment that has ended, in memory of this process. For callers that need only these
 * bytes of a record, and would have to wait for the disk to read them.
 *
 * <pre>
 *  offsets   4 bytes each: where a record begins, / 8, ascending
 *  starts    4 bytes each: where its head is, / 4
 *  heads     | length of the payload 4 | its first bytes | pad to 4 |   each
 * </pre>
 *
 * <p>A segment that has ended does not change, so the heads are never out of date. A record is found by interpolation of its
 * offset, since the records of one segment are about equally long. That takes one or two steps for these, and for any records
 * no more steps than a binary search. The memory is freed with the segment: a later read gets an
 * {@link IllegalStateException}.
 */
public final class PrefixCache {

    /** What {@link #find} returns for a position at which no record is kept. */
    public static final long NONE = -1;

    /** The cache of a segment of which no heads are kept. */
    public static final PrefixCache NOT_KEPT = new PrefixCache();

    static final int UNIT_SHIFT = 3;
    static final int HEAD_SHIFT = 2;

    /** The bytes that each head takes beside those of its payload. */
    static final int BYTES_EACH = 12;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final @Nullable Arena arena;
    private final MemorySegment memory;
    private final int count;
    private final long starts;
    private final long heads;
    private final int first;

    /** The number of records for each unit of offset, from the first record to the last. */
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
     * Copies the collected heads.
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

    /** Returns the length of the whole payload of a record that was found. */
    public int length(long at) {
        return memory.get(INT, at - Integer.BYTES);
    }

    /** Returns the memory that the heads lie in. */
    public MemorySegment bytes() {
        return memory;
    }

    long sizeBytes() {
        return memory.byteSize();
    }

    /** Widens the range around a guess, by twice as much each time, until the offset lies in it; then bisects it. */
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

    /** Frees the memory. */
    void close() {
        if (arena != null) {
            arena.close();
        }
    }
}
