package dev.larder.memory;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * The file operations, flushes and clocks on which a log is built.
 *
 * <p>Every operation that can fail, lose data in a power cut, or jump in time passes through this interface; stores
 * into a mapping do not. Production code uses {@link SystemStorage#system()}. Tests use a double that fails the n-th
 * call, forgets unflushed pages, refuses what Windows refuses, or turns the clock back.
 *
 * <p>Any thread may call any method. An interrupted thread neither closes a file nor drops a lock. Errors are
 * unchecked: {@link DiskFullException} if there is no space, otherwise {@link StorageException} with the path and the
 * system's own words. A missing or existing name is a result, not an error.
 */
public interface Storage {

    /** Returns a text that is the same for all paths of one directory, and different for different directories. */
    default String identity(Path directory) {
        try {
            return directory.toRealPath().toString();
        } catch (IOException e) {
            return directory.toAbsolutePath().normalize().toString();
        }
    }

    /**
     * Returns a text that is the same for all names of one file, and different for a file that took its name later.
     * Empty if there is no file, or if this system has no such text.
     *
     * @throws StorageException if the system cannot tell now: the file may be there, or not
     */
    default String fileIdentity(Path file) {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            return key == null ? "" : key.toString();
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new StorageException(file + ": cannot tell whether the file is there: " + e.getMessage(), e);
        }
    }

    /** Returns whether this storage makes native calls. */
    boolean isNative();

    /**
     * Creates a directory and its missing parents, with the given access from the first instant. Their names are
     * durable.
     */
    void createDirectories(Path directory, Access access);

    /** Creates a new empty file, opened for reading and writing; empty if the name exists. It follows no link. */
    Optional<StorageFile> create(Path file, Access access);

    /** Opens an existing file; empty if there is none. A symbolic link is refused. */
    Optional<StorageFile> open(Path file, boolean writable);

    /**
     * Gives a file a second name in one atomic step; false if that name exists.
     *
     * @throws UnsupportedFileSystemException if the file system has no hard links
     */
    boolean link(Path existing, Path name);

    /** Renames a file, replacing the target; false if the source is missing. */
    boolean rename(Path source, Path target);

    /** Returns whether an open or mapped file can be replaced. */
    default boolean replacesOpenFiles() {
        return true;
    }

    /** Removes the name of a file; false if it is missing. Mappings of the file keep their bytes. */
    boolean delete(Path file);

    /** Returns the file names in a directory, in no order; empty if the directory is missing. */
    List<String> list(Path directory);

    /** Makes the names in a directory durable. */
    void syncDirectory(Path directory);

    /** Returns the kind of file system that an existing directory lies on. */
    FileSystemKind fileSystem(Path directory);

    /**
     * Returns how many bytes may still be written to the file system of a directory; {@link Long#MAX_VALUE} if that is
     * unknown.
     */
    default long usableBytes(Path directory) {
        long bytes = directory.toFile().getUsableSpace(); // a FileStore would read the table of mounts for it
        return bytes > 0 || Files.isDirectory(directory) ? bytes : Long.MAX_VALUE;
    }

    /**
     * Returns how many bytes of memory this process may have, with the cached pages of its files: the machine's, or its
     * container's.
     */
    default long memoryBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    /** Returns a text that changes with every boot of the machine; empty if it cannot be read. */
    String bootIdentity();

    /**
     * Returns a text that changes each time the file system of a directory is mounted; empty if unknown. Where the
     * kernel shows it (ext4, XFS, F2FS, tmpfs), it is the same through every bind mount and in every container.
     */
    String mountIdentity(Path directory);

    /**
     * Populates the pages of a mapped range, writable, without changing a byte, beside live writers.
     *
     * @throws DiskFullException if the pages cannot be backed
     */
    void populateForWrite(MemorySegment mapped);

    /**
     * Populates like {@link #populateForWrite}, with large pages of 2 MiB if the file system is memory and the kernel has them.
     * That is a tenth of the work, and random reads need fewer address translations. Use it for whole mappings, or for parts
     * that begin and end at multiples of 2 MiB in the file. At the edges of other parts, pages stay small.
     *
     * @throws DiskFullException if the pages cannot be backed
     */
    default void populateLargePages(MemorySegment mapped) {
        populateForWrite(mapped);
    }

    /**
     * Populates the pages of a mapped range for reading from native code, so that no Java thread waits inside a page
     * fault.
     */
    void populateForRead(MemorySegment mapped);

    /**
     * Populates the pages of a small mapped range, and no others, so that no Java thread waits inside a page fault. It uses a
     * native call, or else reads the file.
     *
     * @param mapped the pages; it must begin at one
     * @param file the mapped file
     * @param offset where the pages begin in the file
     */
    default void bringIn(MemorySegment mapped, Path file, long offset) {
        populateForRead(mapped);
    }

    /** Starts reading the pages of a mapped range, without waiting for them. A hint. */
    default void startReading(MemorySegment mapped) {}

    /** Returns whether {@link #isResident} is exact, and not only a guess. */
    default boolean tellsResidence() {
        return true;
    }

    /**
     * Announces the order in which a whole mapping will be used. A hint: if it is not supported, nothing happens.
     */
    void expect(MemorySegment mapped, AccessOrder order);

    /**
     * Requests large pages under a mapping. The file system may then load 2 MiB at once in place of 4 KiB, with fewer
     * faults and address translations. A hint; no byte changes.
     *
     * @return why it was not taken; empty if it was, which is no promise
     */
    Optional<String> preferHugePages(MemorySegment mapped);

    /**
     * Drops the page table entries of a mapping that is not in use. Its pages stay in the page cache, where the next
     * access finds them, but the system can evict them with less work. A hint; no byte changes.
     */
    void releasePageTables(MemorySegment mapped);

    /**
     * Locks the pages of a mapped range in memory: the present ones, and the others when they are loaded. It ends with
     * {@link #unlockPages}, or with the mapping. Until then their page tables are not released either.
     *
     * @return why nothing was locked, with the process's limit; empty if it was done
     */
    Optional<String> lockPages(MemorySegment mapped);

    /** Unlocks the pages of a mapped range, whether they were locked or not. */
    void unlockPages(MemorySegment mapped);

    /** Returns whether all pages of a mapped range are in memory. */
    default boolean isResident(MemorySegment mapped) {
        return isResident(mapped, 0, mapped.byteSize());
    }

    /**
     * Returns whether all pages of a part of a mapped range are in memory. Where possible it allocates nothing on the
     * heap.
     */
    boolean isResident(MemorySegment mapped, long offset, long bytes);

    /** Returns the primitive by which threads of several processes wait for a word in shared memory. */
    SharedWait sharedWait();

    /** Returns the time of day, in milliseconds since 1970-01-01T00:00Z. It may jump. */
    long currentTimeMillis();

    /** Returns a monotonic time in nanoseconds, comparable within this process only. */
    long nanoTime();
}
