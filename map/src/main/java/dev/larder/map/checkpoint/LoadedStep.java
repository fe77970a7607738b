package dev.larder.map.checkpoint;

import dev.larder.map.format.IndexStepLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/** A step that was just loaded from an image; nobody else looks at it yet. */
final class LoadedStep {

    private final MemorySegment memory;
    private final long base;

    LoadedStep(MemorySegment memory, long base) {
        this.memory = memory;
        this.base = base;
    }

    /**
     * Lets the words die that lead nowhere; their slots are used again when the step is rebuilt. Returns how many entries.
     */
    long leaveOut(LongPredicate leadsNowhere) {
        long before = Words.getPlain(memory, base + IndexStepLayout.ALIVE);
        int inGroup = IndexStepLayout.GROUP_BYTES - 8;
        for (int group = 0; group < IndexStepLayout.GROUPS; group++) {
            leaveOut(base + IndexStepLayout.group(group), inGroup, leadsNowhere);
        }
        for (int line = 1; line <= IndexStepLayout.OVERFLOW_LINES; line++) {
            leaveOut(base + IndexStepLayout.overflowLine(line), IndexStepLayout.LINK, leadsNowhere);
        }
        return before - Words.getPlain(memory, base + IndexStepLayout.ALIVE);
    }

    private void leaveOut(long from, int bytes, LongPredicate leadsNowhere) {
        for (long slot = from; slot < from + bytes; slot += 8) {
            long word = Words.getPlain(memory, slot);
            if (IndexWord.isOfKey(word) && leadsNowhere.test(word)) {
                Words.setPlain(memory, slot, word | IndexWord.DEAD);
                long alive = base + IndexStepLayout.ALIVE;
                Words.setPlain(memory, alive, Words.getPlain(memory, alive) - (IndexWord.isRemoval(word) ? 0 : 1));
            }
        }
    }
}
