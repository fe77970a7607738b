package dev.larder.map.index;

import dev.larder.log.random.LogRecords;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.LiveBytes;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * Links records of keys that the index does not hold, a group of them at once, by addresses. It does for a group what {@link
 * Index#find} and {@link Index#link} do for one.
 *
 * <pre>
 *  locate    the page of each hash, its line        in the cache, as a rule
 *  lines     load the first word of each            a miss each, together
 *  link      no word with the tag, then EMPTY       EMPTY: compare-and-set to the word of the record
 * </pre>
 *
 * <p>The caller is pinned, so the page that the directory named is not allocated again meanwhile. If the page is rebuilt, its
 * EMPTY words are frozen before it is copied, and the compare-and-set fails. A thread that links the same key meanwhile uses
 * the same slot, which is the first EMPTY one in the search order of their tag. So a word that was set here counts, without
 * another search.
 *
 * <p>The caller handles the other cases: a word with the same tag, of this key or another, a page that is being rebuilt, a
 * group without room.
 */
public final class FlatLink {

    /** How many records are linked at once, at most. */
    public static final int SIZE = Long.SIZE;

    private static final MemorySegment ALL = RawMemory.ALL;
    private static final int LINE_WORDS = IndexPageLayout.LINE_BYTES / Long.BYTES;
    private static final int LAST_LINE = IndexPageLayout.GROUP_LINES - 1;

    private final FlatLookup pages;
    private final PackedPositions places;
    private final LiveBytes live;
    private final long[] page = new long[SIZE];
    private final long[] group = new long[SIZE];

    /** The sink of loads that only fetch a cache line, so that the compiler cannot leave them out. */
    @SuppressWarnings("UnusedVariable") // the store keeps the loads
    private long loaded;

    FlatLink(FlatLookup pages, PackedPositions places, LiveBytes live) {
        this.pages = pages;
        this.places = places;
        this.live = live;
    }

    /**
     * Links as many of some records as it can.
     *
     * @param hashes the hashes of their keys, from {@code from} to {@code to}
     * @param lengths the lengths of their payloads
     * @param first the position of the first; the others lie behind it without a gap
     * @return a bit for each that is linked, the lowest for the first
     */
    public long link(long[] hashes, int[] lengths, int from, int to, long first) {
        int count = to - from;
        for (int i = 0; i < count; i++) {
            locate(i, hashes[from + i]);
        }
        loaded = loadLines(hashes, from, count);
        long linked = 0;
        long bytes = 0;
        long position = first;
        for (int i = 0; i < count; i++) {
            long size = LogRecords.sizeBytes(lengths[from + i]);
            if (page[i] != 0 && link(i, hashes[from + i], position)) {
                linked |= 1L << i;
                bytes += size;
            }
            position += size;
        }
        live.changed(-1, 0, first, bytes);
        return linked;
    }

    private void locate(int i, long hash) {
        page[i] = pages.pageOf(hash);
        group[i] = page[i] + IndexPageLayout.group(Placement.group(hash));
    }

    /** Returns a sum of no use, only so that the loads are made. */
    private long loadLines(long[] hashes, int from, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (page[i] != 0) {
                int home = Placement.homeLine(Placement.tag(hashes[from + i]));
                sum += Words.getPlain(ALL, group[i] + (long) home * IndexPageLayout.LINE_BYTES);
            }
        }
        return sum;
    }

    private boolean link(int i, long hash, long position) {
        int tag = Placement.tag(hash);
        long slot = emptySlot(page[i], group[i], tag);
        boolean linked = slot != 0
                && Words.compareAndSet(ALL, slot, IndexWord.EMPTY, IndexWord.of(tag, places.place(position), false));
        if (linked) {
            Words.getAndAdd(ALL, page[i] + IndexPageLayout.ALIVE, 1);
        }
        return linked;
    }

    /** Returns the first EMPTY slot in the search order of a tag; 0 if a word with that tag comes first, or there is none. */
    private static long emptySlot(long page, long group, int tag) {
        int home = Placement.homeLine(tag);
        for (int i = 0; i < IndexPageLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            int words = line == LAST_LINE ? LINE_WORDS - 1 : LINE_WORDS;
            long at = group + (long) line * IndexPageLayout.LINE_BYTES;
            int filled = filled(at, words, tag);
            if (filled < words) {
                return filled < 0 ? 0 : at + (long) filled * Long.BYTES;
            }
        }
        return emptyOverflowSlot(page, group + IndexPageLayout.GROUP_BYTES - Long.BYTES, tag);
    }

    private static long emptyOverflowSlot(long page, long firstLink, int tag) {
        long link = firstLink;
        for (int i = 0; i < IndexPageLayout.OVERFLOW_LINES; i++) {
            long number = Words.getAcquire(ALL, link);
            if (number <= 0 || number > IndexPageLayout.OVERFLOW_LINES) {
                return 0; // none, frozen, or damaged
            }
            long at = page + IndexPageLayout.overflowLine(number);
            int filled = filled(at, LINE_WORDS - 1, tag);
            if (filled < LINE_WORDS - 1) {
                return filled < 0 ? 0 : at + (long) filled * Long.BYTES;
            }
            link = at + IndexPageLayout.LINK;
        }
        return 0;
    }

    /**
     * Returns how many words of a line are filled, or -1 if one has the tag, or is EMPTY and frozen. A line is filled from
     * its beginning; if other threads fill it meanwhile, the slot that the number names is no longer EMPTY. The loop has no
     * branches, as the processor cannot predict how far a line is filled.
     */
    private static int filled(long line, int words, int tag) {
        int filled = 0;
        long met = 0;
        for (int i = 0; i < words; i++) {
            long word = Words.getOpaque(ALL, line + (long) i * Long.BYTES);
            filled += 1 - isZero(word);
            met |= isZero(IndexWord.tag(word) ^ tag) | isZero(word ^ IndexWord.FROZEN);
        }
        return met == 0 ? filled : -1;
    }

    private static int isZero(long word) {
        return (int) (~(word | -word) >>> (Long.SIZE - 1));
    }
}
