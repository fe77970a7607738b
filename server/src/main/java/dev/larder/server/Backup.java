package dev.larder.server;

import dev.larder.server.local.BackupFiles;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Backups that {@link LarderServer#backup} or {@code BGSAVE TO} has written. */
public final class Backup {

    private Backup() {}

    /**
     * Makes a backup of the files that a task puts into a folder, with a list of them; returns how many there are. The folder
     * must not exist yet. It is complete when this returns; after an error it is not there.
     *
     * @throws dev.larder.memory.StorageException if it cannot be written
     */
    public static int create(Path to, Consumer<Path> filling) {
        return BackupFiles.create(to, filling);
    }

    /**
     * Checks every file of a backup; returns how many there are.
     *
     * @throws dev.larder.memory.CorruptException if a file is missing, or is not as it was; it names the first one
     * @throws dev.larder.memory.StorageException if the folder has no complete backup, or cannot be read
     */
    public static int verify(Path backup) {
        return BackupFiles.verify(backup);
    }

    /**
     * Makes a data folder from a backup, and checks every file on the way; returns how many there are. The folder must not
     * exist yet. It is complete when this returns; after an error it is not there.
     *
     * @throws dev.larder.memory.CorruptException if a file is missing, or is not as it was; it names the first one
     * @throws dev.larder.memory.StorageException if the folder has no complete backup, or one of the two cannot be read or
     *     written
     */
    public static int restore(Path backup, Path data) {
        return BackupFiles.restore(backup, data);
    }
}
