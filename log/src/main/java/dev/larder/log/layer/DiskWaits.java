package dev.larder.log.layer;

import dev.larder.log.NotInMemoryException;
import dev.larder.log.Position;
import java.nio.file.Path;

/** Whether a thread may wait for the disk when a record that it reads is not in memory. One object a thread. */
public final class DiskWaits {

    private static final ThreadLocal<DiskWaits> OF_THREAD = ThreadLocal.withInitial(DiskWaits::new);

    private boolean forbidden;

    private DiskWaits() {}

    /** Returns this thread's object. */
    public static DiskWaits ofThisThread() {
        return OF_THREAD.get();
    }

    /** Sets whether the thread must not wait from now on; returns what was set before. */
    public boolean forbid(boolean now) {
        boolean before = forbidden;
        forbidden = now;
        return before;
    }

    /** Returns whether this thread must not wait. */
    public static boolean areForbidden() {
        return OF_THREAD.get().forbidden;
    }

    /**
     * Fails where this thread must not wait for bytes that are not in memory.
     *
     * @param path the file of those bytes
     * @param position where they lie in the log
     */
    public static void requireAllowed(Path path, long position) {
        if (areForbidden()) {
            throw new NotInMemoryException(path + ": the bytes at position " + Position.toString(position)
                    + " are not in memory, and this thread may not wait for the disk");
        }
    }
}
