package dev.larder.map.entry;

import dev.larder.map.NoRoomYetException;
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
     * @param own the thread's own desk, which says where it is pinned as a reader, and whether it may wait
     * @throws DiskFullException when what is alive does not leave enough
     * @throws NoRoomYetException when the thread may not wait, and would have to
     */
    void await(boolean removal, ThreadState<?, ?> own);

    /** Returns the error of a change that may not wait, and found the disk full; the background is told to clean. */
    NoRoomYetException noRoomYet(DiskFullException met);

    /**
     * Makes room for a change that found the disk full; it holds nothing, and tries again then.
     *
     * @param tries how often it has tried
     * @param removal whether it removes: then whatever is dead counts, as little as that may be
     * @throws DiskFullException that one, when there is nothing to gain
     */
    void makeRoom(DiskFullException met, int tries, boolean removal);
}
