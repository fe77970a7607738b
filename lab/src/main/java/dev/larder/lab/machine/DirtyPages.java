package dev.larder.lab.machine;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.TimeUnit;

/**
 * What the measurements before have left for the system to write back. It is written before the next one begins: else a
 * store that promises little would be fast at the cost of whoever comes after it.
 */
public final class DirtyPages {

    private static final long WAIT_SECONDS = 120;

    private DirtyPages() {}

    /** Writes everything back, and waits for it; does nothing where there is no command {@code sync}. */
    public static void settle() {
        try {
            Process sync = new ProcessBuilder("sync")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (!sync.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new LabException("the machine did not write its pages back within " + WAIT_SECONDS + " s");
            }
        } catch (IOException e) {
            // no such command: then the system writes back as it likes, as it does for everybody
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
