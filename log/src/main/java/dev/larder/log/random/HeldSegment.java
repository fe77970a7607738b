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
 * A segment whose records are looked at by their positions. What comes from the disk is checked, block by block, as a
 * reader does that comes by: see {@code ColdBlocks}. Counts as long as {@link LogRecords} hold it. Thread-safe.
 */
public final class HeldSegment {

    private static final long LINE_BYTES = 64;

    /** What no word is, as good as ever. */
    private static final long RARE = 0x5A17_93C6_0E2B_D48FL;

    /** The number of the segment. */
    final int number;

    final Segment segment;
    final Lane lane;
    private final LogSession session;
    private final IntegrityMode integrity;
    private final boolean checkingAll;

    /** Whether there is a block that was not in memory when the segment was mapped, so that nobody may have checked it. */
    private final boolean doubtful;

    /** The blocks that were brought in and checked against their seals. */
    private final BlockSet entered;

    /** Whether a block is checked as a whole; else each record by itself, at each look. */
    private final boolean sealed;

    private final ColdPages pages;

    /** Where its bytes are, as long as this process lives; 0 where they are not kept mapped. */
    private final long address;

    /** Behind the last byte of a record. */
    private final long recordsEnd;

    /** The same; 0 where no record can be looked at at once: its bytes may go, or are to be checked. */
    private final long atOnceEnd;

    private volatile PrefixCache heads = PrefixCache.NOT_KEPT;

    /** How many looks at a head had to wait for the disk; racy. */
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

    /** Returns the heads of its records, all that were committed; {@link PrefixCache#NOT_KEPT} where nobody has made them. */
    public PrefixCache heads() {
        return heads;
    }

    /**
     * Returns {@link #length(long)}, for who needs no more than the head of the record, and would rather have found {@link
     * #heads}: it is counted when that had to wait for the disk.
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

    /** They take too much, or cannot be made. */
    void refuseHeads() {
        headsRefused = true;
    }

    void keep(PrefixCache made) {
        heads = made;
    }

    /**
     * Returns the length of the payload of a record that is linked somewhere; commits it, if its owner has not come to that.
     * What of the record is not in memory is brought in by a call: no thread waits for the disk inside a page fault,
     * which would hold up all others.
     *
     * @throws CorruptException when there is no such record, or it was read from the disk and is not what was written
     */
    public int length(long position) {
        return length(position, 0);
    }

    /**
     * Returns the same, for who is about to read all of the record: the lines of it are asked of the memory together, before
     * its first word is there, which says how many they are.
     *
     * @param expected about how long it is, 0 where it will not be read: too much or too little costs time alone
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
     * Returns the length of the payload of a record, where it is committed, in memory as far as this process knows, and need
     * not be checked; -1 where that is not clear at once, and {@link #length(long, int)} is to be asked. Loads by address, so
     * that there may be anything, if the segment was dropped and unmapped: but from there on so many bytes are mapped.
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

    /** Does what {@link #fetch} does, of a range that is in memory. Most records have three lines at most: no loop is begun. */
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
        return new CorruptException(
                segment.path + ": no record is at position " + Position.toString(position) + ", where one is linked");
    }

    /**
     * Returns the error that a record's payload is not what its writer has put there, to be thrown.
     *
     * @param what is wrong with it
     */
    public CorruptException damaged(long position, String what) {
        return new CorruptException(
                segment.path + ": the record at position " + Position.toString(position) + " " + what);
    }

    /**
     * Commits a claim for its owner. Below the durable position every claim was settled before that was synced: one that is
     * found there is damage, and gets no sound check.
     */
    private void commitLinked(long position) {
        long at = Position.offset(position);
        boolean durable = position < session.durablePosition();
        long word = segment.wordAcquire(at); // after the durable position: its owner may have come to it meanwhile
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            if (durable || session.isReadOnly()) { // who only reads has links to committed records alone
                throw damaged(position, "was synced, and is a claim now");
            }
            segment.next(at, word); // fails where nobody can have claimed so many bytes
            commit(position);
        }
    }

    /** Loads from each line of a range but the first; what is done with it is of no use, but that the loads are made. */
    private void fetch(long at, long to) {
        long end = pages.warmEnd(at, Math.min(to, segment.limit));
        for (long line = (at & -LINE_BYTES) + LINE_BYTES; line < end; line += LINE_BYTES) {
            if (Words.getPlain(segment.memory, line) == RARE) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Loads a word of each line of a record, two lines at least, if they are in memory; else the system begins to read.
     * Returns 0 then, and where that is not in the segment any more.
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
            return 0; // it was dropped, and let go
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

    /** Makes a claim COMMITTED, whoever is its owner: the check is computed from what it holds. Returns the word then. */
    long commit(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) != RecordWord.RESERVED) {
            return word;
        }
        return commit(position, word, integrity == IntegrityMode.RECORD ? segment.crcOf(at, word) : 0);
    }

    /**
     * Does the same for its owner, who has something of his own to compute the check with. By address where that is possible: as
     * long as his claim stands, the segment is not dropped. Whoever else commits a record has no such hold, and uses the mapping.
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

    /** Takes note that a record was just stored here, of whose word it is. */
    void stored(long position, long word) {
        long at = Position.offset(position);
        pages.stored(at, segment.next(at, word));
    }

    /** Makes a claim padding; a record that somebody has committed stays one. */
    void abandon(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            int length = RecordWord.length(word);
            long padding = RecordWord.padding(segment.salt, position, length, RecordWord.KIND_ABANDONED);
            Words.compareAndSet(segment.memory, at, word, padding);
        }
    }

    /** Brings in, and checks, those blocks of a range that nobody has checked, where they are checked as a whole. */
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

    /** Checks a record by itself, if any of it has come from the disk since it was written, as far as this process knows. */
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

    /** Brings a block in and checks its seals; what fails is checked again by the next one who comes. */
    private void enter(int block) {
        long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
        new ColdBlocks(session, SegmentLayout.BLOCK_BYTES).enter(segment, start);
        entered.add(block);
    }
}
