package dev.larder.memory;

import java.nio.file.Path;
import java.util.Optional;

/** What the system keeps of files in memory, beside what a process has copied. */
public final class PageCache {

    private PageCache() {}

    /**
     * Lets go of what the system has cached of a file, but for pages that are dirty or that somebody maps: for a file of
     * which the process keeps a copy of its own. A hint; no byte changes, the next reader reads from the disk.
     *
     * @return why nothing was done: it takes native calls, or the file cannot be opened; empty when the system was asked
     */
    public static Optional<String> drop(Path file) {
        Optional<String> portable = SystemStorage.whyPortable();
        return portable.isPresent() ? portable : dropNatively(file);
    }

    private static Optional<String> dropNatively(Path file) {
        int descriptor = LinuxCalls.open(file, LinuxCalls.O_RDONLY | LinuxCalls.O_CLOEXEC | LinuxCalls.O_NONBLOCK, 0);
        if (descriptor < 0) {
            return Optional.of(file + ": cannot open the file: " + LinuxError.words(descriptor));
        }
        try {
            long result = LinuxCalls.dropCache(descriptor);
            return result < 0
                    ? Optional.of(file + ": cannot leave the page cache: " + LinuxError.words(result))
                    : Optional.empty();
        } finally {
            LinuxCalls.close(descriptor);
        }
    }
}
