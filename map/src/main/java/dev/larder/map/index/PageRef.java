package dev.larder.map.index;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * A page as a pinned thread found it in the directory: its memory is not allocated again until that thread has left.
 *
 * @param partition the directory's part
 * @param entry the entry of the directory
 * @param word the word of that entry
 * @param memory the memory of the page, from {@code base} on
 */
record PageRef(int partition, int entry, long word, MemorySegment memory, long base) {

    int step() {
        return Directory.step(word);
    }

    int depth() {
        return Directory.depth(word);
    }

    long alive() {
        return Words.getAcquire(memory, base + IndexPageLayout.ALIVE);
    }

    long decision() {
        return Words.getAcquire(memory, base + IndexPageLayout.DECISION);
    }

    /** Sets the decision, if it is still as expected; returns what is decided. */
    long decide(long expected, long decision) {
        boolean mine = Words.compareAndSet(memory, base + IndexPageLayout.DECISION, expected, decision);
        return mine ? decision : decision();
    }

    /**
     * Freezes the page, so that nothing in it changes any more: every word that a writer may change gets FROZEN. In a line
     * those are the words up to the first EMPTY one, at which every search ends.
     */
    void freeze() {
        long taken = IndexWord.thawed(Words.getAndOr(memory, base + IndexPageLayout.OVERFLOW, IndexWord.FROZEN));
        for (long line = base + IndexPageLayout.GROUPS_AT;
                line < base + IndexPageLayout.OVERFLOW_AT;
                line += IndexPageLayout.LINE_BYTES) {
            freezeLine(line);
        }
        for (long number = 1; number <= Math.min(taken, IndexPageLayout.OVERFLOW_LINES); number++) {
            freezeLine(base + IndexPageLayout.overflowLine(number));
        }
    }

    private void freezeLine(long line) {
        for (long at = line; at < line + IndexPageLayout.LINE_BYTES; at += 8) {
            long word = Words.getAndOr(memory, at, IndexWord.FROZEN);
            if (IndexWord.thawed(word) == IndexWord.EMPTY) {
                return;
            }
        }
    }

    PageWords words() {
        return new PageWords(memory, base);
    }

    /** Returns whether a thread has begun to freeze it. */
    boolean isFrozen() {
        return IndexWord.isFrozen(Words.getAcquire(memory, base + IndexPageLayout.OVERFLOW));
    }

    /** Returns the entry of the page with which this one was one page, before its last split. */
    int neighbour() {
        return entry ^ (1 << (depth() - 1));
    }
}
