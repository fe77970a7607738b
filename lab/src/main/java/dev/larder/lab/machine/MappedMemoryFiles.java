package dev.larder.lab.machine;

import dev.larder.lab.result.Attempt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The bytes of files without a disk (tmpfs), all below one directory, that this process maps and has touched.
 *
 * <p>Both {@code shared_memory_bytes} of {@link ProcessMemory} and {@link CachedPages} contain them: a sum of the two must
 * subtract them once. A deleted file does not count, as no directory has it. The source is {@code /proc/self/smaps}, which
 * divides a page among its mappings, as in the sum of {@link ProcessMemory}:
 *
 * <pre>{@code
 * 7f12c0000000-7f12c0200000 rw-s 00000000 00:1a 1043       /dev/shm/lab/map/0.log
 * Size:               2048 kB
 * Pss:                1024 kB
 * }</pre>
 */
public final class MappedMemoryFiles {

    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    private static final String IN_MEMORY = "tmpfs";
    private static final String DELETED = " (deleted)";
    private static final Pattern MAPPING = Pattern.compile("[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ \\d+\\s*(.*)");
    private static final Pattern SHARE = Pattern.compile("Pss:\\s+(\\d+) kB");

    private MappedMemoryFiles() {}

    /** Returns the sum; 0 if the directory does not exist or has a disk, or the sum is unknown. */
    public static long bytes(Path directory) {
        return Attempt.giving("look at the mapped files of " + directory, () -> {
            if (!Files.isDirectory(directory) || !Files.isReadable(MAPPINGS) || !isInMemory(directory)) {
                return 0L;
            }
            // a name may have bytes that are not text: accepts all
            try (Stream<String> lines = Files.lines(MAPPINGS, StandardCharsets.ISO_8859_1)) {
                return bytes(lines, directory.toRealPath());
            }
        });
    }

    private static boolean isInMemory(Path directory) throws IOException {
        return Files.getFileStore(directory).type().equals(IN_MEMORY);
    }

    static long bytes(Stream<String> lines, Path directory) {
        String below = SystemFile.name(directory) + "/";
        boolean wanted = false;
        long bytes = 0;
        for (String line : (Iterable<String>) lines::iterator) {
            Matcher mapping = MAPPING.matcher(line);
            Matcher share = SHARE.matcher(line);
            if (mapping.matches()) {
                String name = mapping.group(1);
                wanted = name.startsWith(below) && !name.endsWith(DELETED);
            } else if (wanted && share.matches()) {
                bytes += Long.parseLong(share.group(1)) << 10;
            }
        }
        return bytes;
    }
}
