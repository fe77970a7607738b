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
 * The pages of a mapped segment at which somebody looks by position: those that are not in memory are brought in by a
 * call first, these alone, so that no Java thread waits for the disk inside a page fault. {@link MissingPages} says
 * when the system is asked.
 */
final class ColdPages {

    private static final int SHIFT = 12;
    private static final long BYTES = 1L << SHIFT;

    private final Segment segment;
    private final Storage storage;
    private final MissingPages missing;
    private final RecentPages recent;
    private final boolean asking;

    /** A bit for each page that was there when somebody asked, or was stored to; a bit that is lost costs a question. */
    private final long[] seen;

    /** The blocks of which a page has come from the disk since somebody asked: what is in them may not be what was written. */
    private final BlockSet returned;

    private boolean anyReturned;

    /** How often pages had to be brought in; racy. */
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
     * Makes sure that the page of an offset is in memory, where a record begins. What the record likely has beyond that page
     * is brought in by the same read then.
     *
     * @param expected about how long the record is; 0 where nobody knows
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

    /** Makes sure that what a range has beyond the page of its first byte is in memory. */
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

    /** Returns whether the page of an offset may be looked at without asking. */
    boolean isWarm(long at) {
        return !asking || (isSeen(at) && (!missing.isToAsk(at) || recent.isBroughtIn(page(at))));
    }

    /**
     * Returns whether the page of an offset is in memory, as far as this process knows, and nothing of the segment has ever
     * left it. When it is time to ask the system again, it is asked; a page that is not there is forgotten: then {@link #enter}
     * brings it in.
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
            return false; // it was dropped, and let go
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

    /** Returns where of a range, whose first page was entered, the pages end that may be looked at without asking. */
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

    /** Returns how often pages had to be brought in. */
    int missed() {
        return missed;
    }

    /**
     * Returns whether pages of a block have left the memory and come back, as far as was noticed. Where pages of the log are
     * missing, those count that are there when they are asked for: another process may have brought them in.
     */
    boolean hasReturned(int block) {
        return anyReturned && returned.contains(block);
    }

    /** Forgets what was there. */
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
            noteReturned(from, broughtTo); // before they are there: who finds them in memory is to know of it
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

    /** Asks the system; but who may wait, and knows the first page to be missing, does not. */
    private boolean isThere(long from, long to) {
        boolean isMissing = recent.isMissing(page(from)) && !DiskWaits.areForbidden();
        return !isMissing && storage.isResident(segment.memory, from, to - from);
    }

    private long page(long at) {
        return segment.position(at) >>> SHIFT;
    }

    /** Throws where this thread may not wait for the disk: before anything is noted of the page but that it is missing. */
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

    /** Takes note of pages that were stored to: they are there, as if somebody had asked. */
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
