package dev.larder.lab.machine;

/**
 * What the measurements before have left for the system to write back. It is written before the next one begins: else a
 * store that promises little would be fast at the cost of whoever comes after it.
 */
public final class DirtyPages {

    private DirtyPages() {}

    /** Writes everything back, and waits for it; does nothing where there is no command {@code sync}. */
    public static void settle() {
        if (SystemCommand.find("sync").isPresent()) {
            SystemCommand.answer("sync");
        }
    }
}
