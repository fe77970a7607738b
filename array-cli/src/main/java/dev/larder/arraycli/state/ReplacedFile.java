package dev.larder.arraycli.state;

import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** A file that another one is about to replace. */
final class ReplacedFile {

    private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rw-------");

    private ReplacedFile() {}

    /**
     * Creates an empty file with the permissions of another, and its owner and group where the system allows that. A file of
     * that name, which a killed process has left, is deleted.
     */
    static void createLike(Path file, Path next) throws IOException {
        Files.deleteIfExists(next);
        PosixFileAttributeView old = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (old == null || !Files.exists(file)) {
            Files.createFile(next);
            return;
        }
        Files.createFile(next, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
        PosixFileAttributes attributes = old.readAttributes();
        PosixFileAttributeView view =
                Files.getFileAttributeView(next, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        keepOwner(attributes, view);
        view.setPermissions(attributes.permissions()); // after the owner, since the umask may have taken some
    }

    /** Writes and syncs a text. Otherwise a power loss could leave the name, and an empty file. */
    static void write(Path file, String text, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, how)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Makes the name of a file durable. */
    static void syncFolder(Path file) {
        SystemStorage.system()
                .syncDirectory(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }

    private static void keepOwner(PosixFileAttributes old, PosixFileAttributeView next) throws IOException {
        try {
            PosixFileAttributes now = next.readAttributes();
            if (!now.group().equals(old.group())) {
                next.setGroup(old.group());
            }
            if (!now.owner().equals(old.owner())) {
                next.setOwner(old.owner());
            }
        } catch (java.nio.file.FileSystemException e) {
            return; // only root gives files away; the file was this user's before as well
        }
    }
}
