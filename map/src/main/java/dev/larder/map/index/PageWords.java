package dev.larder.map.index;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The words of a page that is frozen, or of which a slightly old copy is enough. */
public final class PageWords {

    /** Receives a word that is not empty, thawed, and its group. */
    @FunctionalInterface
    public interface WordHandler {
        void onWord(int group, long word);

        /** Receives the word with the offset of its slot. */
        default void onSlot(int group, long at, long word) {
            onWord(group, word);
        }
    }

    /** Takes down slots. */
    private static final class Slots implements WordHandler {

        private long[] offsets = new long[Long.SIZE];
        private int count;

        @Override
        public void onWord(int group, long word) {
            throw new AssertionError("a word without its slot");
        }

        @Override
        public void onSlot(int group, long at, long word) {
            if (count == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * count);
            }
            offsets[count++] = at;
        }
    }

    private static final int MANY = IndexPageLayout.CAPACITY / 10 * 7;

    private final MemorySegment memory;
    private final long base;
    private final int tagBits;
    private final int tagMask;

    public PageWords(MemorySegment memory, long base) {
        this(memory, base, 0, 0);
    }

    private PageWords(MemorySegment memory, long base, int tagBits, int tagMask) {
        this.memory = memory;
        this.base = base;
        this.tagBits = tagBits;
        this.tagMask = tagMask;
    }

    /** Returns only the words whose hashes end with {@code depth} bits of a prefix. */
    PageWords of(int depth, int prefix) {
        return new PageWords(memory, base, prefix, (1 << depth) - 1);
    }

    /** Copies the words of keys into memory of zeros, as a checkpoint stores them; they are the words of a place. */
    public void copyTo(MemorySegment empty, long place) {
        new PageBuilder(empty, 0, place).addAll(this);
    }

    /**
     * Passes on the words of keys of a page that other threads change, at most one of each key.
     *
     * <p>A key may be forgotten meanwhile, which leaves its slot dead, and put again into an empty slot. A walk that read the
     * one before and the other after that would pass on both words, and the older one might come back later. So each word is
     * read when all slots of its group were seen: if the later slot was, the former one was dead by then. A key that is left out
     * was put after the walk had begun, and those records are replayed.
     */
    public void forEachKey(WordHandler handler) {
        Slots seen = new Slots();
        for (int group = 0; group < IndexPageLayout.GROUPS; group++) {
            seen.count = 0;
            forEachOf(group, seen);
            for (int i = 0; i < seen.count; i++) {
                long word = IndexWord.thawed(Words.getAcquire(memory, seen.offsets[i]));
                if (IndexWord.isOfKey(word)) {
                    handler.onWord(group, word);
                }
            }
        }
    }

    /** Passes on every word that is not empty: of entries, of removals, and dead ones. */
    public void forEach(WordHandler handler) {
        for (int group = 0; group < IndexPageLayout.GROUPS; group++) {
            forEachOf(group, handler);
        }
    }

    /** Passes on every word of one group that is not empty. */
    public void forEachOf(int group, WordHandler handler) {
        long start = base + IndexPageLayout.group(group);
        long link = start + IndexPageLayout.GROUP_BYTES - 8;
        forEach(handler, group, start, link);
        long next = IndexWord.thawed(Words.getAcquire(memory, link));
        while (next != 0) {
            long line = base + IndexPageLayout.overflowLine(next);
            link = line + IndexPageLayout.LINK;
            forEach(handler, group, line, link);
            next = IndexWord.thawed(Words.getAcquire(memory, link));
        }
    }

    /** Goes line by line, up to its first empty slot: a line is filled from its beginning, and no slot of it is emptied. */
    private void forEach(WordHandler handler, int group, long from, long to) {
        for (long line = from; line < to; line += IndexPageLayout.LINE_BYTES) {
            forEachOfLine(handler, group, line, Math.min(to, line + IndexPageLayout.LINE_BYTES));
        }
    }

    /** Counts in an int: for a counter that is a long, the JIT compiler makes code whose checks fail, again and again. */
    private void forEachOfLine(WordHandler handler, int group, long line, long end) {
        int slots = (int) (end - line) / 8;
        for (int slot = 0; slot < slots; slot++) {
            long word = IndexWord.thawed(Words.getAcquire(memory, line + 8L * slot));
            if (word == IndexWord.EMPTY) {
                return;
            }
            if ((IndexWord.tag(word) & tagMask) == tagBits) {
                handler.onSlot(group, line + 8L * slot, word);
            }
        }
    }

    /** Returns how many words of keys it has. */
    int count() {
        int[] count = {0};
        forEach((group, word) -> count[0] += IndexWord.isOfKey(word) ? 1 : 0);
        return count[0];
    }

    /**
     * Returns whether the page's count differs from its words. A change in progress may look so, too. A part of a page has no
     * count of its own.
     */
    boolean isMiscounted() {
        long before = Words.getAcquire(memory, base + IndexPageLayout.ALIVE);
        long[] alive = {0};
        forEach((group, word) -> alive[0] += IndexWord.isAlive(word) ? 1 : 0);
        return tagMask == 0 && alive[0] != before && Words.getAcquire(memory, base + IndexPageLayout.ALIVE) == before;
    }

    /**
     * Returns whether a copy without the dead words would soon be full again. A page that has overflow lines left was frozen
     * to become one with its neighbour: a copy of it has room.
     */
    boolean needsTwo() {
        return isFull() && isMostlyAlive();
    }

    private boolean isFull() {
        long lines = IndexWord.thawed(Words.getAcquire(memory, base + IndexPageLayout.OVERFLOW));
        return lines >= IndexPageLayout.OVERFLOW_LINES;
    }

    /**
     * Most full pages are mostly alive by their count, which saves a walk of their words. It may lack what killed processes
     * did.
     */
    private boolean isMostlyAlive() {
        if (Words.getAcquire(memory, base + IndexPageLayout.ALIVE) >= MANY) {
            return true;
        }
        int[] counts = new int[2];
        forEach((group, word) -> counts[IndexWord.isOfKey(word) ? 0 : 1]++);
        return counts[0] >= MANY || counts[0] >= 3 * counts[1];
    }
}
