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

/** The machine that a run was made on, as far as its figures depend on it. */
public final class Machine {

    private Machine() {}

    /** Returns the physical memory in bytes, or the container's share of it. */
    public static long memoryBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    /**
     * Returns the bytes that processes can still take without pushing others out, page cache included; null where the
     * system does not tell. Inside a container, that is what its host has.
     */
    public static @Nullable Long availableBytes() {
        return SystemFile.kibibytes(Path.of("/proc/meminfo"), "MemAvailable");
    }

    /** Returns the bytes that hold nothing at all; 0 where the system does not tell. */
    static long freeBytes() {
        Long free = SystemFile.kibibytes(Path.of("/proc/meminfo"), "MemFree");
        return free == null ? 0 : free;
    }

    /** Returns the facts; those that this system does not tell are null. */
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

    /** Returns the first line; read at once, since these files end after the first piece that is read of them. */
    private static @Nullable String line(String file) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
            return reader.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the value of the first line {@code name : value}; null when there is none. */
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
