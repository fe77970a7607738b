package dev.larder.lab.machine;

import dev.larder.cli.LiveFiles;
import dev.larder.lab.result.Attempt;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The bytes of files of a directory in memory that this process does not map: files prepared ahead, or kept for reuse.
 * {@link ProcessMemory} counts the others.
 */
public final class UnmappedFiles {

    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final int DEPTH = 2;

    private UnmappedFiles() {}

    /** Returns the sum of the sizes; 0 if the directory does not exist, or it is unknown. */
    public static long bytes(Path directory) {
        return Attempt.giving("look at the files of " + directory, () -> {
            if (!Files.isDirectory(directory) || !Files.isReadable(MAPS)) {
                return 0L;
            }
            String maps = Files.readString(MAPS, StandardCharsets.ISO_8859_1);
            return LiveFiles.sizes(directory.toRealPath(), DEPTH).entrySet().stream()
                    .filter(file -> !maps.contains(" " + SystemFile.name(file.getKey()) + "\n"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        });
    }
}
