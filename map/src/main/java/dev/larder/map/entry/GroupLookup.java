package dev.larder.map.entry;

import dev.larder.log.GoneException;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Index;
import dev.larder.map.index.Lookup;
import dev.larder.map.index.Lookup.Found;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Looks up the keys of a group, so that their cache misses overlap. Each stage runs for all keys before the next one, in loops
 * whose loads do not depend on one another. So a processor has many of them under way.
 *
 * <pre>
 *  locate    the page of each key              in the cache, as a rule
 *  lines     load the first word of its line   a miss each, together
 *  scan      a word with its tag, or EMPTY
 *  records   load the record's first lines     a miss or two each, together
 *  settle    compare the key; look at the directory again
 * </pre>
 *
 * <p>A lookup finds what {@link Index#find} would. If the result is not clear at once, {@link Index#find} is called. That is so
 * if another key has the same tag, the line was full, or the page was rebuilt meanwhile.
 */
public final class GroupLookup {

    private static final long NONE = -1;

    private final Index index;
    private final LogRecords records;
    private final MemorySegment steps;

    public GroupLookup(Index index, LogRecords records) {
        this.index = index;
        this.records = records;
        this.steps = index.memory().memory();
    }

    /** Looks up all keys of a group; then each probe holds a result. The caller has pinned reads or changes. */
    public void run(KeyGroup<?> group) {
        int count = group.count();
        for (int i = 0; i < count; i++) {
            locate(group.probe(i));
        }
        group.loaded = loadLines(group, count);
        for (int i = 0; i < count; i++) {
            scan(group.probe(i));
        }
        group.loaded += loadRecords(group, count);
        for (int i = 0; i < count; i++) {
            settle(group.probe(i));
        }
    }

    /** Stores the line that the key begins with in the probe, as its slot. */
    private void locate(Lookup probe) {
        index.locate(probe);
        int home = Placement.homeLine(Placement.tag(probe.hash));
        probe.slot = group(probe) + (long) home * IndexPageLayout.LINE_BYTES;
    }

    private static long group(Lookup probe) {
        return probe.base + IndexPageLayout.group(Placement.group(probe.hash));
    }

    /** Loads the lines; the sum has no use, but makes the compiler keep the loads. */
    private long loadLines(KeyGroup<?> group, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            Lookup probe = group.probe(i);
            sum += Words.getPlain(steps, probe.slot);
        }
        return sum;
    }

    private long loadRecords(KeyGroup<?> group, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            Lookup probe = group.probe(i);
            boolean read = probe.position != NONE && !index.knowsHead(probe);
            sum += read ? records.touch(probe.position, group.lengths.bytes()) : 0;
        }
        return sum;
    }

    /** Finds the first word with the key's tag, whichever key it belongs to, or that there is none. */
    private void scan(Lookup probe) {
        int home = Placement.homeLine(Placement.tag(probe.hash));
        long group = group(probe);
        boolean ended = false;
        probe.foundNone(Found.FULL, 0, 0);
        for (int i = 0; i < IndexPageLayout.GROUP_LINES && !ended; i++) {
            int line = home ^ i;
            boolean isLast = line == IndexPageLayout.GROUP_LINES - 1;
            ended = scan(probe, group + (long) line * IndexPageLayout.LINE_BYTES, isLast);
        }
    }

    private boolean scan(Lookup probe, long line, boolean isLast) {
        int tag = Placement.tag(probe.hash);
        long end = line + (isLast ? IndexPageLayout.LINK : IndexPageLayout.LINE_BYTES);
        for (long slot = line; slot < end; slot += 8) {
            long word = Words.getOpaque(steps, slot);
            if (IndexWord.thawed(word) == IndexWord.EMPTY) {
                probe.foundNone(Found.EMPTY, slot, word);
                return true;
            }
            if (IndexWord.tag(word) == tag && IndexWord.isOfKey(word)) {
                long position = index.places().position(IndexWord.place(word), probe.first);
                probe.foundKey(slot, word, position, 0, 0, Deadline.NONE, false);
                return true;
            }
        }
        return false;
    }

    private void settle(Lookup probe) {
        boolean settled = probe.found == Found.EMPTY || (probe.found == Found.KEY && isKey(probe));
        if (!settled || !index.isUnchanged(probe)) {
            index.find(probe);
        }
    }

    /**
     * Returns whether the word found is the key's. An unreadable record may be due to a rebuilt page: then the index is asked.
     */
    private boolean isKey(Lookup probe) {
        try {
            return index.isKey(probe, probe.slot, probe.word);
        } catch (IllegalStateException | GoneException | CorruptException e) {
            return false;
        }
    }
}
