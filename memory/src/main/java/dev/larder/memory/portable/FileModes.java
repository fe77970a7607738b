package dev.larder.memory.portable;

import dev.larder.memory.Access;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The permissions of new files and directories. They are set at creation, so there is no instant without them.
 *
 * <p>The system removes the bits of the umask, and never adds any. Removed bits that {@link Access} grants are restored. On
 * systems without such permissions (Windows) the directory decides.
 */
public final class FileModes {

    private FileModes() {}

    static Set<PosixFilePermission> ofFile(Access access) {
        return PosixFilePermissions.fromString(access == Access.OWNER ? "rw-------" : "rw-rw----");
    }

    static Set<PosixFilePermission> ofDirectory(Access access) {
        return PosixFilePermissions.fromString(access == Access.OWNER ? "rwx------" : "rwxrwx---");
    }

    /** Returns the attributes that give a file these permissions at its creation. */
    static FileAttribute<?>[] atCreation(Path path, Set<PosixFilePermission> permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Restores the bits that the umask removed. Mounts with fixed permissions refuse; there the mount options decide. */
    static void complete(Path path, Set<PosixFilePermission> permissions) {
        if (!isPosix(path)) {
            return;
        }
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            if (!view.readAttributes().permissions().containsAll(permissions)) {
                view.setPermissions(permissions);
            }
        } catch (IOException e) {
            // Either the mount has fixed permissions, or the name is gone again; the file has fewer than requested.
        }
    }

    /** Creates a directory and its missing parents. Existing ones, also links to directories, stay as they are. */
    static void createDirectories(Path directory, Set<PosixFilePermission> permissions) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            createDirectories(parent, permissions);
        }
        try {
            Files.createDirectory(directory, atCreation(directory, permissions));
            complete(directory, permissions);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    public static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
