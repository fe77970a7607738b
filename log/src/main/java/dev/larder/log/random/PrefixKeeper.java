package dev.larder.log.random;

import dev.larder.log.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link PrefixCache} for those segments for which it pays.
 *
 * <pre>
 *  reads of heads that had to wait for the disk, of one segment     one for each 128 KiB of it
 *  |------------------------------------------------------------->| read the segment through, once
 * </pre>
 *
 * <p>Reading a segment through takes as long as that many single reads of it. So the keeper does it after that many: the waits
 * take at most twice as long as if all reads had been known in advance. Once there is a cache, the keeper reads each segment
 * as soon as it ends, while it is still in memory.
 *
 * <p>The keeper takes only durable segments, or makes them durable first, and proves each record. Damage is left to the
 * threads that read that segment. A segment whose heads would take more than a 16th of it is left alone. For one thread.
 */
public final class PrefixKeeper {

    /** Decides how many of the first bytes of a payload make its head. */
    @FunctionalInterface
    public interface HeadLength {

        /** Returns that number, for a payload that begins at an offset and has so many bytes. */
        int bytes(MemorySegment record, long at, int length);
    }

    private static final int READ_BYTES = 128 << 10;
    private static final int SHARE = 16;
    private static final int FIRST_RECORDS = 4096;

    private final LogRecords records;
    private final HeadLength headLength;
    private final long maxBytes;
    private int[] offsets = new int[FIRST_RECORDS];
    private int[] starts = new int[FIRST_RECORDS];
    private MemorySegment staged = Arena.ofAuto().allocate((long) FIRST_RECORDS * PrefixCache.BYTES_EACH, Long.BYTES);
    private int count;
    private long stagedBytes;

    /** The segment from which on each is taken when it ends. */
    private int takesFrom = Integer.MAX_VALUE;

    /** The share of a segment that its heads took, the last time. */
    private double share;

    /** A keeper that takes at most so many bytes of memory, for the segments of a log. */
    PrefixKeeper(LogRecords records, HeadLength headLength, long maxBytes) {
        this.records = records;
        this.headLength = headLength;
        this.maxBytes = maxBytes;
    }

    /**
     * Makes the heads of one segment, if there is one for which it pays. Returns whether there was.
     *
     * @throws dev.larder.memory.CorruptException when a record there is not what was written; a segment that fails is not
     *     tried again
     */
    public boolean keepOne() {
        HeldSegment next = maxBytes == 0 ? null : next();
        if (next != null) {
            records.makeDurable(next.segment.number);
            keep(next);
        }
        return next != null;
    }

    /** Returns the youngest segment: it is the likeliest to be in memory, and stays for longest. */
    private @Nullable HeldSegment next() {
        int first = records.firstSegment();
        int tail = records.tailSegment();
        HeldSegment[] youngest = new HeldSegment[1];
        records.forEachHeld(there -> {
            boolean ended = there.segment.number >= first && there.segment.number < tail;
            boolean wanted = ended && pays(there);
            if (wanted && (youngest[0] == null || there.segment.number > youngest[0].segment.number)) {
                youngest[0] = there;
            }
        });
        return youngest[0];
    }

    private boolean pays(HeldSegment there) {
        return there.mayKeepHeads()
                && (there.segment.number >= takesFrom || there.headsMissed() > there.segment.limit / READ_BYTES)
                && fits((long) (share * there.segment.limit));
    }

    private boolean fits(long bytes) {
        return records.headBytes() + bytes <= maxBytes;
    }

    private void keep(HeldSegment there) {
        try (CheckedRecords all = new CheckedRecords(there, records.storage(), records.integrity())) {
            PrefixCache made = collect(all, there);
            if (made == null) {
                there.refuseHeads();
            } else {
                keep(there, made);
            }
        } catch (RuntimeException | Error e) {
            there.refuseHeads();
            boolean dropped = there.segment.number < records.firstSegment(); // and released meanwhile
            if (!dropped) {
                throw e;
            }
        }
    }

    private void keep(HeldSegment there, PrefixCache made) {
        share = (double) made.sizeBytes() / there.segment.limit;
        if (fits(made.sizeBytes())) {
            records.keep(there, made);
            takesFrom = takesFrom == Integer.MAX_VALUE ? records.tailSegment() : takesFrom;
        } else {
            made.close();
        }
    }

    /** Returns null where the heads would take too many bytes, or there are none. */
    private @Nullable PrefixCache collect(CheckedRecords all, HeldSegment there) {
        count = 0;
        stagedBytes = 0;
        long most = there.segment.limit / SHARE;
        while (all.next()) {
            add(all);
            if (stagedBytes + 2L * count * Integer.BYTES > most) {
                return null;
            }
        }
        return count == 0 ? null : new PrefixCache(count, offsets, starts, staged.asSlice(0, stagedBytes));
    }

    private void add(CheckedRecords record) {
        long at = LogRecords.payload(record.position());
        int bytes = Math.min(record.length(), headLength.bytes(record.bytes(), at, record.length()));
        reserve(Integer.BYTES + bytes + Integer.BYTES);
        offsets[count] = (int) (Position.offset(record.position()) >>> PrefixCache.UNIT_SHIFT);
        starts[count++] = (int) (stagedBytes >>> PrefixCache.HEAD_SHIFT);
        staged.set(ValueLayout.JAVA_INT, stagedBytes, record.length());
        MemorySegment.copy(record.bytes(), at, staged, stagedBytes + Integer.BYTES, bytes);
        int unit = 1 << PrefixCache.HEAD_SHIFT;
        stagedBytes += (Integer.BYTES + bytes + unit - 1) & -unit;
    }

    private void reserve(int more) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
        if (stagedBytes + more > staged.byteSize()) {
            MemorySegment larger = Arena.ofAuto().allocate(2 * (staged.byteSize() + more), Long.BYTES);
            MemorySegment.copy(staged, 0, larger, 0, stagedBytes);
            staged = larger;
        }
    }
}
