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

    /** Every word gets FROZEN: nothing in the step changes any more. */
    void freeze() {
        Words.getAndOr(memory, base + IndexPageLayout.OVERFLOW, IndexWord.FROZEN);
        for (long at = base + IndexPageLayout.GROUPS_AT; at < base + IndexPageLayout.BYTES; at += 8) {
            Words.getAndOr(memory, at, IndexWord.FROZEN);
        }
    }

    PageWords words() {
        return new PageWords(memory, base);
    }

    /** Returns the entry of the step with which it was one, before its last split. */
    int neighbour() {
        return entry ^ (1 << (depth() - 1));
    }
}
