package dev.larder.memory;

import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import dev.larder.memory.linux.LinuxNodes;
import dev.larder.memory.linux.LinuxPages;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The system's page cache: the pages of files that it keeps in memory. */
public final class PageCache {

    private PageCache() {}

    /**
     * Drops the pages of a file from the page cache, except pages that are dirty or mapped by a process. Use it for a file of
     * which the process keeps its own copy. This is a hint: no byte changes, and the next read comes from the disk.
     *
     * @return why nothing was done: there are no native calls, or the file cannot be opened; empty if the system was
     *     asked
     */
    public static Optional<String> drop(Path file) {
        Optional<String> portable = SystemStorage.whyPortable();
        return portable.isPresent() ? portable : dropNatively(file);
    }

    /**
     * Returns how many bytes of a file are in memory, in whole pages. Empty if the system cannot be asked: there are no native
     * calls, or there is no such file. The call loads nothing. Linux returns the true number only to a user that owns the file
     * or may write it; for others it reports the whole file.
     */
    public static OptionalLong residentBytes(Path file) {
        if (!SystemStorage.system().isNative()) {
            return OptionalLong.empty();
        }
        Optional<StorageFile> found = SystemStorage.system().open(file, false);
        if (found.isEmpty()) {
            return OptionalLong.empty();
        }
        try (StorageFile opened = found.get();
                Arena arena = Arena.ofShared()) {
            long size = opened.sizeBytes();
            return OptionalLong.of(size == 0 ? 0 : LinuxPages.residentBytes(opened.map(0, size, false, arena)));
        }
    }

    /**
     * Returns the bytes of a file that are in memory, by the number of their memory node. It samples at most 1024 of
     * the file's pages, evenly spread, so it is an estimate for a file above 4 MiB. Empty if the system cannot be
     * asked: there are no native calls, there is no such file, or a sandbox refuses it. The call reads nothing from the
     * disk, except a page that is evicted at that moment.
     */
    public static Optional<SortedMap<Integer, Long>> residentBytesByNode(Path file) {
        if (!SystemStorage.system().isNative()) {
            return Optional.empty();
        }
        Optional<StorageFile> found = SystemStorage.system().open(file, false);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (StorageFile opened = found.get();
                Arena arena = Arena.ofShared()) {
            long size = opened.sizeBytes();
            return size == 0
                    ? Optional.of(new TreeMap<>())
                    : LinuxNodes.residentBytes(opened.map(0, size, false, arena));
        } catch (LinkageError e) {
            return Optional.empty();
        }
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
