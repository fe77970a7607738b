package dev.larder.map.index;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * A step as it was found in the directory, by who is pinned: its memory is not given out again until he has left.
 *
 * @param partition the directory's part
 * @param entry the entry of the directory
 * @param word what stood there
 * @param memory where the step lies, from {@code base} on
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

    /** Decides, where nobody has since; returns what is decided. */
    long decide(long expected, long decision) {
        boolean mine = Words.compareAndSet(memory, base + IndexPageLayout.DECISION, expected, decision);
        return mine ? decision : decision();
    }

    /**
     * Nothing in the step changes any more: every word that a writer may change gets FROZEN. Of a line those are the words up to
     * the first EMPTY one, at which every look ends.
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

    /** Returns whether somebody has begun to freeze it. */
    boolean isFrozen() {
        return IndexWord.isFrozen(Words.getAcquire(memory, base + IndexPageLayout.OVERFLOW));
    }

    /** Returns the entry of the step with which it was one, before its last split. */
    int neighbour() {
        return entry ^ (1 << (depth() - 1));
    }
}
