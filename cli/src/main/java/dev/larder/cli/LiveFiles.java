package dev.larder.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

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
        Sizes sizes = new Sizes(directory);
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

        Sizes(Path directory) {
            this.directory = directory;
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
            if (error instanceof NoSuchFileException && !file.equals(directory)) {
                return FileVisitResult.CONTINUE;
            }
            throw error;
        }
    }
}
