package dev.larder.map;

import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * A step that is being built, by one thread, in memory of zeros; nobody else knows of it. How far each line is filled is
 * kept beside it: so a word is put in its place without a look at those before it.
 */
final class NewStep {

    private static final int LINE_WORDS = IndexStepLayout.LINE_BYTES / Long.BYTES;
    private static final int LAST_LINE = IndexStepLayout.GROUP_LINES - 1;

    private final MemorySegment memory;
    private final long base;
    private final byte[] filled = new byte[IndexStepLayout.GROUPS * IndexStepLayout.GROUP_LINES];
    private long alive;

    NewStep(MemorySegment memory, long base, long place) {
        this.memory = memory;
        this.base = base;
        Words.setOpaque(memory, base + IndexStepLayout.PLACE, place);
    }

    /** Puts a word where a look for its tag comes to the first empty slot. A group fits, if it did where it comes from. */
    void add(int group, long word) {
        Words.setOpaque(memory, emptySlot(group, IndexWord.tag(word)), word);
        if (!IndexWord.isRemoval(word)) {
            Words.setOpaque(memory, base + IndexStepLayout.ALIVE, ++alive);
        }
    }

    /** Puts all words of another step that are of a key; they fit, as they did there. */
    void addAll(FrozenStep step) {
        step.forEach((group, word) -> {
            if (IndexWord.isOfKey(word)) {
                add(group, word);
            }
        });
    }

    private long emptySlot(int group, int tag) {
        int home = Placement.homeLine(tag);
        for (int i = 0; i < IndexStepLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            int number = group * IndexStepLayout.GROUP_LINES + line;
            if (filled[number] < (line == LAST_LINE ? LINE_WORDS - 1 : LINE_WORDS)) {
                int slot = number * LINE_WORDS + filled[number]++;
                return base + IndexStepLayout.GROUPS_AT + (long) slot * Long.BYTES;
            }
        }
        return emptyOverflowSlot(base + IndexStepLayout.group(group) + IndexStepLayout.GROUP_BYTES - Long.BYTES);
    }

    private long emptyOverflowSlot(long firstLink) {
        long link = firstLink;
        long slot = -1;
        while (slot < 0) {
            long number = Words.getPlain(memory, link);
            if (number == 0) {
                number = increment(IndexStepLayout.OVERFLOW);
                if (number > IndexStepLayout.OVERFLOW_LINES) {
                    throw new LarderException("a step of the map's index has no room for its words");
                }
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
