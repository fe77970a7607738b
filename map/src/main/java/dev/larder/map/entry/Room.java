package dev.larder.map.entry;

import dev.larder.map.NoRoomYetException;
import dev.larder.memory.DiskFullException;

/** Decides whether there is room for changes, and lets them wait if there is none. */
public interface Room {

    /** Returns whether puts need not wait. */
    boolean hasRoom();

    /** Finds out which changes have to wait. */
    void look();

    /**
     * Lets a change wait until there is room. It holds nothing but the records that its thread may be reading. Returns at once
     * if there is room.
     *
     * @param own the thread's own desk, which knows where it is pinned as a reader, and whether it may wait
     * @throws DiskFullException when the live entries do not leave enough space
     * @throws NoRoomYetException when the thread would have to wait, and may not
     */
    void await(boolean removal, ThreadState<?, ?> own);

    /** Returns the error of a change that may not wait and found the disk full; wakes the background task to clean. */
    NoRoomYetException noRoomYet(DiskFullException met);

    /**
     * Makes room for a change that found the disk full. The change holds nothing, and is tried again afterwards.
     *
     * @param tries how often the change was tried
     * @param removal whether the change removes an entry: then any dead byte counts, however few there are
     * @throws DiskFullException the given one, if no space can be gained
     */
    void makeRoom(DiskFullException met, int tries, boolean removal);
}
