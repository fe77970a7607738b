package dev.larder.map;

import dev.larder.log.Steps;
import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * A full step makes room: it becomes two, or one without what is dead. Anybody may do any step of it, at any time:
 *
 * <pre>
 *  freeze    every word gets FROZEN                           nothing in it changes any more
 *  build     its words, into new steps nobody knows of        by group: no record is read
 *  decide    decision: 0 to the new steps                     the one choice; who loses gives his own back
 *  flip      entry of child 1: empty to it, then              between the two, keys of child 0 find the frozen step
 *            entry of child 0: from the old step to it
 * </pre>
 */
final class Rebuild {

    private final Directory directory;
    private final IndexMemory memory;
    private final Steps steps;

    Rebuild(Directory directory, IndexMemory memory, Steps steps) {
        this.directory = directory;
        this.memory = memory;
        this.steps = steps;
    }

    /** Rebuilds the step that a probe has found, or finishes what another has begun. The caller is pinned. */
    void finish(Probe probe) {
        int step = Directory.step(probe.entryWord);
        int depth = Directory.depth(probe.entryWord);
        boolean splitting = depth < Directory.DEPTH_MAX;
        if (splitting) {
            directory.deepen(probe.partition, depth + 1);
        }
        memory.prepare(splitting ? 2 : 1); // this too before the step is frozen: it takes memory, and may fail
        freeze(probe.memory, probe.base);
        steps.reached("index.frozen");
        long decision = decide(probe, depth);
        flip(probe, step, depth, decision);
    }

    private static void freeze(MemorySegment chunk, long base) {
        Words.getAndOr(chunk, base + IndexStepLayout.OVERFLOW, IndexWord.FROZEN);
        for (long at = base + IndexStepLayout.GROUPS_AT; at < base + IndexStepLayout.BYTES; at += 8) {
            Words.getAndOr(chunk, at, IndexWord.FROZEN);
        }
    }

    private long decide(Probe probe, int depth) {
        long at = probe.base + IndexStepLayout.DECISION;
        long decided = Words.getAcquire(probe.memory, at);
        if (decided != 0) {
            return decided;
        }
        RebuildEvent event = new RebuildEvent();
        event.begin();
        long built = build(probe, depth);
        steps.reached("index.built");
        if (Words.compareAndSet(probe.memory, at, 0, built)) {
            tell(event, probe.partition, depth, isSplit(built));
            return built;
        }
        memory.giveBack(child(built, 0));
        if (isSplit(built)) {
            memory.giveBack(child(built, 1));
        }
        return Words.getAcquire(probe.memory, at);
    }

    private static void tell(RebuildEvent event, int partition, int depth, boolean split) {
        event.partition = partition;
        event.depth = depth;
        event.split = split;
        event.commit();
    }

    /** A decision: the numbers of the children, each and one more; 0 for no second child. */
    private static long decision(int child, int second) {
        return ((long) (second + 1) << 32) | (child + 1);
    }

    private static boolean isSplit(long decision) {
        return decision >>> 32 != 0;
    }

    private static int child(long decision, int which) {
        return (int) (decision >>> (32 * which)) - 1;
    }

    private long build(Probe probe, int depth) {
        FrozenStep frozen = new FrozenStep(probe.memory, probe.base);
        boolean split = frozen.isMostlyAlive();
        if (split && depth == Directory.DEPTH_MAX) {
            throw new LarderException("the index cannot grow beyond " + (1L << depth) + " steps of a partition");
        }
        int first = memory.allocate();
        int second = split ? memory.allocate() : -1;
        NewStep low = begin(first, probe, depth + (split ? 1 : 0), probe.entry);
        NewStep high = split ? begin(second, probe, depth + 1, probe.entry | (1 << depth)) : low;
        frozen.forEach((group, word) -> {
            if (IndexWord.isOfKey(word)) {
                (((IndexWord.tag(word) >>> depth) & 1) == 0 ? low : high).add(group, word);
            }
        });
        return decision(first, second);
    }

    private NewStep begin(int step, Probe probe, int depth, int prefix) {
        return new NewStep(
                memory.memory(step), IndexMemory.base(step), IndexStepLayout.place(probe.partition, depth, prefix));
    }

    private void flip(Probe probe, int step, int depth, long decision) {
        int childDepth = isSplit(decision) ? depth + 1 : depth;
        steps.reached("index.decided");
        use(decision);
        if (isSplit(decision)) {
            int entry = probe.entry | (1 << depth);
            long empty = directory.get(probe.partition, entry);
            boolean stands = directory.get(probe.partition, probe.entry) == probe.entryWord;
            if (empty == 0 && stands) {
                directory.compareAndSet(probe.partition, entry, 0, Directory.next(0, child(decision, 1), childDepth));
            }
        }
        long flipped = Directory.next(probe.entryWord, child(decision, 0), childDepth);
        if (directory.compareAndSet(probe.partition, probe.entry, probe.entryWord, flipped)) {
            steps.reached("index.flipped");
            memory.retire(step);
        }
    }

    private void use(long decision) {
        memory.use(child(decision, 0));
        if (isSplit(decision)) {
            memory.use(child(decision, 1));
        }
    }

    /**
     * Returns whether a step is in the directory, or the decision of one there names it: it is about to come there. The
     * caller is pinned.
     */
    boolean isNeeded(int step) {
        long place = Words.getAcquire(memory.memory(step), IndexMemory.base(step) + IndexStepLayout.PLACE);
        long word = directory.stepOf(IndexStepLayout.partition(place), IndexStepLayout.prefix(place));
        if (Directory.isInImage(word)) {
            return false;
        }
        int there = Directory.step(word);
        long decision = Words.getAcquire(memory.memory(there), IndexMemory.base(there) + IndexStepLayout.DECISION);
        return there == step
                || (decision != 0 && (child(decision, 0) == step || (isSplit(decision) && child(decision, 1) == step)));
    }
}
