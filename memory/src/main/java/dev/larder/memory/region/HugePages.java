package dev.larder.memory.region;

import dev.larder.memory.SystemStorage;
import dev.larder.memory.linux.AlignedMapping;
import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Regions on huge pages: pages that the machine has reserved, else a mapping in which the kernel may build huge pages.
 */
final class HugePages implements UnnamedSource {

    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path TRANSPARENT = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    @Override
    public Optional<String> unavailable() {
        return SystemStorage.whyPortable().or(HugePages::whyNone);
    }

    private static Optional<String> whyNone() {
        if (Page.BYTES == 0) {
            return Optional.of("this kernel has no huge pages");
        }
        boolean none = number("HugePages_Total:") == 0 && !areTransparent();
        return none
                ? Optional.of("no huge page is reserved (vm.nr_hugepages is 0), and " + TRANSPARENT + " says never")
                : Optional.empty();
    }

    @Override
    public Region create(long bytes, Arena arena) {
        long length = (bytes + Page.BYTES - 1) & -Page.BYTES;
        long reserved = LinuxCalls.mmapAnonymous(length, LinuxCalls.MAP_HUGETLB);
        return reserved < 0
                ? region(mapTransparent(length), bytes, length, "transparent where the kernel finds room", arena)
                : region(reserved, bytes, length, "reserved", arena);
    }

    /** Maps a range that begins at a multiple of a huge page, and requests huge pages there. */
    private static long mapTransparent(long length) {
        String what = "cannot map " + length + " bytes of huge pages";
        long mapped = AlignedMapping.anonymous(length, Page.BYTES, 0);
        if (mapped < 0) {
            throw LinuxError.exception(what, mapped);
        }
        long advised = LinuxCalls.madvise(MemorySegment.NULL, mapped, length, LinuxCalls.MADV_HUGEPAGE);
        if (advised < 0) {
            LinuxCalls.munmap(mapped, length);
            throw LinuxError.exception(
                    what + ": no huge page is reserved, and the kernel refuses transparent ones", advised);
        }
        return mapped;
    }

    private static Region region(long address, long bytes, long length, String got, Arena arena) {
        MemorySegment mapped = LinuxCalls.segment(address, length, arena).asSlice(0, bytes);
        String description = length / Page.BYTES + " pages of " + Page.BYTES + " bytes, " + got;
        return new Region(RegionKind.HUGE_PAGES, "", mapped, new Got(description));
    }

    private static boolean areTransparent() {
        try {
            return !Files.readString(TRANSPARENT).contains("[never]");
        } catch (IOException e) {
            return false;
        }
    }

    private static long number(String name) {
        try (Stream<String> lines = Files.lines(MEMORY)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).replace("kB", "").strip())
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public String toString() {
        return "a region of huge pages";
    }

    /** The size of a page that can be reserved; 0 if there are none. */
    private static final class Page {

        static final long BYTES = number("Hugepagesize:") << 10;

        private Page() {}
    }

    /** The kind of pages that the region got. */
    private record Got(String description) implements RegionBacking {}
}
