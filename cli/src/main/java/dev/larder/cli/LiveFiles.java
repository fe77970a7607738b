package dev.larder.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory in which other processes create and remove files at the same time. A file that disappears meanwhile
 * counts as missing; {@link Files#walk} and {@link Files#list} would fail.
 */
public final class LiveFiles {

    private LiveFiles() {}

    /**
     * Returns the regular files below a directory, with their sizes in bytes when visited. Follows no link.
     *
     * @param depth how many levels of directories to go down; 1 for the directory's own files
     * @throws IOException if the directory, or one below it, cannot be read
     */
    public static SortedMap<Path, Long> sizes(Path directory, int depth) throws IOException {
        return visited(directory, depth, new Sizes(directory, null));
    }

    /**
     * Returns the same, but leaves out directories below the first that this process may not read.
     *
     * @param refused gets those directories
     */
    public static SortedMap<Path, Long> readableSizes(Path directory, int depth, Collection<Path> refused)
            throws IOException {
        return visited(directory, depth, new Sizes(directory, refused));
    }

    private static SortedMap<Path, Long> visited(Path directory, int depth, Sizes sizes) throws IOException {
        Files.walkFileTree(directory, Set.of(), depth, sizes);
        return sizes.found;
    }

    /** Returns the sum of the sizes of all files below a directory. */
    public static long bytes(Path directory) throws IOException {
        return sizes(directory, Integer.MAX_VALUE).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static final class Sizes extends SimpleFileVisitor<Path> {

        private final Path directory;
        private final SortedMap<Path, Long> found = new TreeMap<>();

        private final @Nullable Collection<Path> refused;

        Sizes(Path directory, @Nullable Collection<Path> refused) {
            this.directory = directory;
            this.refused = refused;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
                found.put(file, attributes.size());
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
            if (file.equals(directory)) {
                throw error;
            }
            if (error instanceof AccessDeniedException && refused != null) {
                refused.add(file);
                return FileVisitResult.CONTINUE;
            }
            if (error instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw error;
        }
    }
}
