package dev.larder.map.index;

import dev.larder.log.FlightEvents;
import dev.larder.log.layer.Failpoints;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Rebuilds a full page: it becomes two pages, or one without the dead words. Any thread may do any part of this, at any time:
 *
 * <pre>
 *  freeze    every word in use is FROZEN                      nothing in it changes any more
 *  build     its words, into new pages, still private         by group: no record is read
 *  decide    decision: 0 to the new pages                     the one choice; a thread that loses gives its own back
 *  flip      entry of child 1: empty to it, then              between the two, keys of child 0 find the frozen page
 *            entry of child 0: from the old page to it
 * </pre>
 *
 * Two pages that have become small may be frozen to become one ({@link Merge}); a thread that meets one of those ends that,
 * too.
 */
public final class Rebuild {

    private static final int LOOKS_MOST = 1000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Directory directory;
    private final IndexMemory memory;
    private final Merge merge;
    private final Failpoints steps;

    Rebuild(Directory directory, IndexMemory memory, Failpoints steps) {
        this.directory = directory;
        this.memory = memory;
        this.merge = new Merge(directory, memory, steps);
        this.steps = steps;
    }

    /** Rebuilds the page that a probe has found, or finishes what another thread has begun. The caller is pinned. */
    void finish(Lookup probe) {
        finish(merge.found(probe.partition, probe.entry(), probe.entryWord));
    }

    /**
     * Finishes the rebuild of a page. The thread that has frozen the page holds the memory that it becomes. So a thread
     * without memory waits a while for that thread: once it has decided, no thread needs memory.
     */
    private void finish(PageRef step) {
        boolean interrupted = false;
        try {
            for (int looks = 0; !isFinished(step, looks); looks++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                interrupted |= Thread.interrupted(); // an interrupted thread would not wait at all
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns false if there was no memory for it, and another thread may have some. */
    private boolean isFinished(PageRef step, int looks) {
        try (TakenSteps taken = begin(step)) {
            finish(step, taken);
            return true;
        } catch (IndexFullException e) {
            if (looks >= LOOKS_MOST || !step.isFrozen()) {
                throw e;
            }
            return false;
        }
    }

    private void finish(PageRef step, TakenSteps taken) {
        boolean done = false;
        while (!done) {
            done = finish(step, step.decision(), taken);
        }
    }

    /** Freezes a page; returns the pages that it may become. */
    private TakenSteps begin(PageRef step) {
        TakenSteps taken = take(step);
        try {
            step.freeze();
            steps.reached("index.frozen");
            return taken;
        } catch (RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }

    /**
     * Splits the page of a hash though it is not full, for keys that are to come, unless another thread decides otherwise
     * meanwhile. The caller is pinned.
     */
    void divide(int partition, long hash) {
        long word = directory.stepOf(partition, hash);
        PageRef step = merge.found(partition, Placement.entry(hash, Directory.depth(word)), word);
        try (TakenSteps taken = begin(step)) {
            if (step.decision() == Decision.NONE) {
                decideAlone(step, Decision.NONE, true, taken, 0);
            }
            finish(step, taken);
        }
    }

    /** Rebuilds the page of a hash, so that its count matches its words. The caller is pinned. */
    void refresh(int partition, long hash) {
        long word = directory.stepOf(partition, hash);
        finish(merge.found(partition, Placement.entry(hash, Directory.depth(word)), word));
    }

    /** Returns whether a rebuild of its page gives a place to the key of a probe that has found its group full. */
    boolean gains(Lookup probe) {
        PageRef step = merge.found(probe.partition, probe.entry(), probe.entryWord);
        boolean splits = step.depth() < IndexWord.DEPTH_MAX;
        return splits ? inseparable(probe) < IndexPageLayout.GROUP_MAX : gainsByRefresh(step, probe);
    }

    /** Returns how many keys of the group lie in the same page as the probe's, however often that is split. */
    int inseparable(Lookup probe) {
        int[] count = {0};
        merge.found(probe.partition, probe.entry(), probe.entryWord)
                .words()
                .of(IndexWord.DEPTH_MAX, Placement.entry(probe.hash, IndexWord.DEPTH_MAX))
                .forEachOf(Placement.group(probe.hash), (group, word) -> count[0] += IndexWord.isOfKey(word) ? 1 : 0);
        return count[0];
    }

    private static boolean gainsByRefresh(PageRef step, Lookup probe) {
        PageBuilder fresh = new PageBuilder(Arena.ofAuto().allocate(IndexPageLayout.BYTES, Long.BYTES), 0, 0);
        return fresh.addAllIfRoom(step.words())
                && fresh.addIfRoom(Placement.group(probe.hash), IndexWord.of(Placement.tag(probe.hash), 0, false));
    }

    /**
     * Takes the pages that a page may become, before it is frozen. If there is memory for only one, a page that has been
     * frozen becomes that one: with the same words, which can be changed again. For a frozen page another thread may have
     * decided, or be about to: then no memory is needed.
     */
    private TakenSteps take(PageRef step) {
        if (isSettled(step.decision())) {
            return memory.take(0);
        }
        try {
            boolean splitting = step.depth() < IndexWord.DEPTH_MAX;
            if (splitting) {
                directory.deepen(step.partition(), step.depth() + 1);
            }
            return memory.take(splitting ? 2 : 1);
        } catch (IndexFullException e) {
            if (!step.isFrozen() && step.words().needsTwo()) {
                throw e;
            }
            return takeOne(step);
        }
    }

    private TakenSteps takeOne(PageRef step) {
        try {
            return memory.take(1);
        } catch (IndexFullException e) {
            if (!step.isFrozen()) {
                throw e;
            }
            return memory.take(0);
        }
    }

    /** Returns whether a decision can be carried out without a neighbour's: all pages that it leads to are built. */
    private static boolean isSettled(long decision) {
        return decision != Decision.NONE && !Decision.isClaimed(decision);
    }

    /** Carries out a decision; returns whether that finished the page. */
    private boolean finish(PageRef step, long decision, TakenSteps taken) {
        if (decision == Decision.NONE) {
            decideAlone(step, decision, taken, 0);
        } else if (Decision.isClaimed(decision)) {
            finishClaimed(step, decision, taken);
        } else if (Decision.isAlone(decision)) {
            flip(step, decision);
        } else if (Decision.isBoth(decision)) {
            merge.flip(step, Decision.child(decision));
        } else {
            merge.end(step, Decision.child(decision));
        }
        return isSettled(decision);
    }

    private void finishClaimed(PageRef upper, long claim, TakenSteps taken) {
        PageRef lower = merge.claimant(upper, claim);
        long decision = lower == null ? Decision.NONE : decideBoth(lower, upper, taken);
        if (lower != null && Decision.isBoth(decision)) {
            merge.flip(lower, upper, Decision.child(decision));
        } else {
            decideAlone(upper, claim, taken, 0);
        }
    }

    /** Returns what the lower of two neighbours has decided, for both if it can. */
    private long decideBoth(PageRef lower, PageRef upper, TakenSteps taken) {
        lower.freeze();
        long decided = lower.decision();
        if (decided != Decision.NONE) {
            return decided;
        }
        Optional<RebuildEvent> event = FlightEvents.ifRecorded(RebuildEvent::start);
        int child = taken.next();
        if (!merge.build(child, lower, upper)) {
            memory.giveBack(child); // it is the next to be allocated, unless another thread is faster
            decideAlone(lower, Decision.NONE, taken, 1);
            return lower.decision();
        }
        steps.reached("index.built");
        return decide(lower, Decision.NONE, Decision.both(child), event);
    }

    /** Builds what a page becomes, from its words alone, and decides for that if the decision is still as expected. */
    private void decideAlone(PageRef step, long expected, TakenSteps taken, int left) {
        decideAlone(step, expected, false, taken, left);
    }

    /** Does the same. Leaves {@code left} of the taken pages, if the page can become one as well as two. */
    private void decideAlone(PageRef step, long expected, boolean divided, TakenSteps taken, int left) {
        Optional<RebuildEvent> event = FlightEvents.ifRecorded(RebuildEvent::start);
        long built = build(step, divided || step.words().needsTwo(), taken, left);
        steps.reached("index.built");
        decide(step, expected, built, event);
    }

    /** Returns what is decided; a thread that loses gives back what it has built. */
    private long decide(PageRef step, long expected, long built, Optional<RebuildEvent> event) {
        long decided = step.decide(expected, built);
        if (decided == built) {
            event.ifPresent(told -> told.finish(step, built));
        } else {
            memory.giveBack(Decision.child(built));
            if (Decision.isSplit(built)) {
                memory.giveBack(Decision.second(built));
            }
        }
        return decided;
    }

    private long build(PageRef step, boolean asTwo, TakenSteps taken, int left) {
        int depth = step.depth();
        PageWords frozen = step.words();
        int first = taken.next(); // it is frozen, so it has to become something
        boolean splits = asTwo && depth < IndexWord.DEPTH_MAX && depth < directory.depthOf(step.partition());
        int second = splits ? taken.nextIfToBeHad(left) : TakenSteps.NONE;
        boolean split = second != TakenSteps.NONE;
        PageBuilder low = begin(first, step.partition(), depth + (split ? 1 : 0), step.entry());
        PageBuilder high = split ? begin(second, step.partition(), depth + 1, step.entry() | (1 << depth)) : low;
        frozen.forEach((group, word) -> {
            if (IndexWord.isOfKey(word)) {
                (((IndexWord.tag(word) >>> depth) & 1) == 0 ? low : high).add(group, word);
            }
        });
        return Decision.alone(first, second);
    }

    private PageBuilder begin(int step, int partition, int depth, int prefix) {
        return new PageBuilder(
                memory.memory(step), IndexMemory.base(step), IndexPageLayout.place(partition, depth, prefix));
    }

    private void flip(PageRef step, long decision) {
        steps.reached("index.decided");
        boolean split = Decision.isSplit(decision);
        int depth = split ? step.depth() + 1 : step.depth();
        memory.use(Decision.child(decision));
        if (split) {
            memory.use(Decision.second(decision));
            place(step, Decision.second(decision), depth);
        }
        long flipped = Directory.next(step.word(), Decision.child(decision), depth);
        if (directory.compareAndSet(step.partition(), step.entry(), step.word(), flipped)) {
            steps.reached("index.flipped");
            memory.retire(step.step());
        }
    }

    /** Makes the directory lead to the upper half of a page that splits. */
    private void place(PageRef step, int half, int depth) {
        long empty = merge.makeWay(step);
        if (Directory.isEmpty(empty)) {
            int entry = step.entry() | (1 << step.depth());
            directory.compareAndSet(step.partition(), entry, empty, Directory.next(empty, half, depth));
        }
    }

    /**
     * Merges the page of a hash with its neighbour if they have become small, and so on. The caller is pinned. Without memory
     * for that, all stays as it is.
     */
    public void shrink(int partition, long hash) {
        Merge.Neighbours both = merge.neighbours(partition, hash);
        while (both != null && areOne(both)) {
            both = merge.neighbours(partition, hash);
        }
    }

    /** Returns whether they have become one. If a writer was faster, or one group too full, each is by itself, as it was. */
    private boolean areOne(Merge.Neighbours both) {
        try (TakenSteps taken = take(both)) {
            merge.claim(both);
            steps.reached("index.frozen");
            finish(both.upper(), taken);
            finish(both.lower(), taken); // by itself, where it was frozen in vain
            return Decision.isBoth(both.lower().decision());
        } catch (IndexFullException e) {
            return false;
        }
    }

    /** Takes a page for both, or a page for each that is by itself again, and a page that was built in vain. */
    private TakenSteps take(Merge.Neighbours both) {
        directory.deepen(both.lower().partition(), Math.min(both.lower().depth() + 1, IndexWord.DEPTH_MAX));
        return memory.take(3);
    }

    /**
     * Returns whether a page is in the directory, or named by a decision that will bring it there. The page's place says
     * where to look; it is set before other threads know of the page.
     */
    boolean isNeeded(int step) {
        long place = Words.getAcquire(memory.memory(step), IndexMemory.base(step) + IndexPageLayout.PLACE);
        int partition = IndexPageLayout.partition(place);
        int prefix = IndexPageLayout.prefix(place);
        long word = directory.stepOf(partition, prefix);
        return Directory.step(word) == step || Decision.names(decision(partition, prefix, word), step);
    }

    private long decision(int partition, int prefix, long word) {
        return merge.found(partition, Placement.entry(prefix, Directory.depth(word)), word)
                .decision();
    }
}
