package dev.larder.lab.process;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A compressing file system, much larger than the disk under it: it has room for data that compresses well.
 *
 * <pre>
 * folder/volume.img   sparse: takes what was written to it  --&gt;  /dev/loopN  --&gt;  folder/volume   btrfs, forced zstd
 * </pre>
 *
 * <p>The loop device bypasses the page cache if it can, so that no byte is in memory twice. Only root may mount.
 */
public final class CompressingVolume implements AutoCloseable {

    private static final String OPTIONS = "compress-force=zstd:1,discard=async";
    private static final int UNMOUNT_TRIES = 50;
    private static final long UNMOUNT_PAUSE_NANOS = 200_000_000;
    private static final long LEAST_BYTES = 256L << 20;

    private final Path image;
    private final Path root;
    private final long bytes;
    private final String device;
    private boolean mounted;

    private CompressingVolume(Path folder, long bytes) {
        this.image = folder.resolve("volume.img");
        this.root = folder.resolve("volume");
        this.bytes = bytes;
        create();
        device = SystemCommand.answer("losetup", "--find", "--show", "--direct-io=on", image.toString());
    }

    /**
     * Creates and mounts one in a folder.
     *
     * @param bytes its size, usable if the data compresses; at least 256 MiB
     * @throws LabException if the machine or the user cannot; nothing is mounted then
     */
    public static CompressingVolume mount(Path folder, long bytes) {
        requirements();
        CompressingVolume volume = new CompressingVolume(folder, Math.max(bytes, LEAST_BYTES));
        try {
            volume.mount();
            return volume;
        } catch (RuntimeException | Error e) {
            volume.close();
            throw e;
        }
    }

    private static void requirements() {
        if (!SystemCommand.isRoot()) {
            throw new LabException("--rehearsal mounts a file system, which needs root: run it with sudo");
        }
        SystemCommand.require("mkfs.btrfs", "apt install btrfs-progs");
        SystemCommand.require("losetup", "apt install util-linux");
    }

    private void create() {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        } catch (IOException e) {
            throw new LabException(
                    image + ": cannot make a sparse file of " + ByteSize.format(bytes) + ": " + e.getMessage(), e);
        }
        SystemCommand.answer("mkfs.btrfs", "-q", "-f", image.toString());
        Directories.create(root);
    }

    private void mount() {
        SystemCommand.answer("mount", "-t", "btrfs", "-o", OPTIONS, device, root.toString());
        mounted = true;
    }

    /** Returns where it is mounted. */
    public Path root() {
        return root;
    }

    /**
     * Returns the compressed size of its files; writes everything back first, because the volume counts written data.
     */
    public long usedBytes() {
        SystemCommand.answer("sync", "-f", root.toString());
        try {
            FileStore store = Files.getFileStore(root);
            return store.getTotalSpace() - store.getUnallocatedSpace();
        } catch (IOException e) {
            throw new LabException(root + ": cannot read the used space: " + e.getMessage(), e);
        }
    }

    /** Returns the free room of the disk under it. */
    public long roomBytes() {
        try {
            return Files.getFileStore(image).getUsableSpace();
        } catch (IOException e) {
            throw new LabException(image + ": cannot read the free space: " + e.getMessage(), e);
        }
    }

    /** Returns its facts for a result. */
    public Figures figures() {
        return new Figures()
                .put("file_system", "btrfs")
                .put("mount_options", OPTIONS)
                .put("volume_bytes", bytes)
                .put(
                        "direct_io",
                        SystemCommand.answer("losetup", "--noheadings", "--output", "DIO", device)
                                .equals("1"));
    }

    /** Unmounts it, and deletes it with its content. */
    @Override
    public void close() {
        try {
            unmount();
            SystemCommand.answer("losetup", "--detach", device);
            Files.delete(image);
            Files.delete(root);
        } catch (IOException e) {
            throw new LabException(image + ": cannot be deleted: " + e.getMessage(), e);
        }
    }

    /** Retries: its user may be about to end. */
    private void unmount() {
        for (int tries = 1; mounted; tries++) {
            try {
                SystemCommand.answer("umount", root.toString());
                mounted = false;
            } catch (LarderException e) {
                if (tries == UNMOUNT_TRIES) {
                    throw e;
                }
                LockSupport.parkNanos(UNMOUNT_PAUSE_NANOS);
            }
        }
    }
}
