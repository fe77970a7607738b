package dev.larder.map.clean;

import dev.larder.log.Position;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexWalk;
import dev.larder.map.index.PageWords;
import dev.larder.map.shared.Epochs;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The records of a segment that words of the index name. Only these have to be carried or forgotten, and only these are read.
 *
 * <pre>
 *  segment   | dead | dead | a | dead | dead | dead | b | dead | ..      each record: a check, and a lookup
 *  index     | word of c | word of a | word of d | word of b |           each word: a comparison
 * </pre>
 *
 * <p>A walk over the index finds all of them, as one for a checkpoint does. The changes that could still make a word name the
 * segment have ended before, so words only cease to name it. {@link Relocator} looks up each record found once more.
 */
final class NamedRecords {

    private static final int FIRST_POSITIONS = 64;

    /** How many words of the index, or empty lines of it, are read in the time that one record takes. */
    private static final int WORDS_FOR_RECORD = 8;

    private static final long LINES_OF_PAGE = (long) IndexPageLayout.GROUPS * IndexPageLayout.GROUP_LINES;
    private static final long RECORD_MIN_BYTES = 32;

    private final Index index;
    private final Epochs changes;
    private long[] positions = new long[FIRST_POSITIONS];
    private int count;

    NamedRecords(Index index, Epochs changes) {
        this.index = index;
        this.changes = changes;
    }

    /**
     * Returns whether a walk over the index takes less time than one over a segment of so many bytes, assuming records of mean
     * length.
     */
    boolean areFoundSooner(long segmentBytes) {
        long entries = Math.max(1, index.count());
        long records = segmentBytes / Math.max(RECORD_MIN_BYTES, index.live().get() / entries);
        return index.steps() * LINES_OF_PAGE + entries <= records * WORDS_FOR_RECORD;
    }

    /** Hands over the positions of the records of a segment, page by page of the index, and sorted within a page. */
    void forEach(int segment, LongConsumer handler) {
        IndexWalk walk = new IndexWalk(index);
        while (findNext(walk, segment)) {
            Arrays.sort(positions, 0, count);
            for (int i = 0; i < count; i++) {
                handler.accept(positions[i]);
            }
        }
    }

    /** Notes the records that the next page names; returns false behind the last page. */
    private boolean findNext(IndexWalk walk, int segment) {
        count = 0;
        int line = changes.pinAnyway(); // a page being read is not reused meanwhile
        try {
            return walk.next((page, place) -> note(page, segment));
        } finally {
            changes.unpin(line);
        }
    }

    private void note(PageWords page, int segment) {
        PackedPositions places = index.places();
        int first = places.first();
        page.forEach((group, word) -> {
            long position = places.position(IndexWord.place(word), first);
            if (Position.segment(position) == segment && IndexWord.isOfKey(word)) {
                note(position);
            }
        });
    }

    private void note(long position) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
        }
        positions[count++] = position;
    }
}
