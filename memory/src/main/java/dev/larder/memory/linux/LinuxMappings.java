package dev.larder.memory.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The kernel's account of the mappings of this process.
 *
 * <pre>
 * 7f2a00000000-7f2a40000000 rw-p 00000000 00:00 0      a mapping, in hexadecimal
 * Rss:              204800 kB                          with its account
 * AnonHugePages:    202752 kB
 * </pre>
 */
public final class LinuxMappings {

    private static final Path ACCOUNT = Path.of("/proc/self/smaps");
    private static final int HEXADECIMAL = 16;

    private final String entry;
    private final long start;
    private final long end;
    private boolean within;
    private long kibibytes;

    private LinuxMappings(String entry, long start, long end) {
        this.entry = entry;
        this.start = start;
        this.end = end;
    }

    /**
     * Returns an entry of the account in bytes, summed over the mappings within a range of addresses; 0 if unreadable.
     */
    public static long sum(String entry, long start, long end) {
        LinuxMappings mappings = new LinuxMappings(entry, start, end);
        try (Stream<String> lines = Files.lines(ACCOUNT, StandardCharsets.ISO_8859_1)) {
            lines.forEach(mappings::take);
        } catch (IOException e) {
            return 0;
        }
        return mappings.kibibytes << 10;
    }

    private void take(String line) {
        int dash = line.indexOf('-');
        int space = line.indexOf(' ');
        if (dash > 0 && dash < space) {
            within = Long.parseUnsignedLong(line, 0, dash, HEXADECIMAL) < end
                    && Long.parseUnsignedLong(line, dash + 1, space, HEXADECIMAL) > start;
        } else if (within && line.startsWith(entry)) {
            kibibytes += Long.parseLong(
                    line.substring(entry.length()).replace("kB", "").strip());
        }
    }
}
