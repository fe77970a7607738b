package dev.larder.map.index;

import dev.larder.map.shared.IndexFullException;

/**
 * Steps that a rebuild has taken before it freezes another, so that there is what that becomes. Where they do not suffice, it
 * takes further ones. Of one thread.
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
     * Returns a step of zeros.
     *
     * @throws IndexFullException when none is left, and no memory for one
     */
    int next() {
        return count == 0 ? memory.allocate() : steps[--count];
    }

    /**
     * Returns a step of zeros, which the caller can do without; {@link #NONE} if there is no memory for one.
     *
     * @param left so many of the taken steps it leaves
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
