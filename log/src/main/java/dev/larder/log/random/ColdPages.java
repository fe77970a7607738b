package dev.larder.log.random;

import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.DiskWaits;
import dev.larder.log.layer.MissingPages;
import dev.larder.log.segment.BlockSet;
import dev.larder.log.segment.Segment;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The pages of a mapped segment that threads read by position. Before a page that is not in memory is read, a call loads it,
 * and only it. So no Java thread waits for the disk inside a page fault. {@link MissingPages} decides when the system is
 * asked.
 */
final class ColdPages {

    private static final int SHIFT = 12;
    private static final long BYTES = 1L << SHIFT;

    private final Segment segment;
    private final Storage storage;
    private final MissingPages missing;
    private final RecentPages recent;
    private final boolean asking;

    /** A bit for each page that was there when the system was asked, or was stored to. A lost bit costs one more question. */
    private final long[] seen;

    /**
     * The blocks of which a page has come from the disk since the system was asked; their bytes may not be what was written.
     */
    private final BlockSet returned;

    private boolean anyReturned;

    /** How often pages had to be loaded; racy. */
    private int missed;

    ColdPages(Segment segment, Storage storage, MissingPages missing, RecentPages recent) {
        this.segment = segment;
        this.storage = storage;
        this.missing = missing;
        this.recent = recent;
        this.asking = storage.tellsResidence();
        this.seen = new long[(int) (((segment.limit >>> SHIFT) + 63) >>> 6)];
        this.returned = new BlockSet(segment.limit);
    }

    /**
     * Ensures that the page in which a record begins is in memory. If it must be loaded, the same read loads the pages that
     * the record likely has beyond it.
     *
     * @param expected about how long the record is; 0 where that is unknown
     */
    void enter(long at, int expected) {
        if (!isWarm(at)) {
            long page = at & -BYTES;
            ask(page, page + BYTES, likelyEnd(at, expected));
        }
    }

    private long likelyEnd(long at, int expected) {
        long length = expected == 0 ? BYTES / 4 : RecordWord.BYTES + expected;
        return Math.min((at + length + BYTES - 1) & -BYTES, segment.limit);
    }

    /** Ensures that the pages of a range are in memory, beyond the page of its first byte. */
    void enterRest(long from, long to) {
        long second = (from & -BYTES) + BYTES;
        boolean warm = true;
        for (long at = second; at < to && warm; at += BYTES) {
            warm = isWarm(at);
        }
        if (!warm) {
            long end = (to + BYTES - 1) & -BYTES;
            ask(second, end, end);
        }
    }

    /** Returns whether the page of an offset may be read without asking the system. */
    boolean isWarm(long at) {
        return !asking || (isSeen(at) && (!missing.isToAsk(at) || recent.isBroughtIn(page(at))));
    }

    /**
     * Returns whether, as far as this process knows, the page of an offset is in memory, and no page of the segment ever left
     * it. When the next question is due, it asks the system again. It forgets a page that is not there; then {@link #enter}
     * loads it.
     */
    boolean areInMemory(long at) {
        return !asking || (!anyReturned && isSeen(at) && (!missing.isToAsk(at) || isStillThere(at)));
    }

    private boolean isStillThere(long at) {
        boolean there = !missing.isAlert() && isResident(at & -BYTES);
        if (!there) {
            int page = (int) (at >>> SHIFT);
            seen[page >>> 6] &= ~(1L << page);
        }
        return there;
    }

    private boolean isResident(long page) {
        try {
            return storage.isResident(segment.memory, page, BYTES);
        } catch (IllegalStateException e) {
            return false; // the segment was dropped and released
        }
    }

    static boolean isOnePage(long from, long to) {
        return ((from ^ (to - 1)) >>> SHIFT) == 0;
    }

    /** Returns whether all pages of a range but the first are in memory, as far as this process knows. */
    boolean isWarmTo(long from, long to) {
        return isOnePage(from, to) || areSeenTo(from, to);
    }

    private boolean areSeenTo(long from, long to) {
        boolean warm = true;
        for (long at = (from & -BYTES) + BYTES; at < to && warm; at += BYTES) {
            warm = !asking || isSeen(at);
        }
        return warm;
    }

    /** Returns the end of those pages of a range that may be read without asking the system. The first page was entered. */
    long warmEnd(long from, long to) {
        long end = (from & -BYTES) + BYTES;
        while (end < to && (!asking || (isSeen(end) && !missing.isAlert()))) {
            end += BYTES;
        }
        return Math.min(end, to);
    }

    /** Has the system begin to read the page of an offset, and does not wait. */
    void expect(long at) {
        storage.startReading(range(at & -BYTES, (at & -BYTES) + BYTES));
    }

    /** Returns how often pages had to be loaded. */
    int missed() {
        return missed;
    }

    /**
     * Returns whether pages of a block have left the memory and come back, as far as was noticed. While pages of the log are
     * missing, pages that the system reports as present count, too: another process may have loaded them.
     */
    boolean hasReturned(int block) {
        return anyReturned && returned.contains(block);
    }

    /** Forgets which pages were in memory. */
    void forget() {
        Arrays.fill(seen, 0);
    }

    private boolean isSeen(long at) {
        int page = (int) (at >>> SHIFT);
        return ((seen[page >>> 6] >>> page) & 1) != 0;
    }

    private void ask(long from, long to, long broughtTo) {
        if (isThere(from, to)) {
            noteIfDoubtful(from, to);
            missing.present();
            see(from, to);
        } else {
            requireMayWait(from);
            noteReturned(from, broughtTo); // before they are there: a thread that finds them in memory must know of it
            segment.expect(AccessOrder.RANDOM, storage);
            bringIn(from, range(from, broughtTo));
            missing.missing();
            missed++;
            for (long at = from; at < broughtTo; at += BYTES) {
                recent.broughtIn(page(at));
            }
            see(from, broughtTo);
        }
    }

    /** Asks the system, except where the first page is known to be missing and this thread may wait. */
    private boolean isThere(long from, long to) {
        boolean isMissing = recent.isMissing(page(from)) && !DiskWaits.areForbidden();
        return !isMissing && storage.isResident(segment.memory, from, to - from);
    }

    private long page(long at) {
        return segment.position(at) >>> SHIFT;
    }

    /** Throws where this thread may not wait for the disk. Before that it records only that the page is missing. */
    private void requireMayWait(long at) {
        if (DiskWaits.areForbidden()) {
            missing.missing();
            recent.missed(page(at));
            DiskWaits.requireAllowed(segment.path, segment.position(at));
        }
    }

    private void noteIfDoubtful(long from, long to) {
        if (missing.isAlert()) {
            noteReturned(from, to);
        }
    }

    private void noteReturned(long from, long to) {
        for (int block = blockOf(from); block <= blockOf(to - 1); block++) {
            if (!returned.contains(block)) {
                returned.add(block);
            }
        }
        anyReturned = true;
    }

    private static int blockOf(long at) {
        return (int) (at >>> SegmentLayout.BLOCK_SHIFT);
    }

    /** Records that pages were stored to: they are in memory, as if the system had been asked. */
    void stored(long from, long to) {
        if (asking && !missing.isAlert()) {
            see(from & -BYTES, to);
        }
    }

    private void see(long from, long to) {
        for (long at = from; at < to; at += BYTES) {
            if (!isSeen(at)) {
                int page = (int) (at >>> SHIFT);
                seen[page >>> 6] |= 1L << page;
            }
        }
    }

    private void bringIn(long from, MemorySegment pages) {
        try {
            storage.bringIn(pages, segment.path, from);
        } catch (StorageException e) {
            throw new StorageException(
                    segment.path + ": the bytes at position " + Position.toString(segment.position(from))
                            + " cannot be read: " + e.getMessage(),
                    e);
        }
    }

    private MemorySegment range(long from, long to) {
        return segment.memory.asSlice(from, to - from);
    }
}
