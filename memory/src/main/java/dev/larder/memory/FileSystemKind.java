package dev.larder.memory;

import java.util.Locale;
import java.util.Set;

/**
 * The kind of file system under a directory.
 *
 * @param name the system's name for it, for example {@code ext4} or {@code nfs4}, in lower case
 */
public record FileSystemKind(String name) {

    private static final Set<String> COPY_ON_WRITE = Set.of("btrfs", "bcachefs", "zfs", "nilfs2", "apfs", "refs");
    private static final Set<String> REMOTE = Set.of(
            "9p",
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "smb2",
            "afs",
            "ceph",
            "glusterfs",
            "lustre",
            "beegfs",
            "gpfs",
            "ocfs2",
            "gfs2",
            "virtiofs",
            "vboxsf",
            "vmhgfs",
            "webdav",
            "davfs",
            "afpfs",
            "fuseblk",
            "fuse",
            "osxfuse",
            "macfuse",
            "prl_fs");

    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

    /** The names, on Linux, macOS and Windows, of the file systems without hard links. */
    private static final Set<String> ONE_NAME =
            Set.of("vfat", "msdos", "umsdos", "fat", "fat12", "fat16", "fat32", "exfat");

    /** Makes a kind; the name is converted to lower case. */
    public FileSystemKind {
        name = name.toLowerCase(Locale.ROOT);
    }

    /** Returns whether shared mappings and byte locks are unreliable: on network, FUSE and 9p mounts. */
    public boolean isRemote() {
        return REMOTE.contains(name) || name.startsWith("fuse.");
    }

    /** Returns whether its files exist only in memory. */
    public boolean isMemory() {
        return MEMORY.contains(name);
    }

    /** Returns whether a file may have several names; false only if the file system is known to have no hard links. */
    public boolean mayHaveHardLinks() {
        return !ONE_NAME.contains(name);
    }

    /** Returns the default allocation on this kind of file system. */
    public Allocation allocation() {
        return COPY_ON_WRITE.contains(name) ? Allocation.GROW : Allocation.RESERVE;
    }
}
