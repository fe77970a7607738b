package dev.larder.log;

import dev.larder.memory.ClosedException;

/**
 * A bookmark in this process's hands: a name, and a position that survives. Nobody else moves it until it is closed, or
 * this process has died. One thread at a time moves it.
 */
public final class Bookmark implements AutoCloseable {

    private final Bookmarks bookmarks;
    private final String name;
    private final int entry;
    private final long owner;
    private long counter;
    private volatile boolean closed;

    Bookmark(Bookmarks bookmarks, String name, int entry, long owner, long counter) {
        this.bookmarks = bookmarks;
        this.name = name;
        this.entry = entry;
        this.owner = owner;
        this.counter = counter;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    int entry() {
        return entry;
    }

    /** Returns where it stands; 0 as long as it was never moved. */
    public long position() {
        return bookmarks.position(this);
    }

    /**
     * Moves it. Every process sees that at once, and it survives the death of this one; it survives the death of the
     * machine when the log was synced after it.
     *
     * @throws BookmarkHeldException when this process was taken for dead, and another has the bookmark
     * @throws ClosedException when it was closed
     */
    public void move(long position) {
        if (closed) {
            throw new ClosedException(this + " was closed");
        }
        bookmarks.move(this, owner, ++counter, position);
    }

    /** Gives it back: any process may take it. */
    @Override
    public void close() {
        closed = true;
        bookmarks.release(this, owner);
    }

    @Override
    public String toString() {
        return "bookmark \"" + name + "\" of " + bookmarks.directory();
    }
}
