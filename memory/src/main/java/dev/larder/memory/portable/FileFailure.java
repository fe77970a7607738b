package dev.larder.memory.portable;

import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.UnsupportedFileSystemException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Converts exceptions of {@code java.nio} into those of Larder, with the path, the operation and the system's words. */
public final class FileFailure {

    private static final List<String> FULL = List.of(
            "No space left on device",
            "Disk quota exceeded",
            "Disc quota exceeded",
            "There is not enough space on the disk");

    /** The words of systems at a limit, and of the JVM when it maps. */
    private static final List<String> LIMITS = List.of("Too many open files", "Map failed");

    /** The words of systems for a link on a file system without hard links. */
    private static final List<String> NO_LINKS = List.of(
            "Operation not permitted", "Operation not supported", "Function not implemented", "Incorrect function");

    private FileFailure() {}

    /** Returns the exception for an operation on a path that failed. */
    public static LarderException of(Path path, String what, IOException cause) {
        if (cause instanceof ClosedChannelException) {
            return closed(path, what);
        }
        String text = path + ": cannot " + what + ": " + words(cause);
        if (says(cause, LIMITS)) {
            return new SystemLimitException(text, cause);
        }
        return says(cause, FULL) ? new DiskFullException(text, cause) : new StorageException(text, cause);
    }

    /**
     * Returns the exception for bytes that could not be written. The system's words may be in any language. A file system with
     * less than {@code bytes} left is full, whatever the words.
     */
    static LarderException ofWriting(Path path, String what, long bytes, IOException cause) {
        LarderException failure = of(path, what, cause);
        if (failure instanceof StorageException && !(failure instanceof DiskFullException) && hasLess(path, bytes)) {
            return new DiskFullException(Objects.requireNonNull(failure.getMessage()), cause);
        }
        return failure;
    }

    /** Returns the exception for a hard link that could not be made. */
    static LarderException ofLinking(Path existing, Path name, IOException cause) {
        String message = String.valueOf(cause.getMessage());
        return NO_LINKS.stream().anyMatch(message::contains)
                ? noHardLinks(existing, name, words(cause))
                : of(name, "link to " + existing, cause);
    }

    /** Returns the exception for a hard link on a file system without hard links. */
    public static UnsupportedFileSystemException noHardLinks(Path existing, Path name, String words) {
        Path directory = Objects.requireNonNull(name.toAbsolutePath().getParent());
        String type = PortableStorage.INSTANCE.fileSystem(directory).name();
        return new UnsupportedFileSystemException(name + ": cannot link to " + existing + ": this file system, of type "
                + type + ", has no hard links: " + words);
    }

    /** Returns the exception for a call on a file that was closed before. */
    public static ClosedException closed(Path path, String what) {
        return new ClosedException(path + ": cannot " + what + ": the file is closed");
    }

    private static boolean says(IOException cause, List<String> words) {
        String message = String.valueOf(cause.getMessage());
        return words.stream().anyMatch(message::contains);
    }

    private static boolean hasLess(Path path, long bytes) {
        try {
            return Files.getFileStore(path).getUsableSpace() < bytes;
        } catch (IOException e) {
            return false;
        }
    }

    private static String words(IOException cause) {
        return switch (cause) {
            case AccessDeniedException e -> "permission denied" + reason(e);
            case NoSuchFileException e -> "no such file or directory" + reason(e);
            case FileAlreadyExistsException e -> "it exists" + reason(e);
            case DirectoryNotEmptyException e -> "the directory is not empty" + reason(e);
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> String.valueOf(cause.getMessage());
        };
    }

    private static String reason(FileSystemException cause) {
        return cause.getReason() == null ? "" : " (" + cause.getReason() + ")";
    }
}
