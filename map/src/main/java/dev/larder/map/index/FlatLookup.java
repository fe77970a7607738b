package dev.larder.map.index;

import dev.larder.log.Position;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.log.random.PrefixCache;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Lookup.Found;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.Words;
import dev.larder.memory.raw.EarlyClasses;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The lookup of a key by addresses: it does what {@link Index#find} does, if all that it loads is in memory.
 *
 * <pre>
 *  1 first segment     2 directory          3 line of the page           4 record
 *                        hash -> page         tag -> position              word, header, key -> value
 *         |                  |
 *         +------------------+------------- 5 a fence, and both again: what was found counts if they are the same
 *
 *  6 copy of the value, a fence, and the first segment again
 * </pre>
 *
 * <p>Nothing here checks whether the memory is still mapped: it is, for ever, as zeros or as a later file (a {@code
 * KeptArena}). A segment is unmapped after the first segment has moved on, and the index after {@link #end}. So a thread that
 * has loaded something else than a record detects that in step 5 or 6.
 *
 * <p>Every number that leads to an address is loaded once, and bounded before use. Depth and page are bounded by the index,
 * the position and the length by the segment. So a damaged file, or zeros, lead to no address outside of a mapping.
 *
 * <p>The caller handles the other cases in the ordinary way: overflow lines, a claim that is not yet committed, a page that
 * may have left the memory. The same applies to a record to be verified, and to an index that changes just now.
 */
public final class FlatLookup {

    static {
        EarlyClasses.initialize(Seen.class);
    }

    private static final MemorySegment ALL = RawMemory.ALL;
    private static final int LAST_LINE = IndexPageLayout.GROUP_LINES - 1;

    /** What a word leads to. */
    private enum Seen {
        KEY,
        ANOTHER,
        UNCLEAR
    }

    private final LogRecords records;
    private final PackedPositions places;
    private final Deadlines deadlines;
    private final long first;
    private final long index;
    private final int pagesMax;
    private volatile boolean ended;

    private FlatLookup(IndexFile file, LogRecords records, PackedPositions places, Deadlines deadlines) {
        this.records = records;
        this.places = places;
        this.deadlines = deadlines;
        this.first = records.firstSegmentAddress();
        this.index = file.address();
        this.pagesMax = file.stepsMax();
    }

    /** Returns the lookup in an index; null if its memory, or the log's, is not kept mapped. */
    static @Nullable FlatLookup of(IndexFile file, LogRecords records, PackedPositions places, Deadlines deadlines) {
        boolean kept = RawMemory.IS_OPEN && file.address() != 0 && records.firstSegmentAddress() != 0;
        return kept ? new FlatLookup(file, records, places, deadlines) : null;
    }

    /** Ends this. The memory is given back afterwards: nothing that is found from now on counts. */
    void end() {
        ended = true;
    }

    /** Looks for a key; returns whether what was found counts. If not, the caller is to search in the ordinary way. */
    boolean find(Lookup key) {
        key.first = (int) Words.getVolatile(ALL, RawMemory.word(first));
        key.entryWord = directoryWord(key.partition, key.hash);
        int page = (int) key.entryWord - 1;
        if (page < 0 || page >= pagesMax || key.hasRecord()) {
            return false;
        }
        key.base = IndexMemory.base(page);
        return scan(key) && isUnchanged(key);
    }

    /** Returns the address of the page of a hash; 0 if it is not clear at once. */
    long pageOf(long hash) {
        return pageAt(directoryWord(Placement.partition(hash), hash));
    }

    /** Returns the address of the page that a word of the directory leads to; 0 if that is not clear at once. */
    long pageAt(long entryWord) {
        int page = (int) entryWord - 1;
        return page < 0 || page >= pagesMax ? 0 : index + IndexMemory.base(page);
    }

    /** Returns a get in one piece, which all threads may use. */
    public FlatGet get() {
        return new FlatGet(this, records, places, index);
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns the directory's word for a hash; 0 if it is not clear at once. */
    long directoryWord(int partition, long hash) {
        int depth = Directory.depthOf(ALL, index, partition);
        boolean sound = depth >= 0 && depth <= IndexWord.DEPTH_MAX;
        return sound ? Directory.find(ALL, index, partition, hash, depth) : 0;
    }

    private boolean scan(Lookup key) {
        int tag = Placement.tag(key.hash);
        int home = Placement.homeLine(tag);
        long group = index + key.base + IndexPageLayout.group(Placement.group(key.hash));
        for (int i = 0; i < IndexPageLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            long slot = group + (long) line * IndexPageLayout.LINE_BYTES;
            long end = slot + (line == LAST_LINE ? IndexPageLayout.LINK : IndexPageLayout.LINE_BYTES);
            for (; slot < end; slot += Long.BYTES) {
                long word = Words.getOpaque(ALL, RawMemory.word(slot));
                if (IndexWord.thawed(word) == IndexWord.EMPTY) {
                    key.foundNone(Found.EMPTY, slot - index, word);
                    return true;
                }
                if (IndexWord.tag(word) == tag && IndexWord.isOfKey(word)) {
                    Seen seen = look(key, slot - index, word);
                    if (seen != Seen.ANOTHER) {
                        return seen == Seen.KEY;
                    }
                }
            }
        }
        return false;
    }

    private Seen look(Lookup key, long slot, long word) {
        VarHandle.acquireFence();
        long position = places.position(IndexWord.place(word), key.first);
        HeldSegment there = records.ifHeld(Position.segment(position));
        if (there == null || (key.forHeadAlone && there.heads() != PrefixCache.NOT_KEPT)) {
            return Seen.UNCLEAR;
        }
        int length = there.lengthAtOnce(Position.offset(position), key.expectedLength);
        if (length < 0) {
            return Seen.UNCLEAR;
        }
        long at = RawMemory.word(there.address() + LogRecords.payload(position));
        int header = EntryLayout.header(ALL, at);
        if (!key.isKeyOf(ALL, at, length, header)) {
            return Seen.ANOTHER;
        }
        long deadline = EntryLayout.deadline(ALL, at, header);
        boolean past = deadlines.isPast(deadline, key);
        key.foundKey(slot, word, position, length, EntryLayout.uses((byte) header), deadline, past);
        key.valueAddress = at + EntryLayout.valueOffset(deadline, key.keyLength);
        key.valueLength = (int) (at + length - key.valueAddress);
        return EntryLayout.isApart((byte) header) ? lookApart(key, at, length) : Seen.KEY;
    }

    /**
     * Looks for the value that a reference leads to; if it is not clear at once, its address stays 0 for the caller to find
     * it.
     */
    private Seen lookApart(Lookup key, long at, int length) {
        if (!EntryLayout.isEntry(ALL, at, length)) {
            return Seen.UNCLEAR;
        }
        key.foundReference(ALL, at, length);
        key.valueAddress = 0;
        key.valueLength = key.apartLength;
        long pending = key.valuePosition;
        boolean sound = pending >= 0 && pending < key.position && (pending & Long.BYTES - 1) == 0;
        HeldSegment there = sound ? records.ifHeld(Position.segment(pending)) : null;
        int payloadLength = there == null ? -1 : there.lengthAtOnce(Position.offset(pending), 0);
        if (there != null && payloadLength >= 0) {
            long payload = RawMemory.word(there.address() + LogRecords.payload(pending));
            boolean within = PendingLayout.contains(ALL, payload, payloadLength, key.apartOffset, key.apartLength);
            key.valueAddress = within ? payload + key.apartOffset : 0;
        }
        return Seen.KEY;
    }

    /** Sets the word in a slot of the index, if it is still the same. The caller is pinned. */
    boolean compareAndSet(long slot, long expected, long word) {
        return Words.compareAndSet(ALL, RawMemory.word(index + slot), expected, word);
    }

    private boolean isUnchanged(Lookup key) {
        VarHandle.acquireFence();
        return Words.getOpaque(ALL, index + Directory.at(key.partition, key.entry())) == key.entryWord
                && (int) Words.getOpaque(ALL, first) == key.first
                && !ended;
    }

    /**
     * Copies the value that was found; returns whether the copy counts: its segment was not dropped meanwhile. That segment
     * is dropped no later than its record's.
     */
    public boolean copy(Lookup found, MemorySegment target, long at) {
        MemorySegment.copy(ALL, found.valueAddress, target, at, found.valueLength);
        VarHandle.acquireFence();
        return Position.segment(found.valuePosition) >= (int) Words.getOpaque(ALL, first) && !ended;
    }
}
