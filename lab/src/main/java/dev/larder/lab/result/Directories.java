package dev.larder.lab.result;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates and removes the directories for the data of experiments. */
public final class Directories {

    /** A file in each directory of {@link #claim}, removed last. */
    private static final String MARK = ".larder-lab";

    private Directories() {}

    public static Path create(Path directory) {
        return Attempt.giving("create the directory " + directory, () -> Files.createDirectories(directory));
    }

    /**
     * Creates a directory that the lab owns, and may remove with its content. It may exist already if the lab has created it:
     * an earlier run was killed, or kept its data.
     *
     * @param remedy what a user can do about a directory that the lab does not own
     * @throws LabException if it exists, and the lab has not created it
     */
    public static Path claim(Path directory, String remedy) {
        if (isOwn(directory)) {
            return directory;
        }
        create(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
        return Attempt.giving("create the directory " + directory, () -> {
            try {
                Files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                throw new LabException(
                        directory + " exists, and larder lab did not create it, so it does not delete it: " + remedy,
                        e);
            }
            Files.writeString(directory.resolve(MARK), "larder lab has made this folder, and deletes it.\n");
            return directory;
        });
    }

    private static boolean isOwn(Path directory) {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.isRegularFile(directory.resolve(MARK), LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes all unwanted entries of a directory of {@link #claim}. */
    public static void clear(Path directory, Predicate<String> isWanted) {
        Attempt.to("read " + directory, () -> {
            try (Stream<Path> places = Files.list(directory)) {
                places.filter(place -> !isMark(place))
                        .filter(place -> !isWanted.test(place.getFileName().toString()))
                        .forEach(Directories::delete);
            }
        });
    }

    private static boolean isMark(Path file) {
        return file.endsWith(MARK);
    }

    /** Removes a directory with its content, if it exists. Follows no link. */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        Attempt.to("delete " + directory, () -> Files.walkFileTree(directory, new Deleting()));
    }

    private static final class Deleting extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!isMark(file)) { // so that the lab still owns the rest after a kill
                Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
        }

        /** Accepts that another process has removed a file meanwhile. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
            if (error instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw error;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error) throws IOException {
            Files.deleteIfExists(directory.resolve(MARK));
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
