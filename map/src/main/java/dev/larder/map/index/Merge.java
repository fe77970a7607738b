package dev.larder.map.index;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.Placement;
import org.jspecify.annotations.Nullable;

/**
 * Merges two neighbours that have become small into one page. Any thread may do any part of it, at any time:
 *
 * <pre>
 *            lower: entry p, depth d                    upper: entry p + 2^(d-1), depth d
 *
 *  freeze    every word                                 every word
 *  claim                                                decision: 0 to CLAIMED, with the lower's word in the directory
 *  decide    decision: 0 to BOTH, one page of both's words
 *  tell                                                 decision: CLAIMED to MERGED
 *  flip      entry: to that page, of depth d - 1        then its entry: empty
 * </pre>
 *
 * <p>The lower page alone decides. If it was full, or copied, meanwhile, it has a decision of its own, or has left the
 * directory without a change to the upper page. Then the upper decides for itself, too. The model: {@code
 * models/map-merge.pml}.
 */
final class Merge {

    /**
     * The most words of a merged page: it is three quarters full then, and not soon split again. A split leaves two pages
     * that have nine tenths of it together, or a little less.
     */
    private static final int WORDS_MOST = IndexPageLayout.CAPACITY / 4 * 3;

    private static final long NOT_EMPTY = -1;

    private final Directory directory;
    private final IndexMemory memory;
    private final Failpoints steps;

    Merge(Directory directory, IndexMemory memory, Failpoints steps) {
        this.directory = directory;
        this.memory = memory;
        this.steps = steps;
    }

    /** Two pages that were one. */
    record Neighbours(PageRef lower, PageRef upper) {

        private boolean areSmall() {
            long alive = lower.alive() + upper.alive();
            return alive <= WORDS_MOST && lower.words().count() + upper.words().count() <= WORDS_MOST;
        }
    }

    /** Returns the page of a hash and its neighbour, if they would make a page that is not soon full; else null. */
    @Nullable
    Neighbours neighbours(int partition, long hash) {
        long word = directory.stepOf(partition, hash);
        int depth = Directory.depth(word);
        if (depth == 0) {
            return null;
        }
        int upper = Placement.entry(hash, depth) | (1 << (depth - 1));
        Neighbours found = neighbours(partition, upper, depth);
        return found != null && found.areSmall() ? found : null;
    }

    private @Nullable Neighbours neighbours(int partition, int upperEntry, int depth) {
        PageRef upper = find(partition, upperEntry);
        PageRef lower = find(partition, upperEntry ^ (1 << (depth - 1)));
        if (upper == null || lower == null || upper.depth() != depth || lower.depth() != depth) {
            return null;
        }
        return isDivided(upper) || isDivided(lower) ? null : new Neighbours(lower, upper);
    }

    /** Returns whether the page is about to become two, or has just become one. */
    private boolean isDivided(PageRef step) {
        return step.depth() < directory.depthOf(step.partition())
                && !Directory.isEmpty(directory.get(step.partition(), step.entry() | (1 << step.depth())));
    }

    /** Returns the page that an entry leads to; null if the entry is empty. */
    @Nullable
    PageRef find(int partition, int entry) {
        long word = directory.get(partition, entry);
        return Directory.isEmpty(word) ? null : found(partition, entry, word);
    }

    /** Returns the page that a word of the directory leads to. */
    PageRef found(int partition, int entry, long word) {
        int step = Directory.step(word);
        return new PageRef(partition, entry, word, memory.memory(step), IndexMemory.base(step));
    }

    /** Freezes both, and has the upper wait for the lower's decision, unless the upper has decided. */
    void claim(Neighbours both) {
        both.lower().freeze();
        both.upper().freeze();
        both.upper().decide(Decision.NONE, Decision.claimed(both.lower().word()));
        steps.reached("index.claimed");
    }

    /** Returns the lower neighbour whose decision the upper waits for; null if the lower has left the directory. */
    @Nullable
    PageRef claimant(PageRef upper, long claim) {
        PageRef lower = find(upper.partition(), upper.neighbour());
        return lower != null && Decision.claimed(lower.word()) == claim ? lower : null;
    }

    /** Builds one page of two that are frozen, in private memory; returns false if their words do not fit. */
    boolean build(int child, PageRef lower, PageRef upper) {
        long place = IndexPageLayout.place(lower.partition(), lower.depth() - 1, lower.entry());
        PageBuilder built = new PageBuilder(memory.memory(child), IndexMemory.base(child), place);
        return built.addAllIfRoom(lower.words()) && built.addAllIfRoom(upper.words());
    }

    /** Makes the directory lead to the one page of both; the lower has decided for it. */
    void flip(PageRef lower, int child) {
        PageRef upper = find(lower.partition(), lower.neighbour());
        if (upper != null && directory.get(lower.partition(), lower.entry()) == lower.word()) {
            flip(lower, upper, child); // the upper leaves after the lower, so this is the upper
        }
    }

    /** Flips both. The upper gets its decision before the lower leaves, and leaves last: until then it has its keys. */
    void flip(PageRef lower, PageRef upper, int child) {
        memory.use(child);
        upper.decide(Decision.claimed(lower.word()), Decision.merged(child));
        steps.reached("index.told");
        replace(lower, child);
        empty(upper);
    }

    /** Finishes the merge that the upper's decision names: the thread that set it may not have come to the lower. */
    void end(PageRef upper, int child) {
        PageRef lower = find(upper.partition(), upper.neighbour());
        if (lower != null && lower.decision() == Decision.both(child)) {
            memory.use(child);
            replace(lower, child);
        }
        empty(upper);
    }

    private void replace(PageRef lower, int child) {
        swap(lower, Directory.next(lower.word(), child, lower.depth() - 1));
        steps.reached("index.merged");
    }

    private void empty(PageRef upper) {
        swap(upper, Directory.emptied(upper.word()));
    }

    /** Replaces a word of the directory. The thread that takes a page out gives it back. */
    private void swap(PageRef from, long to) {
        if (directory.compareAndSet(from.partition(), from.entry(), from.word(), to)) {
            memory.retire(from.step());
        }
    }

    /**
     * Makes way for the upper half of a page that splits: a merge may have left a page in the half's entry. The splitting
     * page is checked last. While it is in the directory, a page that was told to merge before is not the half that another
     * thread has put there. Returns the word of the entry, which is empty unless the half is there, or was.
     */
    long makeWay(PageRef splitting) {
        int entry = splitting.entry() | (1 << splitting.depth());
        while (true) {
            long word = directory.get(splitting.partition(), entry);
            PageRef left = leftOfMerge(splitting.partition(), entry, word);
            boolean stands = directory.get(splitting.partition(), splitting.entry()) == splitting.word();
            if (left == null || !stands) {
                return stands ? word : NOT_EMPTY;
            }
            empty(left);
        }
    }

    private @Nullable PageRef leftOfMerge(int partition, int entry, long word) {
        if (Directory.isEmpty(word)) {
            return null;
        }
        PageRef there = found(partition, entry, word);
        return Decision.isMerged(there.decision()) ? there : null;
    }
}
