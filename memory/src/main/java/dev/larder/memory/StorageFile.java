package dev.larder.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file of a {@link Storage}. Any thread may call any method. Closing the file leaves its mappings intact. */
public interface StorageFile extends AutoCloseable {

    /** Returns the path by which this file was opened. */
    Path path();

    /** Returns the size in bytes. */
    long sizeBytes();

    /**
     * Gives a new file its full size, with every byte zero, and allocates its space as {@code allocation} says. A call
     * after a failed one continues: existing bytes stay, and a file is never made shorter.
     *
     * @throws DiskFullException if there is no space; the file may then have any size up to {@code bytes}
     */
    void allocate(long bytes, Allocation allocation);

    /**
     * Gives the disk space of a range back. Its bytes are then zeros, in mappings too, and have no space until they are
     * stored. Returns false, and changes nothing, if the file system or the platform cannot do that.
     */
    default boolean discard(long offset, long bytes) {
        return false;
    }

    /**
     * Sets the bytes of a range to zeros that keep their space. It writes nothing and loads no page, and the range's
     * pages in memory are dropped. It is as durable as a write. Returns false, and changes nothing, if the file system
     * or the platform cannot do that.
     */
    default boolean clear(long offset, long bytes) {
        return false;
    }

    /**
     * Maps a range until the arena closes; the offset is a multiple of 4096.
     *
     * @param arena shared, automatic or global; a confined one is refused
     * @throws TruncatedException if the range does not lie within the file; a mapping never extends a file
     */
    MemorySegment map(long offset, long length, boolean writable, Arena arena);

    /**
     * Writes the whole segment at an offset within the file. {@link #writesAreCoherent} says whether mappings see it at
     * once.
     */
    void write(MemorySegment source, long offset);

    /** Returns whether mappings see bytes given to {@link #write} at once. */
    boolean writesAreCoherent();

    /** Makes the bytes of a mapped range of this file durable, with the metadata needed to read them. */
    void force(MemorySegment mapped);

    /** Makes the whole file durable, with its metadata. */
    void forceAll();

    /**
     * Starts the write-back of a range, without waiting; promises nothing.
     *
     * @throws StorageException if the device has failed: earlier writes may be lost
     */
    void startWriteback(long offset, long length);

    /**
     * Tries to lock one byte for this process alone. The kernel frees the lock when the process ends. Apart from that,
     * only {@link #unlock} and {@link #close} do. A byte that this file object already holds is not locked again.
     */
    boolean tryLock(long offset);

    /**
     * Tries to share the lock of one byte. Any number of processes, and of threads with this file object, may share it,
     * and meanwhile no process gets it alone. Returns false while any file object, this one included, holds it alone.
     * Where locks belong to the process (without native calls), it also returns false while another file object of this
     * process holds it in either way. A file opened for reading may share.
     */
    boolean tryLockShared(long offset);

    /**
     * Returns whether a process, this one included, holds a byte alone. On Linux this takes no lock; elsewhere it
     * shares the byte for a moment. Like {@link #tryLockShared} it works on a file opened for reading.
     */
    default boolean isLocked(long offset) {
        boolean free = tryLockShared(offset);
        if (free) {
            unlock(offset);
        }
        return !free;
    }

    /**
     * Undoes one {@link #tryLock} or {@link #tryLockShared} that returned true. The last holder of a shared byte frees
     * it.
     */
    void unlock(long offset);

    @Override
    void close();
}
