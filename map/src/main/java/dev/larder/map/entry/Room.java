package dev.larder.map.entry;

import dev.larder.memory.DiskFullException;

/** Whether there is room for changes, and the wait for it where there is none. */
public interface Room {

    /** Returns whether puts need not wait. */
    boolean hasRoom();

    /** Finds out who has to wait. */
    void look();

    /**
     * Lets a change wait, which holds nothing but the records that its thread may be reading, until there is room. Returns at
     * once where there is.
     *
     * @param readLine where the thread is pinned as a reader; {@link ThreadState#NO_LINE} where it is not
     * @throws DiskFullException when what is alive does not leave enough
     */
    void await(boolean removal, int readLine);

    /**
     * Makes room for a change that found the disk full; it holds nothing, and tries again then.
     *
     * @param tries how often it has tried
     * @param removal whether it removes: then whatever is dead counts, as little as that may be
     * @throws DiskFullException that one, when there is nothing to gain
     */
    void makeRoom(DiskFullException met, int tries, boolean removal);
}
