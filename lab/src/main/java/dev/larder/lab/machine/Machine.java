package dev.larder.lab.machine;

import com.sun.management.OperatingSystemMXBean;
import dev.larder.cli.Figures;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The facts of the machine on which the figures of a run depend. */
public final class Machine {

    private Machine() {}

    /** Returns the physical memory in bytes, or the container's share of it. */
    public static long memoryBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    /**
     * Returns the bytes that processes can still take without evicting others, page cache included; null if unknown.
     * Inside a container, these are the host's.
     */
    public static @Nullable Long availableBytes() {
        return SystemFile.kibibytes(Path.of("/proc/meminfo"), "MemAvailable");
    }

    /** Returns the bytes of free memory, without caches; 0 if unknown. */
    static long freeBytes() {
        Long free = SystemFile.kibibytes(Path.of("/proc/meminfo"), "MemFree");
        return free == null ? 0 : free;
    }

    /** Returns the facts; null for those unknown here. */
    public static Figures facts(Path dataDirectory) {
        return new Figures()
                .put("os", System.getProperty("os.name"))
                .put("kernel", System.getProperty("os.version"))
                .put("architecture", System.getProperty("os.arch"))
                .put("processor", colonValue(Path.of("/proc/cpuinfo"), "model name"))
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("memory_bytes", memoryBytes())
                .put("swap_total", colonValue(Path.of("/proc/meminfo"), "SwapTotal"))
                .put("file_system", fileSystem(dataDirectory))
                .put("transparent_huge_pages", line("/sys/kernel/mm/transparent_hugepage/enabled"))
                .put("dirty_ratio", line("/proc/sys/vm/dirty_ratio"))
                .put("dirty_background_ratio", line("/proc/sys/vm/dirty_background_ratio"))
                .put("load_average", line("/proc/loadavg"));
    }

    private static @Nullable String fileSystem(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return store.type();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the first line; read in one piece, since these files end after the first read. */
    private static @Nullable String line(String file) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
            return reader.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the value of the first line {@code name : value}; null if there is none. */
    public static @Nullable String colonValue(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }
}
