package dev.larder.map.checkpoint;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/** A page just loaded from an image; no other thread reads it yet. */
final class LoadedPage {

    private final MemorySegment memory;
    private final long base;

    LoadedPage(MemorySegment memory, long base) {
        this.memory = memory;
        this.base = base;
    }

    /**
     * Marks the words as dead that lead nowhere; their slots are reused when the page is rebuilt. Returns how many entries they
     * were.
     */
    long leaveOut(LongPredicate leadsNowhere) {
        long before = Words.getPlain(memory, base + IndexPageLayout.ALIVE);
        int inGroup = IndexPageLayout.GROUP_BYTES - 8;
        for (int group = 0; group < IndexPageLayout.GROUPS; group++) {
            leaveOut(base + IndexPageLayout.group(group), inGroup, leadsNowhere);
        }
        for (int line = 1; line <= IndexPageLayout.OVERFLOW_LINES; line++) {
            leaveOut(base + IndexPageLayout.overflowLine(line), IndexPageLayout.LINK, leadsNowhere);
        }
        return before - Words.getPlain(memory, base + IndexPageLayout.ALIVE);
    }

    private void leaveOut(long from, int bytes, LongPredicate leadsNowhere) {
        for (long slot = from; slot < from + bytes; slot += 8) {
            long word = Words.getPlain(memory, slot);
            if (IndexWord.isOfKey(word) && leadsNowhere.test(word)) {
                Words.setPlain(memory, slot, word | IndexWord.DEAD);
                long alive = base + IndexPageLayout.ALIVE;
                Words.setPlain(memory, alive, Words.getPlain(memory, alive) - (IndexWord.isRemoval(word) ? 0 : 1));
            }
        }
    }
}
