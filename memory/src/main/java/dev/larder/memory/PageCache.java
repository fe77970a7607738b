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

    /**
     * Returns how many bytes of a file the system has in memory, in whole pages; empty where it cannot be asked: it takes
     * native calls, or the file is not there. Nothing is brought in by it. Linux tells it to who owns the file or may
     * write it; to others all of a file is in memory.
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
     * Returns on which memory nodes the bytes of a file lie that the system has in memory, by the number of the node: from
     * at most 1024 of its pages, evenly spread, so an estimate where it is larger than 4 MiB. Empty where the system cannot
     * be asked: it takes native calls, or the file is not there, or a sandbox refuses it. Nothing is read from the disk,
     * but for what leaves the memory just then.
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
