package dev.larder.log.random;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.MissingPages;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.read.ColdBlocks;
import dev.larder.log.segment.BlockSet;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * A segment whose records are read by their positions. Blocks that come from the disk are checked one by one, as a passing
 * reader does: see {@code ColdBlocks}. Valid as long as {@link LogRecords} hold it. Thread-safe.
 */
public final class HeldSegment {

    private static final long LINE_BYTES = 64;

    /** A value that no word has, for all practical purposes. */
    private static final long RARE = 0x5A17_93C6_0E2B_D48FL;

    /** The number of the segment. */
    final int number;

    final Segment segment;
    final Lane lane;
    private final LogSession session;
    private final IntegrityMode integrity;
    private final boolean checkingAll;

    /** Whether some block was not in memory when the segment was mapped, so that it may be unchecked. */
    private final boolean doubtful;

    /** The blocks that were loaded and checked against their seals. */
    private final BlockSet entered;

    /** Whether a block is checked as a whole; else each record is checked by itself, at each read. */
    private final boolean sealed;

    private final ColdPages pages;

    /** The address of its bytes, valid for the life of this process; 0 where they are not kept mapped. */
    private final long address;

    /** Behind the last byte of a record. */
    private final long recordsEnd;

    /** The same; 0 where no record can be read at once, because its bytes may go or must be checked. */
    private final long atOnceEnd;

    private volatile PrefixCache heads = PrefixCache.NOT_KEPT;

    /** How many reads of a head had to wait for the disk; racy. */
    private int headsMissed;

    private volatile boolean headsRefused;

    HeldSegment(LogSession session, Segment segment, Lane lane, MissingPages missing, RecentPages recent) {
        this.session = session;
        this.segment = segment;
        this.number = segment.number;
        this.address = segment.address;
        this.recordsEnd = segment.limit - Segment.END_ROOM_BYTES;
        this.lane = lane;
        this.integrity = session.control.integrity();
        this.sealed = integrity == IntegrityMode.SEAL;
        this.checkingAll = session.options.access().verifyReads();
        this.entered = new BlockSet(segment.limit);
        this.pages = new ColdPages(segment, session.storage, missing, recent);
        this.doubtful = checkingAll || hasAbsentBlocks(segment);
        this.atOnceEnd = address == 0 || doubtful ? 0 : recordsEnd;
        if (segment.number < session.control.tailAcquire()) {
            segment.expect(AccessOrder.RANDOM, session.storage);
        }
    }

    private static boolean hasAbsentBlocks(Segment segment) {
        for (int block = 0; block < SegmentLayout.blocks(segment.limit); block++) {
            if (segment.wasAbsent(block)) {
                return true;
            }
        }
        return false;
    }

    /** Returns all of its bytes, to fill a claim: its payload begins at {@link LogRecords#payload}. */
    public MemorySegment claimed() {
        return segment.memory;
    }

    /** Returns all of its bytes, read-only: the payload of a record begins at {@link LogRecords#payload}. */
    public MemorySegment bytes() {
        return segment.view;
    }

    /** Returns the heads of all its committed records; {@link PrefixCache#NOT_KEPT} where they have not been made. */
    public PrefixCache heads() {
        return heads;
    }

    /**
     * Returns {@link #length(long)}, for a caller that needs only the head of the record and did not find it in
     * {@link #heads}. Counts the call when it had to wait for the disk.
     */
    public int lengthForHead(long position) {
        int missedBefore = pages.missed();
        int length = length(position);
        if (pages.missed() != missedBefore) {
            headsMissed++;
        }
        return length;
    }

    int headsMissed() {
        return headsMissed;
    }

    boolean mayKeepHeads() {
        return heads == PrefixCache.NOT_KEPT && !headsRefused;
    }

    /** Records that the heads take too much memory, or cannot be made. */
    void refuseHeads() {
        headsRefused = true;
    }

    void keep(PrefixCache made) {
        heads = made;
    }

    /**
     * Returns the length of the payload of a record that is linked somewhere; commits the record if its owner has not yet done
     * so. A call loads the bytes that are not in memory. A thread that waits for the disk inside a page fault would hold up
     * all others.
     *
     * @throws CorruptException when there is no such record, or it was read from the disk and is not what was written
     */
    public int length(long position) {
        return length(position, 0);
    }

    /**
     * Returns the same, for a caller that is about to read all of the record. The lines of the record are loaded together,
     * before its first word arrives, which contains its length.
     *
     * @param expected about how long it is, 0 where it will not be read; a wrong value costs time alone
     */
    public int length(long position, int expected) {
        int length = lengthOfCommitted(position, expected);
        if (length < 0) {
            session.wake.committed();
            length = lengthOfCommitted(position, expected);
        }
        return length;
    }

    /** Returns -1 when the record was a claim, and is committed now. */
    private int lengthOfCommitted(long position, int expected) {
        long at = Position.offset(position);
        if (at > segment.limit - Segment.END_ROOM_BYTES) {
            throw noRecord(position);
        }
        enterBlocks(at, at);
        pages.enter(at, expected);
        fetch(at, at + RecordWord.BYTES + expected);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            commitLinked(position);
            return -1;
        }
        if (RecordWord.state(word) != RecordWord.COMMITTED) {
            throw noRecord(position);
        }
        long next = segment.next(at, word);
        enterBlocks(at, next - 1);
        pages.enterRest(at, next);
        if (!sealed) {
            check(at, next - 1, word);
        }
        return RecordWord.length(word);
    }

    /** Returns the address of its first byte, which is mapped for ever: see {@link #lengthAtOnce}. */
    public long address() {
        return address;
    }

    /**
     * Returns the length of the payload of a record that is committed, in memory as far as this process knows, and needs no
     * check. Returns -1 where that is not clear at once; the caller then uses {@link #length(long, int)}. This loads by
     * address: if the segment was dropped and unmapped, the bytes may be anything, but as many as the length are mapped.
     *
     * @param at its offset, a multiple of 8
     * @param expected about how long it is, 0 where it will not be read
     */
    public int lengthAtOnce(long at, int expected) {
        if (at >= atOnceEnd || !pages.areInMemory(at)) {
            return -1;
        }
        long to = at + RecordWord.BYTES + expected;
        fetchByAddress(at, ColdPages.isOnePage(at, to) ? to : pages.warmEnd(at, Math.min(to, segment.limit)));
        long word = Words.getAcquire(RawMemory.ALL, RawMemory.word(address + at));
        long end = at + RecordWord.sizeBytes(RecordWord.length(word));
        boolean clear = RecordWord.state(word) == RecordWord.COMMITTED && end <= recordsEnd && pages.isWarmTo(at, end);
        return clear ? RecordWord.length(word) : -1;
    }

    /**
     * Does what {@link #fetch} does, for a range that is in memory. Most records have three lines at most, and need no loop.
     */
    private void fetchByAddress(long at, long to) {
        long second = ((address + at) & -LINE_BYTES) + LINE_BYTES;
        long last = (address + to - 1) & -LINE_BYTES;
        if (second <= last) {
            load(second);
            load(last);
            if (last > second + LINE_BYTES) {
                loadBetween(second, last);
            }
        }
    }

    private static void loadBetween(long second, long last) {
        for (long line = second + LINE_BYTES; line < last; line += LINE_BYTES) {
            load(line);
        }
    }

    private static void load(long line) {
        if (Words.getPlain(RawMemory.ALL, RawMemory.word(line)) == RARE) {
            Thread.onSpinWait();
        }
    }

    private CorruptException noRecord(long position) {
        return new CorruptException(segment.path + ": no record is at position " + Position.toString(position)
                + ", to which a link points");
    }

    /**
     * Returns the error for a record whose payload is not what its writer stored. The caller throws it.
     *
     * @param what is wrong with it
     */
    public CorruptException damaged(long position, String what) {
        return new CorruptException(
                segment.path + ": the record at position " + Position.toString(position) + " " + what);
    }

    /**
     * Commits a claim for its owner. Every claim below the durable position was settled before the sync: a claim that is found
     * there is damage, and gets no sound check.
     */
    private void commitLinked(long position) {
        long at = Position.offset(position);
        boolean durable = position < session.durablePosition();
        long word = segment.wordAcquire(at); // after the durable position: its owner may have committed it meanwhile
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            if (durable || session.isReadOnly()) { // a read-only opening has links to committed records alone
                throw damaged(position, "was synced, but is not committed");
            }
            segment.next(at, word); // fails where so many bytes cannot have been claimed
            commit(position);
        }
    }

    /** Loads from each line of a range but the first. The loaded values are not used; only the loads matter. */
    private void fetch(long at, long to) {
        long end = pages.warmEnd(at, Math.min(to, segment.limit));
        for (long line = (at & -LINE_BYTES) + LINE_BYTES; line < end; line += LINE_BYTES) {
            if (Words.getPlain(segment.memory, line) == RARE) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Loads a word of each line of a record, two lines at least, if they are in memory. Else starts a read by the system, and
     * returns 0; it also returns 0 where the segment no longer has the record.
     */
    long touch(long at, int expected) {
        try {
            if (at + RecordWord.BYTES > segment.limit) {
                return 0;
            }
            if (pages.isWarm(at)) {
                return sum(at, at + RecordWord.BYTES + Math.max(expected, LINE_BYTES));
            }
            pages.expect(at);
            return 0;
        } catch (IllegalStateException e) {
            return 0; // the segment was dropped and released
        }
    }

    private long sum(long at, long to) {
        long end = pages.warmEnd(at, Math.min(to, segment.limit));
        long sum = 0;
        for (long line = at; line < end; line = (line & -LINE_BYTES) + LINE_BYTES) {
            sum += Words.getPlain(segment.memory, line);
        }
        return sum;
    }

    /** Forgets which pages were in memory. */
    void forgetPages() {
        pages.forget();
    }

    /**
     * Makes a claim COMMITTED, whichever process owns it. Computes the check from the claim's bytes, and returns the word
     * after that.
     */
    long commit(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) != RecordWord.RESERVED) {
            return word;
        }
        return commit(position, word, integrity == IntegrityMode.RECORD ? segment.crcOf(at, word) : 0);
    }

    /**
     * Does the same for the claim's owner, which has its own object to compute the check with. By address where that is
     * possible: as long as the claim stands, the segment is not dropped. Any other thread that commits a record has no such
     * hold, and uses the mapping.
     */
    long commit(OpenClaim claim) {
        return RawMemory.IS_OPEN && address != 0 ? commitByAddress(claim) : commitMapped(claim);
    }

    private long commitByAddress(OpenClaim claim) {
        long at = Position.offset(claim.position());
        long wordAt = RawMemory.word(address + at);
        long word = Words.getAcquire(RawMemory.ALL, wordAt);
        if (RecordWord.state(word) != RecordWord.RESERVED) {
            return word;
        }
        int length = RecordWord.length(word);
        int crc =
                integrity == IntegrityMode.RECORD ? claim.crc().over(segment.memory, at + RecordWord.BYTES, length) : 0;
        if (integrity == IntegrityMode.RECORD) {
            AccessErrors.deliver(); // a check of bytes that could not be read must not be published
        }
        long committed = RecordWord.committed(segment.salt, claim.position(), length, crc);
        boolean set = Words.compareAndSet(RawMemory.ALL, wordAt, word, committed);
        return set ? committed : Words.getAcquire(RawMemory.ALL, wordAt);
    }

    private long commitMapped(OpenClaim claim) {
        long at = Position.offset(claim.position());
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) != RecordWord.RESERVED) {
            return word;
        }
        int crc = integrity == IntegrityMode.RECORD
                ? claim.crc().over(segment.memory, at + RecordWord.BYTES, RecordWord.length(word))
                : 0;
        return commit(claim.position(), word, crc);
    }

    private long commit(long position, long word, int crc) {
        AccessErrors.deliver(); // a check of bytes that could not be read must not be published
        long at = Position.offset(position);
        long committed = RecordWord.committed(segment.salt, position, RecordWord.length(word), crc);
        return Words.compareAndSet(segment.memory, at, word, committed) ? committed : segment.wordAcquire(at);
    }

    /** Records that a record was just stored here, which has the given word. */
    void stored(long position, long word) {
        long at = Position.offset(position);
        pages.stored(at, segment.next(at, word));
    }

    /** Makes a claim padding; a record that another thread has committed stays committed. */
    void abandon(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            int length = RecordWord.length(word);
            long padding = RecordWord.padding(segment.salt, position, length, RecordWord.KIND_ABANDONED);
            Words.compareAndSet(segment.memory, at, word, padding);
        }
    }

    /** Loads and checks the unchecked blocks of a range, where blocks are checked as a whole. */
    private void enterBlocks(long at, long last) {
        if (sealed && doubtful) {
            for (int block = blockOf(at); block <= blockOf(last); block++) {
                enterUnlessChecked(block);
            }
        }
    }

    private void enterUnlessChecked(int block) {
        if (wasAbsent(block) && !entered.contains(block)) {
            enter(block);
        }
    }

    /** Checks a record by itself, if this process knows that any of it has come from the disk since it was written. */
    private void check(long at, long last, long word) {
        boolean came = false;
        for (int block = blockOf(at); block <= blockOf(last) && !came; block++) {
            came = (doubtful && wasAbsent(block)) || pages.hasReturned(block);
        }
        if (came && !segment.isSound(at, word, integrity)) {
            throw new CorruptException(segment.path + ": the record at position "
                    + Position.toString(segment.position(at)) + " fails its check");
        }
    }

    private static int blockOf(long at) {
        return (int) (at >>> SegmentLayout.BLOCK_SHIFT);
    }

    private boolean wasAbsent(int block) {
        return checkingAll || segment.wasAbsent(block);
    }

    /** Loads a block and checks its seals. A block that fails is checked again by the next thread that needs it. */
    private void enter(int block) {
        long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
        new ColdBlocks(session, SegmentLayout.BLOCK_BYTES).enter(segment, start);
        entered.add(block);
    }
}
