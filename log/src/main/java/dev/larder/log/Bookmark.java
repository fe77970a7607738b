package dev.larder.log;

import dev.larder.log.retain.HeldBookmark;

/**
 * A bookmark in this process's hands: a name, and a position that survives. Nobody else moves it until it is closed, or
 * this process has died. One thread at a time moves it.
 */
public final class Bookmark implements AutoCloseable {

    private final HeldBookmark held;

    Bookmark(HeldBookmark held) {
        this.held = held;
    }

    /** Returns its name. */
    public String name() {
        return held.name();
    }

    /** Returns where it stands; 0 as long as it was never moved. */
    public long position() {
        return held.position();
    }

    /**
     * Moves it. Every process sees that at once, and it survives the death of this one; it survives the death of the
     * machine when the log was synced after it.
     *
     * @throws BookmarkHeldException when this process was taken for dead, and another has the bookmark
     * @throws dev.larder.memory.ClosedException when it was closed
     */
    public void move(long position) {
        held.move(position);
    }

    /** Gives it back: any process may take it. */
    @Override
    public void close() {
        held.close();
    }

    @Override
    public String toString() {
        return held.toString();
    }
}
