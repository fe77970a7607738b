package dev.larder.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file of a {@link Storage}. Any thread may call it; closing it leaves its mappings as they are. */
public interface StorageFile extends AutoCloseable {

    /** Returns the name that this file was opened by. */
    Path path();

    /** Returns the size in bytes. */
    long sizeBytes();

    /**
     * Gives a new file its full size, with every byte zero, and space for it as {@code allocation} says. Called again
     * after it failed it goes on; bytes that were there stay, and a file is never made shorter.
     *
     * @throws DiskFullException when the space is not there; the file may then have any size up to {@code bytes}
     */
    void allocate(long bytes, Allocation allocation);

    /**
     * Gives the space of a range back: its bytes are zeros from now on, in mappings too, and have no space until they are
     * stored. Returns false, and changes nothing, where the file system or the platform cannot do that.
     */
    default boolean discard(long offset, long bytes) {
        return false;
    }

    /**
     * Makes the bytes of a range zeros that keep their space: nothing is written, no page brought in, and what is in memory
     * of it goes. As durable as a write. Returns false, and changes nothing, where the file system or the platform cannot
     * do that.
     */
    default boolean clear(long offset, long bytes) {
        return false;
    }

    /**
     * Maps a range until the arena closes; the offset is a multiple of 4096.
     *
     * @param arena shared, automatic or global: a confined one is refused
     * @throws TruncatedException where the range does not lie within the file; a mapping never makes a file longer
     */
    MemorySegment map(long offset, long length, boolean writable, Arena arena);

    /** Writes the whole segment at an offset within the file (coherent with mappings where native, see guide). */
    void write(MemorySegment source, long offset);

    /** Returns whether bytes given to {@link #write} are seen by mappings at once. */
    boolean writesAreCoherent();

    /** Makes the bytes of a mapped range of this file, and what is needed to read them, durable. */
    void force(MemorySegment mapped);

    /** Makes everything of this file durable, metadata included. */
    void forceAll();

    /**
     * Starts to write a range back, without waiting; promises nothing.
     *
     * @throws StorageException where the device has failed: what was written before may be lost
     */
    void startWriteback(long offset, long length);

    /**
     * Tries to lock one byte for this process alone; the kernel frees it when the process ends, and nothing else does but
     * {@link #unlock} and {@link #close}. A byte that this very file object holds already is not locked again.
     */
    boolean tryLock(long offset);

    /**
     * Tries to lock one byte together with others: any number of processes, and of threads with this file object, may
     * share it, and nobody gets it alone meanwhile. Returns false while somebody, this very file object included, holds
     * it alone; and, where locks belong to the process (without native calls), while another file object of this
     * process holds it in whichever way. A file that was opened for reading may share.
     */
    boolean tryLockShared(long offset);

    /**
     * Returns whether a process, this one included, holds a byte alone. On Linux this takes no lock; elsewhere it shares the
     * byte for a moment. Like {@link #tryLockShared} it works on a file that was opened for reading.
     */
    default boolean isLocked(long offset) {
        boolean free = tryLockShared(offset);
        if (free) {
            unlock(offset);
        }
        return !free;
    }

    /** Undoes one {@link #tryLock} or {@link #tryLockShared} that returned true; the last one who shares a byte frees it. */
    void unlock(long offset);

    @Override
    void close();
}
