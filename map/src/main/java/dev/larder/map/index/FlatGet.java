package dev.larder.map.index;

import dev.larder.log.Position;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A get in one piece: lookup by addresses, copy of the value, and one check that all of it counts. Keeps nothing of a call.
 *
 * <pre>
 *  1 first segment     2 directory          3 lines of the group       4 record                     5 copy
 *                        hash -> page         tag -> position              word, header, key -> value
 *         |                  |
 *         +------------------+------------- 6 a fence, and both again: the copy counts if they are the same
 * </pre>
 *
 * <p>{@link FlatLookup} explains why no load can fail, and leaves the same cases to its caller. This class also leaves the
 * caller each entry that is not plain: a removal, one with a deadline, which needs a clock, or a value in another record.
 */
public final class FlatGet {

    /** Returned if the map has no entry. */
    public static final int ABSENT = -1;

    /** Returned if that is not clear at once, and the caller is to search in the ordinary way. */
    public static final int UNCLEAR = -2;

    private static final MemorySegment ALL = RawMemory.ALL;
    private static final int LAST_LINE = IndexPageLayout.GROUP_LINES - 1;

    private final FlatLookup pages;
    private final LogRecords records;
    private final PackedPositions places;
    private final long first;
    private final long index;

    /**
     * The likely length of the next record, updated by one get in 32. Otherwise threads that get values of different lengths
     * would take the cache line from each other. Racy: a wrong length costs only time.
     */
    private final ExpectedLength lengths = new ExpectedLength();

    FlatGet(FlatLookup pages, LogRecords records, PackedPositions places, long index) {
        this.pages = pages;
        this.records = records;
        this.places = places;
        this.first = records.firstSegmentAddress();
        this.index = index;
    }

    /**
     * Copies the value of a key to a place with {@code room} bytes, if it fits; returns its length, {@link #ABSENT} or {@link
     * #UNCLEAR}. If that is unclear, anything may have been copied.
     *
     * <p>This is one method on purpose. The compiler inlines no method of more than 325 bytes, so the call stays a call. Its
     * return delivers the error of an access that was not served ({@link dev.larder.memory.AccessErrors}), inside the
     * caller's {@code try}.
     *
     * @param keyAddress the address of its bytes; not used if there are 8, which are {@code keyWord}
     */
    public int copy(long hash, long keyWord, long keyAddress, int keyLength, MemorySegment target, long to, long room) {
        int firstBefore = (int) Words.getVolatile(ALL, RawMemory.word(first));
        int partition = Placement.partition(hash);
        long entryWord = pages.directoryWord(partition, hash);
        long page = pages.pageAt(entryWord);
        if (page == 0) {
            return UNCLEAR;
        }
        int found = UNCLEAR;
        int tag = Placement.tag(hash);
        int home = Placement.homeLine(tag);
        long group = page + IndexPageLayout.group(Placement.group(hash));
        scan:
        for (int i = 0; i < IndexPageLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            long slot = group + (long) line * IndexPageLayout.LINE_BYTES;
            long end = slot + (line == LAST_LINE ? IndexPageLayout.LINK : IndexPageLayout.LINE_BYTES);
            for (; slot < end; slot += Long.BYTES) {
                long word = Words.getOpaque(ALL, RawMemory.word(slot));
                if (IndexWord.thawed(word) == IndexWord.EMPTY) {
                    found = ABSENT;
                    break scan;
                }
                if (IndexWord.tag(word) != tag || !IndexWord.isOfKey(word)) {
                    continue;
                }
                VarHandle.acquireFence();
                long position = places.position(IndexWord.place(word), firstBefore);
                HeldSegment there = records.ifHeld(Position.segment(position));
                int length = there == null ? UNCLEAR : there.lengthAtOnce(Position.offset(position), lengths.bytes());
                if (there == null || length < 0 || IndexWord.isRemoval(word)) {
                    break scan;
                }
                long at = RawMemory.word(there.address() + LogRecords.payload(position));
                int header = EntryLayout.header(ALL, at);
                boolean same = keyLength == Long.BYTES
                        ? EntryLayout.hasKey(ALL, at, length, header, keyWord)
                        : EntryLayout.hasKey(ALL, at, length, header, ALL, RawMemory.word(keyAddress), keyLength);
                if (same && !EntryLayout.isPlain((byte) header)) {
                    break scan;
                }
                if (same) {
                    if (Placement.isSample(hash)) {
                        lengths.met(length);
                    }
                    int before = EntryLayout.valueOffset(keyLength);
                    found = length - before;
                    if (found <= room) {
                        MemorySegment.copy(ALL, at + before, target, to, found);
                    }
                    break scan;
                }
            }
        }
        VarHandle.acquireFence();
        int entry = Placement.entry(hash, Directory.depth(entryWord));
        boolean counts = Words.getOpaque(ALL, RawMemory.word(index + Directory.at(partition, entry))) == entryWord
                && (int) Words.getOpaque(ALL, RawMemory.word(first)) == firstBefore
                && !pages.isEnded();
        return counts ? found : UNCLEAR;
    }
}
