package dev.larder.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A memory control group: its limit, its use, and the file by which a process joins it. */
public record ControlGroup(int version, Path directory) {

    /** No limit, as version 1 writes it: the largest multiple of a page below 2^63. */
    private static final long UNLIMITED = 1L << 60;

    /** The file for the id of a joining process. */
    public Path processes() {
        return directory.resolve("cgroup.procs");
    }

    /** Sets the limit, and forbids swapping if the kernel permits. */
    public void limit(long bytes) throws IOException {
        if (version == 1) {
            write("memory.limit_in_bytes", Long.toString(bytes));
            writeIfThere("memory.memsw.limit_in_bytes", Long.toString(bytes));
        } else {
            write("memory.max", Long.toString(bytes));
            writeIfThere("memory.swap.max", "0");
        }
    }

    /** Returns the limit that holds here, from this group or one above; null if there is none. */
    @Nullable
    public Long limitBytes() {
        Long limit = null;
        for (Path group = directory; group != null; group = group.getParent()) {
            Long here = number(group, version == 1 ? "memory.limit_in_bytes" : "memory.max");
            if (here != null && here < UNLIMITED && (limit == null || here < limit)) {
                limit = here;
            }
        }
        return limit;
    }

    @Nullable
    public Long usedBytes() {
        return number(directory, version == 1 ? "memory.usage_in_bytes" : "memory.current");
    }

    /** Returns the highest use so far; null if the kernel lacks it (version 2 before Linux 5.19). */
    @Nullable
    public Long peakBytes() {
        return number(directory, version == 1 ? "memory.max_usage_in_bytes" : "memory.peak");
    }

    /** Returns the file pages charged to this group. */
    @Nullable
    public Long cachedBytes() {
        return counter("memory.stat", version == 1 ? "total_cache" : "file");
    }

    /** Returns how many of its processes the kernel has killed for lack of memory. */
    @Nullable
    public Long killed() {
        return counter(version == 1 ? "memory.oom_control" : "memory.events", "oom_kill");
    }

    public void remove() throws IOException {
        Files.deleteIfExists(directory);
    }

    private @Nullable Long counter(String file, String name) {
        try (Stream<String> lines = Files.lines(directory.resolve(file))) {
            return lines.filter(line -> line.startsWith(name + " "))
                    .map(line -> Long.valueOf(line.substring(name.length() + 1).strip()))
                    .findFirst()
                    .orElse(null);
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Long number(Path group, String file) {
        try {
            return Long.valueOf(Files.readString(group.resolve(file)).strip());
        } catch (IOException | NumberFormatException e) {
            return null; // missing, or "max"
        }
    }

    private void writeIfThere(String file, String text) {
        try {
            if (Files.exists(directory.resolve(file))) {
                write(file, text);
            }
        } catch (IOException e) {
            // A machine without swap accounting refuses; the memory limit itself still holds.
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text);
    }
}
