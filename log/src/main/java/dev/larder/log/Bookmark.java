package dev.larder.log;

import dev.larder.log.retain.HeldBookmark;

/**
 * A bookmark that this process holds: a name, and a position that survives the process. No other process moves it until
 * it is closed, or this process has died. One thread at a time moves it.
 */
public final class Bookmark implements AutoCloseable {

    private final HeldBookmark held;

    Bookmark(HeldBookmark held) {
        this.held = held;
    }

    /** Returns the bookmark's name. */
    public String name() {
        return held.name();
    }

    /** Returns the bookmark's position; 0 if it was never moved. */
    public long position() {
        return held.position();
    }

    /**
     * Moves the bookmark. Every process sees the new position at once, and it survives the death of this process. It
     * survives the death of the machine after the next sync of the log.
     *
     * @throws IllegalArgumentException if the position is negative, or lies in a segment behind the log's end
     * @throws BookmarkHeldException if another process judged this one dead, and holds the bookmark
     * @throws dev.larder.memory.ClosedException if the bookmark was closed
     */
    public void move(long position) {
        held.move(position);
    }

    /** Releases the bookmark, so that any process may take it. */
    @Override
    public void close() {
        held.close();
    }

    @Override
    public String toString() {
        return held.toString();
    }
}
