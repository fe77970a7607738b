package dev.larder.lucene;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What an opened input shares with its clones and slices: whether it was closed, and what it holds until then.
 *
 * <p>Memory of a file that is recycled stays mapped, so a read after the closing would not fail by itself; hence a plain
 * load before each read. It takes the place of the check whether a mapping lives, which costs MMapDirectory the same.
 */
final class Opening {

    /** What a clone has that was closed before its input. */
    static final Opening CLOSED = new Opening();

    private final Held held;
    private final AtomicBoolean released = new AtomicBoolean();
    private boolean closed; // plain: who closes an input while others read from it orders that himself

    /** An opening that holds something already. */
    Opening(Held held) {
        this.held = held;
    }

    private Opening() {
        this(Held.NOTHING);
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Lets go, the first time. A thread that finds the memory given back also finds this closed. */
    void close() {
        closed = true;
        VarHandle.fullFence();
        if (released.compareAndSet(false, true)) {
            held.release();
        }
    }
}
