package dev.larder.memory.portable;

import dev.larder.memory.FileSystemKind;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A text that differs between one mount of a file system and the next, as far as Linux shows it without native calls.
 *
 * <p>The kernel shows a mounted ext4, XFS or F2FS as a directory of sysfs, made at the mount and removed at the unmount. The
 * inode numbers of such directories are not used twice until the next boot:
 *
 * <pre>
 * directory --device--> 254:1 --/sys/dev/block/254:1--> vdb1 ----> /sys/fs/ext4/vdb1, inode 18504
 * </pre>
 *
 * <p>It is the same for every bind mount, so also for every container that shares a volume, and for a restarted container. The
 * number of the mount itself is not: a process killed in one container would look like a power cut to the next.
 *
 * <p>The files of a tmpfs go with its mount, so a file that still exists belongs to the same mount.
 */
final class MountIdentity {

    private static final List<String> SHOWN = List.of("ext4", "xfs", "f2fs");
    private static final Set<String> GONE_WITH_THE_MOUNT = Set.of("tmpfs", "ramfs");

    private MountIdentity() {}

    /** Returns the identity of a directory's file system; empty if the kernel shows none. */
    static String of(Path directory, FileSystemKind kind) {
        if (GONE_WITH_THE_MOUNT.contains(kind.name())) {
            return kind.name();
        }
        try {
            return numbersAreUsedOnce(System.getProperty("os.version")) ? shown(directory) : "";
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return ""; // no such attributes, or no sysfs
        }
    }

    /** Since Linux 5.5 an inode number of sysfs has 64 bits and is not used again. */
    static boolean numbersAreUsedOnce(String version) {
        String[] parts = version.split("[^0-9]", 3);
        int major = Integer.parseInt(parts[0]);
        return "Linux".equals(System.getProperty("os.name"))
                && (major > 5 || (major == 5 && Integer.parseInt(parts[1]) >= 5));
    }

    private static String shown(Path directory) throws IOException {
        Path block = Path.of("/sys/dev/block", device((long) Files.getAttribute(directory, "unix:dev")));
        if (!directory.getFileSystem().equals(FileSystems.getDefault()) || !Files.exists(block)) {
            return "";
        }
        String name = String.valueOf(block.toRealPath().getFileName());
        for (String type : SHOWN) {
            Path life = Path.of("/sys/fs", type, name);
            if (Files.isDirectory(life)) {
                return type + ":" + name + ":" + Files.getAttribute(life, "unix:ino");
            }
        }
        return "";
    }

    /** Returns the major and minor number of a device, as the kernel writes them. */
    static String device(long number) {
        long major = (number >>> 8 & 0xfff) | (number >>> 32 & ~0xfffL);
        long minor = (number & 0xff) | (number >>> 12 & 0xffffff00L);
        return major + ":" + minor;
    }
}
