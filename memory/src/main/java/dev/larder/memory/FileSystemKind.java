package dev.larder.memory;

import java.util.Locale;
import java.util.Set;

/** The kind of file system under a directory, by the name that the system gives it ({@code ext4}, {@code nfs4}). */
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

    /** What Linux, macOS and Windows call the file systems that give a file one name and no more. */
    private static final Set<String> ONE_NAME =
            Set.of("vfat", "msdos", "umsdos", "fat", "fat12", "fat16", "fat32", "exfat");

    /** A kind; the name is kept in lower case. */
    public FileSystemKind {
        name = name.toLowerCase(Locale.ROOT);
    }

    /** Returns whether shared mappings and byte locks cannot be relied on: network, FUSE and 9p mounts. */
    public boolean isRemote() {
        return REMOTE.contains(name) || name.startsWith("fuse.");
    }

    /** Returns whether its files are memory, and nowhere else. */
    public boolean isMemory() {
        return MEMORY.contains(name);
    }

    /** Returns whether a file may have several names: false where it is known that none may. */
    public boolean mayHaveHardLinks() {
        return !ONE_NAME.contains(name);
    }

    /** Returns how space is allocated on this kind of file system. */
    public Allocation allocation() {
        return COPY_ON_WRITE.contains(name) ? Allocation.GROW : Allocation.RESERVE;
    }
}
