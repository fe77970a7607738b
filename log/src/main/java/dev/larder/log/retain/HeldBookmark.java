package dev.larder.log.retain;

import dev.larder.memory.ClosedException;

/** An entry of the bookmarks' file that this process owns until it closes this. One thread at a time moves it. */
public final class HeldBookmark implements AutoCloseable {

    private final Bookmarks bookmarks;
    private final String name;
    private final int entry;
    private final long owner;
    private long counter;
    private volatile boolean closed;

    HeldBookmark(Bookmarks bookmarks, String name, int entry, long owner, long counter) {
        this.bookmarks = bookmarks;
        this.name = name;
        this.entry = entry;
        this.owner = owner;
        this.counter = counter;
    }

    public String name() {
        return name;
    }

    int entry() {
        return entry;
    }

    public long position() {
        return bookmarks.position(this);
    }

    public void move(long position) {
        if (closed) {
            throw new ClosedException(this + " was closed");
        }
        bookmarks.move(this, owner, counter + 1, position);
        counter++; // only now: after a refused move, the next one writes the mark that it did not
    }

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
