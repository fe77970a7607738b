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
 * The permissions of new files and directories, given at creation, so that there is no instant without them.
 *
 * <p>The system takes the bits of the umask away from them; it never adds any. Where it has taken some that
 * {@link Access} grants, they are given back. On systems without such permissions (Windows) the directory decides.
 */
public final class FileModes {

    private FileModes() {}

    static Set<PosixFilePermission> ofFile(Access access) {
        return PosixFilePermissions.fromString(access == Access.OWNER ? "rw-------" : "rw-rw----");
    }

    static Set<PosixFilePermission> ofDirectory(Access access) {
        return PosixFilePermissions.fromString(access == Access.OWNER ? "rwx------" : "rwxrwx---");
    }

    /** Returns what gives a file these permissions at its creation. */
    static FileAttribute<?>[] atCreation(Path path, Set<PosixFilePermission> permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Gives back what the umask took. Mounts with fixed permissions refuse; there whoever mounted it decided. */
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
            // Either the mount has fixed permissions, or the name is gone again; the file is narrower than asked.
        }
    }

    /** Creates a directory and its missing parents; those that are there, links to directories too, stay as they are. */
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
