package dev.larder.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** The reason why an input or output failed. The message of a {@link FileSystemException} is often only the path. */
public final class FailureReason {

    private FailureReason() {}

    /** Returns the reason, with the path if the exception knows it. */
    public static String of(IOException failure) {
        return failure instanceof FileSystemException named && named.getFile() != null
                ? named.getFile() + ": " + withoutPath(named)
                : withoutPath(failure);
    }

    /** Returns the reason, for a text that names the path itself. */
    public static String withoutPath(IOException failure) {
        return switch (failure) {
            case FileSystemException named when named.getReason() != null -> named.getReason();
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "no such file or directory";
            case FileAlreadyExistsException _ -> "it exists already";
            case DirectoryNotEmptyException _ -> "the directory is not empty";
            case NotDirectoryException _ -> "it is not a directory";
            case FileSystemException named -> named.getClass().getSimpleName();
            default -> Objects.requireNonNullElse(failure.getMessage(), failure.toString());
        };
    }
}
