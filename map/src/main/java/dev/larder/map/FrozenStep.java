package dev.larder.map;

import java.lang.foreign.MemorySegment;

/** The words of a step that is frozen, or of which a copy is wanted that may be a little old. */
final class FrozenStep {

    /** Takes a word that is not empty, thawed, and its group. */
    @FunctionalInterface
    interface WordHandler {
        void onWord(int group, long word);
    }

    private final MemorySegment memory;
    private final long base;

    FrozenStep(MemorySegment memory, long base) {
        this.memory = memory;
        this.base = base;
    }

    /** Hands over every word that is not empty: of entries, of removals, and what is dead. */
    void forEach(WordHandler handler) {
        for (int group = 0; group < IndexStepLayout.GROUPS; group++) {
            forEachOf(group, handler);
        }
    }

    /** Hands over every word of one group that is not empty. */
    void forEachOf(int group, WordHandler handler) {
        long start = base + IndexStepLayout.group(group);
        long link = start + IndexStepLayout.GROUP_BYTES - 8;
        forEach(handler, group, start, link);
        long next = IndexWord.thawed(Words.getAcquire(memory, link));
        while (next != 0) {
            long line = base + IndexStepLayout.overflowLine(next);
            link = line + IndexStepLayout.LINK;
            forEach(handler, group, line, link);
            next = IndexWord.thawed(Words.getAcquire(memory, link));
        }
    }

    private void forEach(WordHandler handler, int group, long from, long to) {
        for (long slot = from; slot < to; slot += 8) {
            long word = IndexWord.thawed(Words.getAcquire(memory, slot));
            if (word != IndexWord.EMPTY) {
                handler.onWord(group, word);
            }
        }
    }

    /** Returns whether so little is dead that a copy without it would soon be full again. */
    boolean isMostlyAlive() {
        int[] counts = new int[2];
        forEach((group, word) -> counts[IndexWord.isOfKey(word) ? 0 : 1]++);
        return counts[0] >= IndexStepLayout.CAPACITY / 10 * 7 || counts[0] >= 3 * counts[1];
    }
}
