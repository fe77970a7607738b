package dev.larder.lab.result;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Making and removing the directories that experiments put their data in. */
public final class Directories {

    private Directories() {}

    public static Path create(Path directory) {
        return Attempt.giving("create the directory " + directory, () -> Files.createDirectories(directory));
    }

    /** Removes a directory with everything in it; nothing happens when it is not there. Follows no link. */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        Attempt.to("delete " + directory, () -> Files.walkFileTree(directory, new Deleting()));
    }

    private static final class Deleting extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        /** What somebody else has removed meanwhile is gone, as it is to be. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
            if (error instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw error;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
