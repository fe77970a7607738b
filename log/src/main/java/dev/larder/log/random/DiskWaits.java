package dev.larder.log.random;

/** Whether a thread may wait for the disk, when a record that it looks at is not in memory. One object a thread. */
public final class DiskWaits {

    private static final ThreadLocal<DiskWaits> OF_THREAD = ThreadLocal.withInitial(DiskWaits::new);

    private boolean forbidden;

    private DiskWaits() {}

    /** Returns this thread's. */
    public static DiskWaits ofThisThread() {
        return OF_THREAD.get();
    }

    /** Says whether it must not wait from now on; returns whether it must not have before. */
    public boolean forbid(boolean now) {
        boolean before = forbidden;
        forbidden = now;
        return before;
    }

    static boolean areForbidden() {
        return OF_THREAD.get().forbidden;
    }
}
