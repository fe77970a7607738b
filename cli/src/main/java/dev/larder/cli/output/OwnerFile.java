package dev.larder.cli.output;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read. The files of a queue or a map are their owner's alone, and so are copies of the data. */
public final class OwnerFile {

    private OwnerFile() {}

    /**
     * Creates a file, and returns a buffered stream into it.
     *
     * @throws FileAlreadyExistsException if the file exists
     */
    public static OutputStream create(Path file) throws IOException {
        return new BufferedOutputStream(Channels.newOutputStream(Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerAlone(file))));
    }

    /** Creates an empty file unless it exists. */
    public static void createIfMissing(Path file) throws IOException {
        try {
            Files.createFile(file, ownerAlone(file));
        } catch (FileAlreadyExistsException e) {
            // it keeps its permissions, which its owner may have chosen
        }
    }

    private static FileAttribute<?>[] ownerAlone(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
