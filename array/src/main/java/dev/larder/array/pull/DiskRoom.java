package dev.larder.array.pull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The room that pulls may take on the disk. All of them together leave a reserve, which the node's other members need to go on: a
 * full disk ends them.
 *
 * <pre>
 * |---- used ----|---- still to be pulled, here and by other pulls ----|---- reserve ----|-- room --|
 * </pre>
 *
 * Thread-safe.
 */
public final class DiskRoom {

    /** Asks how many bytes may be written to the disk of a directory. */
    interface Question {
        long usableBytes(Path directory) throws IOException;
    }

    private final long reserveBytes;
    private final Question question;

    /** How many bytes each pull still lacks, by its folder. */
    private final Map<Path, Long> missing = new HashMap<>();

    /** Creates the room of pulls that leave a number of bytes free. */
    public DiskRoom(long reserveBytes) {
        this(reserveBytes, directory -> Files.getFileStore(directory).getUsableSpace());
    }

    /** The same, with another answer to the question how much is free. */
    DiskRoom(long reserveBytes, Question question) {
        this.reserveBytes = reserveBytes;
        this.question = question;
    }

    /**
     * Takes room for all bytes that a pull still lacks, in place of what it had.
     *
     * @throws DiskRoomException if there is less; the pull has no room then
     */
    synchronized void take(Path folder, long bytes) throws IOException {
        release(folder);
        long others = otherBytes();
        long freeBytes = freeBytes(folder);
        if (freeBytes < bytes + others + reserveBytes) {
            throw new DiskRoomException(
                    folder + ": " + (bytes + others + reserveBytes) + " bytes must be free on this disk, but "
                            + freeBytes + " bytes are: this pull needs " + bytes + ", other pulls " + others
                            + ", and " + reserveBytes + " stay free for the other members",
                    bytes);
        }
        missing.put(folder, bytes);
    }

    /** Returns whether there is room for the bytes that a pull lacks. */
    synchronized boolean has(Path folder, long bytes) throws IOException {
        return freeBytes(folder) >= bytes + otherBytes() + reserveBytes;
    }

    /** Returns the room that a pull has not used. */
    synchronized void release(Path folder) {
        missing.remove(folder);
    }

    private long otherBytes() {
        return missing.values().stream().mapToLong(Long::longValue).sum();
    }

    private long freeBytes(Path folder) throws IOException {
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing)) {
            existing = Objects.requireNonNull(existing.getParent());
        }
        return question.usableBytes(existing);
    }
}
