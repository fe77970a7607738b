package dev.larder.lucene;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The state that an opened input shares with its clones and slices: whether it was closed, and the memory that it holds until
 * then.
 *
 * <p>Recycled memory stays mapped, so a read after the closing would not fail by itself; hence a plain load before each read.
 * It replaces the check that a mapping is alive, which costs MMapDirectory the same.
 */
final class Opening {

    /** The state of a clone that was closed before its input. */
    static final Opening CLOSED = new Opening();

    private final Held held;
    private final AtomicBoolean released = new AtomicBoolean();
    private boolean closed; // plain: a caller that closes an input while others read from it has to order that itself

    /** Creates an opening of a resource that is already held. */
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

    /** Closes, and lets go of the memory the first time. A thread that sees the memory given back also sees this closed. */
    void close() {
        closed = true;
        VarHandle.fullFence();
        if (released.compareAndSet(false, true)) {
            held.release();
        }
    }
}
