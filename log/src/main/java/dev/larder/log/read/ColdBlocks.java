package dev.larder.log.read;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.DiskWaits;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.lang.foreign.MemorySegment;

/**
 * The steps by which a reader enters a block of a segment. A block that is not in memory is loaded from native code, so that
 * no Java thread waits inside a page fault. Since it comes from the disk it is checked: against its seals at once, or record
 * by record as they are delivered ({@link #isChecking}). The further blocks of a record are entered before the record is
 * handed over ({@link #enterRest}).
 *
 * <p>A block that is in memory now may have been loaded, unchecked, by the system's readahead. So a block counts as read from
 * the disk if it was not in memory when the segment was mapped, or is not now. A sequential reader tests the latter for many
 * blocks at once, so that the test costs nothing a record. Other readers test one block, which costs some nanoseconds a page.
 *
 * <p>A thread that may not wait for the disk ({@link DiskWaits}) gets an error in place of a block that is not in memory.
 */
public final class ColdBlocks {

    /** The window of a sequential reader. */
    public static final long WINDOW_BYTES = 16 * SegmentLayout.BLOCK_BYTES;

    private final LogSession session;
    private final IntegrityMode integrity;
    private final boolean checkingAll;
    private final long windowBytes;
    private long residentUntil;
    private boolean checking;

    public ColdBlocks(LogSession session, long windowBytes) {
        this.windowBytes = windowBytes;
        this.session = session;
        this.integrity = session.control.integrity();
        this.checkingAll = session.options.access().verifyReads();
    }

    /** Forgets what is known of the segment that the reader leaves. */
    public void leaveSegment() {
        residentUntil = 0;
        checking = false;
    }

    /** Returns whether each record of the entered block must be checked before it is delivered. */
    public boolean isChecking() {
        return checking;
    }

    /**
     * Enters the block that an offset lies in.
     *
     * @throws CorruptException when bytes that were sealed, and synced, are not what was written
     */
    public void enter(Segment segment, long at) {
        checking = false;
        enter(segment, at, at);
    }

    /**
     * Enters the further blocks of a record, from the end of the block that it begins in to its own end. {@link #isChecking}
     * stays true, and becomes true where one of these blocks has come from the disk.
     *
     * @throws CorruptException when bytes that were sealed, and synced, are not what was written
     */
    public void enterRest(Segment segment, long from, long end) {
        for (long at = from; at < end; at = (at | (SegmentLayout.BLOCK_BYTES - 1)) + 1) {
            enter(segment, at, end);
        }
    }

    /** Enters a block of a segment that has records up to at least the given offset. */
    private void enter(Segment segment, long at, long writtenAtLeast) {
        int block = (int) (at >>> SegmentLayout.BLOCK_SHIFT);
        if (at >= residentUntil || segment.wasAbsent(block)) {
            bringIn(segment, block, at, writtenAtLeast);
        }
    }

    private void requireMayWait(Segment segment, long start) {
        if (session.storage.tellsResidence()) {
            DiskWaits.requireAllowed(segment.path, segment.position(start));
        }
    }

    private void bringIn(Segment segment, int block, long at, long writtenAtLeast) {
        long start = (long) block << SegmentLayout.BLOCK_SHIFT;
        long written = Math.max(writtenEnd(segment, at), writtenAtLeast);
        long windowEnd = Math.min(start + windowBytes, segment.limit);
        boolean checked = segment.verified.contains(block); // it may have left the memory since
        boolean fromDisk = !checked && segment.wasAbsent(block);
        if (!checkingAll && !fromDisk && windowEnd <= written && isResident(segment, start, windowEnd)) {
            residentUntil = windowEnd;
            return;
        }
        long end = Math.min(start + SegmentLayout.BLOCK_BYTES, written);
        boolean cold = end > start && !isResident(segment, start, end);
        if (cold) {
            requireMayWait(segment, start);
            populate(segment, start, end);
        }
        if (!checked && (cold || fromDisk || checkingAll)) {
            checking |= integrity != IntegrityMode.SEAL;
            checkSeal(segment, block);
        }
    }

    private void populate(Segment segment, long start, long end) {
        try {
            session.storage.populateForRead(range(segment, start, end));
        } catch (StorageException e) {
            throw new StorageException(
                    segment.path + ": the bytes from position " + Position.toString(segment.position(start)) + " to "
                            + Position.toString(segment.position(end)) + " cannot be read: " + e.getMessage(),
                    e);
        }
    }

    /** Returns the end of the range that may have records; the bytes behind it are untouched, and need not be loaded. */
    private long writtenEnd(Segment segment, long at) {
        long hint = segment.hintAfter(at);
        return hint > at || segment.number >= session.control.tailAcquire() ? hint : segment.limit;
    }

    private boolean isResident(Segment segment, long start, long end) {
        return session.storage.isResident(range(segment, start, end));
    }

    private static MemorySegment range(Segment segment, long start, long end) {
        return segment.memory.asSlice(start, end - start);
    }

    private void checkSeal(Segment segment, int block) {
        if (integrity != IntegrityMode.SEAL) {
            return;
        }
        long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
        long sound = Seals.soundEnd(segment, block);
        if (sound < Math.min(Seals.claimedEnd(segment, block), durableEnd(segment))) {
            throw new CorruptException(segment.path + ": block " + block + " (from position "
                    + Position.toString(segment.position(start)) + ") fails its seal");
        }
        if (sound == (long) (block + 1) << SegmentLayout.BLOCK_SHIFT) {
            segment.verified.add(block);
        }
        session.counters.add(LogCounter.VERIFIED_BLOCKS, 1);
    }

    /** Returns the end of a segment's durable part; a seal beyond it may be of bytes that never reached the disk. */
    private long durableEnd(Segment segment) {
        long durable = session.durablePosition();
        int number = Position.segment(durable);
        return number > segment.number ? segment.limit : number < segment.number ? 0 : Position.offset(durable);
    }
}
