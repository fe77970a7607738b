package dev.larder.lab.machine;

/**
 * Data of earlier measurements that the system has not written back. It is written before the next one begins: otherwise
 * a store that promises little would be fast at the next one's cost.
 */
public final class DirtyPages {

    private DirtyPages() {}

    /** Writes everything back, and waits for it; does nothing without a command {@code sync}. */
    public static void settle() {
        if (SystemCommand.find("sync").isPresent()) {
            SystemCommand.answer("sync");
        }
    }
}
