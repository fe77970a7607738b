package dev.larder.map.index;

import dev.larder.map.shared.IndexFullException;

/**
 * Pages that a rebuild takes before it freezes another page, so that there is memory for what that page becomes. If they do
 * not suffice, the rebuild takes more. Used by one thread.
 */
final class TakenSteps implements AutoCloseable {

    static final int NONE = -1;

    private final IndexMemory memory;
    private final int[] steps;
    private int count;

    TakenSteps(IndexMemory memory, int most) {
        this.memory = memory;
        this.steps = new int[most];
    }

    void add(int step) {
        steps[count++] = step;
    }

    /**
     * Returns a page of zeros.
     *
     * @throws IndexFullException if none is left, and no memory for one
     */
    int next() {
        return count == 0 ? memory.allocate() : steps[--count];
    }

    /**
     * Returns a page of zeros that the caller can do without; {@link #NONE} if there is no memory for one.
     *
     * @param left how many of the taken pages it leaves
     */
    int nextIfToBeHad(int left) {
        if (count > left) {
            return next();
        }
        try {
            return memory.allocate();
        } catch (IndexFullException e) {
            return NONE;
        }
    }

    @Override
    public void close() {
        while (count > 0) {
            memory.giveBack(steps[--count]);
        }
    }
}
