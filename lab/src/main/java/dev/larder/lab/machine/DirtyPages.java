package dev.larder.lab.machine;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;

/**
 * Data of earlier measurements that the system has not written back. It is written before the next one begins: otherwise
 * a store that promises little would be fast at the next one's cost.
 */
public final class DirtyPages {

    private DirtyPages() {}

    /** Writes everything back, and waits for it however long it takes; does nothing without a command {@code sync}. */
    public static void settle() {
        if (SystemCommand.find("sync").isEmpty()) {
            return;
        }
        int code = Attempt.giving(
                "run sync", () -> new ProcessBuilder("sync").inheritIO().start().waitFor());
        if (code != 0) {
            throw new LabException("sync: exit code " + code);
        }
    }
}
