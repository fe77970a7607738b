package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Checks of a command's directory argument, before the directory is opened. */
public final class GivenDirectory {

    private GivenDirectory() {}

    /** Throws if a file was given in place of the directory: a shell easily completes to its name. */
    public static void refuseFile(Path directory) {
        if (Files.isRegularFile(directory)) {
            throw new LarderException(directory + " is a file; name the directory that holds it");
        }
    }

    /** Returns whether the directory exists and is not empty. */
    public static boolean holdsFiles(Path directory) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isPresent();
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
    }

    static LarderException unreadable(Path directory, IOException reason) {
        return new LarderException(
                "cannot read the directory " + directory + ": " + FailureReason.withoutPath(reason), reason);
    }
}
