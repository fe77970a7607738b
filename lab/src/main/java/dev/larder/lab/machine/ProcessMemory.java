package dev.larder.lab.machine;

import dev.larder.cli.Figures;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The memory that this process holds, from {@code /proc/self/smaps_rollup}, in bytes.
 *
 * <p>The kernel divides a page among its mappings, so that each counts once. That matters for a collector that keeps its
 * heap in an anonymous file (ZGC), or maps it several times, and for libraries shared with other processes. The kernel
 * walks all pages, which takes some tenths of a second for some GiB: call it after a measurement, not during it.
 */
public final class ProcessMemory {

    private static final Path ROLLUP = Path.of("/proc/self/smaps_rollup");

    private ProcessMemory() {}

    /**
     * Returns {@code memory_bytes}, the sum of {@code anonymous_bytes} (private memory), {@code shared_memory_bytes}
     * (files without a disk) and {@code file_bytes} (mapped pages of files); null if unknown.
     */
    public static Figures figures() {
        return of(SystemFile.lines(ROLLUP));
    }

    static Figures of(List<String> rollup) {
        return new Figures()
                .put("memory_bytes", SystemFile.kibibytes(rollup, "Pss"))
                .put("anonymous_bytes", SystemFile.kibibytes(rollup, "Pss_Anon"))
                .put("shared_memory_bytes", SystemFile.kibibytes(rollup, "Pss_Shmem"))
                .put("file_bytes", SystemFile.kibibytes(rollup, "Pss_File"));
    }

    /**
     * Returns the memory, without a file or in files without a disk, that a process has taken so far; 0 after its end.
     */
    static long takenBytes(long pid) {
        List<String> status = SystemFile.lines(Path.of("/proc/" + pid + "/status"));
        return Stream.of("RssAnon", "RssShmem")
                .map(name -> SystemFile.kibibytes(status, name))
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sum();
    }
}
