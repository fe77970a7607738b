package dev.larder.map;

import java.lang.foreign.MemorySegment;

/** A step that is being built, by one thread; nobody else knows of it. */
final class NewStep {

    private final MemorySegment memory;
    private final long base;

    NewStep(MemorySegment memory, long base, long place) {
        this.memory = memory;
        this.base = base;
        Words.setOpaque(memory, base + IndexStepLayout.PLACE, place);
    }

    /** Puts a word where a look for its tag comes to the first empty slot. A group fits, if it did where it comes from. */
    void add(int group, long word) {
        Words.setOpaque(memory, emptySlot(group, IndexWord.tag(word)), word);
        if (!IndexWord.isRemoval(word)) {
            increment(IndexStepLayout.ALIVE);
        }
    }

    private long emptySlot(int group, int tag) {
        long start = base + IndexStepLayout.group(group);
        int home = Placement.homeLine(tag);
        for (int i = 0; i < IndexStepLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            long at = start + (long) line * IndexStepLayout.LINE_BYTES;
            int bytes = line == IndexStepLayout.GROUP_LINES - 1 ? IndexStepLayout.LINK : IndexStepLayout.LINE_BYTES;
            long slot = emptySlot(at, bytes);
            if (slot >= 0) {
                return slot;
            }
        }
        return emptyOverflowSlot(start + IndexStepLayout.GROUP_BYTES - 8);
    }

    private long emptyOverflowSlot(long firstLink) {
        long link = firstLink;
        long slot = -1;
        while (slot < 0) {
            long number = Words.getPlain(memory, link);
            if (number == 0) {
                number = increment(IndexStepLayout.OVERFLOW);
                assert number <= IndexStepLayout.OVERFLOW_LINES : number;
                Words.setOpaque(memory, link, number);
            }
            long line = base + IndexStepLayout.overflowLine(number);
            slot = emptySlot(line, IndexStepLayout.LINK);
            link = line + IndexStepLayout.LINK;
        }
        return slot;
    }

    private long emptySlot(long line, int bytes) {
        for (long slot = line; slot < line + bytes; slot += 8) {
            if (Words.getPlain(memory, slot) == IndexWord.EMPTY) {
                return slot;
            }
        }
        return -1;
    }

    private long increment(long field) {
        long more = Words.getPlain(memory, base + field) + 1;
        Words.setOpaque(memory, base + field, more);
        return more;
    }
}
