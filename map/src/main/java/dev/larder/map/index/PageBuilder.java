package dev.larder.map.index;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.Placement;
import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * A page that one thread builds in memory of zeros; no other thread knows of it. The builder keeps how far each line is
 * filled, so that it puts a word in its place without reading the words before it.
 */
public final class PageBuilder {

    private static final int LINE_WORDS = IndexPageLayout.LINE_BYTES / Long.BYTES;
    private static final int LAST_LINE = IndexPageLayout.GROUP_LINES - 1;

    private final MemorySegment memory;
    private final long base;
    private final byte[] filled = new byte[IndexPageLayout.GROUPS * IndexPageLayout.GROUP_LINES];
    private long alive;

    public PageBuilder(MemorySegment memory, long base, long place) {
        this.memory = memory;
        this.base = base;
        Words.setOpaque(memory, base + IndexPageLayout.PLACE, place);
    }

    /** Puts a word where a search for its tag comes to the first empty slot. A group fits, if it did where it comes from. */
    public void add(int group, long word) {
        if (!addIfRoom(group, word)) {
            throw new LarderException("a page of the map's index has no room for its words");
        }
    }

    /** Does the same, if there is room; the words of two pages may not find any. */
    public boolean addIfRoom(int group, long word) {
        long slot = emptySlot(group, IndexWord.tag(word));
        if (slot >= 0) {
            Words.setOpaque(memory, slot, word);
            if (!IndexWord.isRemoval(word)) {
                Words.setOpaque(memory, base + IndexPageLayout.ALIVE, ++alive);
            }
        }
        return slot >= 0;
    }

    /** Puts all words of keys of another page, which may be changed meanwhile; they fit, as they did there. */
    public void addAll(PageWords step) {
        step.forEachKey(this::add);
    }

    /** Puts all words of keys of another page, beside the present ones; returns whether they fit. */
    boolean addAllIfRoom(PageWords step) {
        boolean[] fit = {true};
        step.forEach((group, word) -> {
            if (IndexWord.isOfKey(word)) {
                fit[0] &= addIfRoom(group, word);
            }
        });
        return fit[0];
    }

    private long emptySlot(int group, int tag) {
        int home = Placement.homeLine(tag);
        for (int i = 0; i < IndexPageLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            int number = group * IndexPageLayout.GROUP_LINES + line;
            if (filled[number] < (line == LAST_LINE ? LINE_WORDS - 1 : LINE_WORDS)) {
                int slot = number * LINE_WORDS + filled[number]++;
                return base + IndexPageLayout.GROUPS_AT + (long) slot * Long.BYTES;
            }
        }
        return emptyOverflowSlot(base + IndexPageLayout.group(group) + IndexPageLayout.GROUP_BYTES - Long.BYTES);
    }

    /** Returns an empty slot of an overflow line; -1 if no line is left. */
    private long emptyOverflowSlot(long firstLink) {
        long link = firstLink;
        long slot = -1;
        while (slot < 0) {
            long number = Words.getPlain(memory, link);
            if (number == 0) {
                number = hangLine(link);
            }
            if (number < 0) {
                return -1;
            }
            long line = base + IndexPageLayout.overflowLine(number);
            slot = emptySlot(line, IndexPageLayout.LINK);
            link = line + IndexPageLayout.LINK;
        }
        return slot;
    }

    private long hangLine(long link) {
        long number = Words.getPlain(memory, base + IndexPageLayout.OVERFLOW) + 1;
        if (number > IndexPageLayout.OVERFLOW_LINES) {
            return -1;
        }
        Words.setOpaque(memory, base + IndexPageLayout.OVERFLOW, number);
        Words.setOpaque(memory, link, number);
        return number;
    }

    private long emptySlot(long line, int bytes) {
        for (long slot = line; slot < line + bytes; slot += 8) {
            if (Words.getPlain(memory, slot) == IndexWord.EMPTY) {
                return slot;
            }
        }
        return -1;
    }
}
