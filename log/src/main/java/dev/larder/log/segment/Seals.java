package dev.larder.log.segment;

import dev.larder.log.Position;
import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Words;

/**
 * The checksums of ranges. Each block of 1 MiB has two, written in turn, so that the durable one survives until a newer one
 * is durable. They cover words, payloads and the gaps between, which never change once they are settled.
 */
public final class Seals {

    private static final int COVERED_SHIFT = 14;
    private static final long COVERED_MASK = (1 << 18) - 1;

    private Seals() {}

    /** Returns how many bytes from the start of its block a seal covers; 0 when there is none. */
    public static long coveredBytes(long seal) {
        return ((seal >>> COVERED_SHIFT) & COVERED_MASK) * 8;
    }

    private static long start(Segment segment, int block) {
        return Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
    }

    /** Returns the seal of a block up to an offset within it. */
    private static long seal(Segment segment, int block, long end) {
        long start = start(segment, block);
        return seal(block, end, Crc32c.of(segment.memory, start, end - start));
    }

    private static long seal(int block, long end, int check) {
        long covered = end - ((long) block << SegmentLayout.BLOCK_SHIFT);
        assert covered > 0 && covered <= SegmentLayout.BLOCK_BYTES && (covered & 7) == 0 : covered;
        return ((long) check << 32) | ((covered / 8) << COVERED_SHIFT);
    }

    /**
     * Seals a block up to an offset, in the half that does not hold the durable seal. Only for the holder of SYNC.
     *
     * @param durableOffset up to where the segment is durable; if that is below the block, the block has no durable seal
     */
    public static void write(Segment segment, int block, long end, long durableOffset) {
        store(segment, block, seal(segment, block, end), durableOffset);
    }

    private static void store(Segment segment, int block, long seal, long durableOffset) {
        long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
        long durableCovered = durableOffset - ((long) block << SegmentLayout.BLOCK_SHIFT);
        long first = Words.getAcquire(segment.memory, row);
        boolean firstIsDurable = durableCovered > 0 && coveredBytes(first) == durableCovered;
        Words.setRelease(segment.memory, firstIsDurable ? row + 8 : row, seal);
    }

    /**
     * Seals a block that may already have a seal. If bytes have changed since that seal, a new seal over them would make the
     * damage pass for written data from then on. The bytes are read once, for both seals.
     *
     * @param check computes the checks; the caller keeps it, so that no sync depends on free memory
     * @throws CorruptException when the bytes that an earlier seal covers are not those that were sealed
     */
    public static void extend(Segment segment, int block, long end, long durableOffset, Crc32c check) {
        long start = start(segment, block);
        long before = longest(segment, block, end);
        check.start();
        if (before != 0) {
            long covered = ((long) block << SegmentLayout.BLOCK_SHIFT) + coveredBytes(before) - start;
            check.add(segment.memory, start, covered);
            requireSame(segment, block, before, check.value());
            check.add(segment.memory, start + covered, end - start - covered);
        } else {
            check.add(segment.memory, start, end - start);
        }
        store(segment, block, seal(block, end, check.value()), durableOffset);
    }

    /** Returns the longest seal of a block that does not reach beyond an offset; 0 where it has none. */
    private static long longest(Segment segment, int block, long end) {
        long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
        long a = within(segment, block, Words.getAcquire(segment.memory, row), end);
        long b = within(segment, block, Words.getAcquire(segment.memory, row + 8), end);
        return coveredBytes(a) >= coveredBytes(b) ? a : b;
    }

    private static long within(Segment segment, int block, long seal, long end) {
        long reach = ((long) block << SegmentLayout.BLOCK_SHIFT) + coveredBytes(seal);
        return reach > start(segment, block) && reach <= end ? seal : 0;
    }

    private static void requireSame(Segment segment, int block, long seal, int check) {
        if ((int) (seal >>> 32) != check) {
            throw new CorruptException(segment.path + ": block " + block + " (from position "
                    + Position.toString(segment.position(start(segment, block)))
                    + ") fails its seal; no later record can be made durable");
        }
    }

    /** Returns up to where a block's longer sound seal reaches; the start of the block's records when none is sound. */
    public static long soundEnd(Segment segment, int block) {
        long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
        long a = Words.getAcquire(segment.memory, row);
        long b = Words.getAcquire(segment.memory, row + 8);
        boolean isLonger = coveredBytes(a) >= coveredBytes(b);
        long end = soundEnd(segment, block, isLonger ? a : b);
        return end > start(segment, block) ? end : soundEnd(segment, block, isLonger ? b : a);
    }

    private static long soundEnd(Segment segment, int block, long seal) {
        long covered = coveredBytes(seal);
        long end = ((long) block << SegmentLayout.BLOCK_SHIFT) + covered;
        long start = start(segment, block);
        boolean possible = covered <= SegmentLayout.BLOCK_BYTES && end > start;
        return possible && seal(segment, block, end) == seal ? end : start;
    }

    /** Returns up to where a block's seals claim to reach, without checking that they are sound. */
    public static long claimedEnd(Segment segment, int block) {
        long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
        long a = coveredBytes(Words.getAcquire(segment.memory, row));
        long b = coveredBytes(Words.getAcquire(segment.memory, row + 8));
        return ((long) block << SegmentLayout.BLOCK_SHIFT) + Math.max(a, b);
    }

    /** Returns up to where sound seals cover a segment without a gap, from the block that an offset lies in. */
    public static long contiguousEnd(Segment segment, long from) {
        int block = (int) (from >>> SegmentLayout.BLOCK_SHIFT);
        long end = soundEnd(segment, block);
        while (end == (long) (block + 1) << SegmentLayout.BLOCK_SHIFT && end < segment.limit) {
            block++;
            end = soundEnd(segment, block);
        }
        return end;
    }

    /**
     * Replaces the half of a block's row that is no longer sound by the other half: an unsound half would be taken for
     * damage.
     */
    public static void settle(Segment segment, int block) {
        long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
        long a = Words.getAcquire(segment.memory, row);
        long b = Words.getAcquire(segment.memory, row + 8);
        long sound = soundEnd(segment, block, a) >= soundEnd(segment, block, b) ? a : b;
        Words.setRelease(segment.memory, row, sound);
        Words.setRelease(segment.memory, row + 8, sound);
    }

    /** Clears the row (seals, index and time) of every block that begins at or after an offset. */
    public static void clearFrom(Segment segment, long offset) {
        long rows = SegmentLayout.row(offset + SegmentLayout.BLOCK_BYTES - 1);
        segment.memory
                .asSlice(rows, SegmentLayout.rowsEnd(segment.limit) - rows)
                .fill((byte) 0);
    }
}
