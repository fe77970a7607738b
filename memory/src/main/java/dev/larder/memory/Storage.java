package dev.larder.memory;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * The file operations, the flushes and the clock that a log stands on.
 *
 * <p>Everything that can fail, lose power or jump passes through here; stores into a mapping do not. Production
 * code gets {@link SystemStorage#system()}; tests stand a double in its place that fails the n-th call, forgets unflushed
 * pages, refuses what Windows refuses or turns the clock back.
 *
 * <p>All methods may be called by any thread, and an interrupted thread neither closes a file nor drops a lock.
 * Errors are unchecked: {@link DiskFullException} where space ran out, {@link StorageException} (with path and
 * the system's own words) otherwise. "Not there" and "there already" are results, not errors.
 */
public interface Storage {

    /** Returns a text that is the same for two paths of one directory, and different for different ones. */
    default String identity(Path directory) {
        try {
            return directory.toRealPath().toString();
        } catch (IOException e) {
            return directory.toAbsolutePath().normalize().toString();
        }
    }

    /**
     * Returns a text that is the same for all names of one file, and another for a file that has taken its name since; empty
     * where there is no file, or the system does not tell.
     */
    default String fileIdentity(Path file) {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            return key == null ? "" : key.toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns whether native calls are made. */
    boolean isNative();

    /**
     * Creates a directory and its missing parents, with the given access from the first instant; their names are durable.
     */
    void createDirectories(Path directory, Access access);

    /** Creates a new empty file, opened for reading and writing; empty when the name exists. Follows no link. */
    Optional<StorageFile> create(Path file, Access access);

    /** Opens an existing file; empty when there is none. A symbolic link is refused. */
    Optional<StorageFile> open(Path file, boolean writable);

    /**
     * Gives a file a second name in one atomic step; false when that name exists.
     *
     * @throws UnsupportedFileSystemException where the file system has no hard links
     */
    boolean link(Path existing, Path name);

    /** Renames a file, replacing the target; false when the source is missing. */
    boolean rename(Path source, Path target);

    /** Returns whether a file can be replaced that is open, or mapped. */
    default boolean replacesOpenFiles() {
        return true;
    }

    /** Removes the name of a file; false when it is missing. Mappings of the file keep their bytes. */
    boolean delete(Path file);

    /** Returns the file names in a directory, in no order; empty when the directory is missing. */
    List<String> list(Path directory);

    /** Makes the names in a directory durable. */
    void syncDirectory(Path directory);

    /** Returns the kind of file system that an existing directory lies on. */
    FileSystemKind fileSystem(Path directory);

    /** Returns how many bytes may still be written to the file system of a directory; the greatest where nobody can tell. */
    default long usableBytes(Path directory) {
        long bytes = directory.toFile().getUsableSpace(); // a FileStore would read the table of mounts for it
        return bytes > 0 || Files.isDirectory(directory) ? bytes : Long.MAX_VALUE;
    }

    /** Returns how much memory this process may have, with the cached pages of its files: the machine's, or its container's. */
    default long memoryBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    /** Returns a text that changes with every boot of the machine; empty when it cannot be read. */
    String bootIdentity();

    /**
     * Returns a text that changes whenever the file system of a directory is mounted anew; empty when unknown. Where
     * the kernel shows it (ext4, XFS, F2FS, tmpfs) it is the same through every bind mount and in every container.
     */
    String mountIdentity(Path directory);

    /**
     * Brings the pages of a mapped range in, writable, without changing a byte, beside live writers.
     *
     * @throws DiskFullException where the pages cannot be backed
     */
    void populateForWrite(MemorySegment mapped);

    /**
     * Does what {@link #populateForWrite} does, with large pages of 2 MiB where the file system is memory and the kernel has
     * them to give: a tenth of the work, and fewer translations of addresses for who reads at random. For whole mappings,
     * or parts that begin and end at multiples of 2 MiB in the file; where they do not, pages stay small.
     *
     * @throws DiskFullException where the pages cannot be backed
     */
    default void populateLargePages(MemorySegment mapped) {
        populateForWrite(mapped);
    }

    /** Brings the pages of a mapped range in from native code, so that no Java thread waits inside a page fault. */
    void populateForRead(MemorySegment mapped);

    /**
     * Brings the pages of a small mapped range in, and no others, so that no Java thread waits inside a page fault: by
     * a native call, or else by reading the file.
     *
     * @param mapped the pages; must begin at one
     * @param file that they are mapped from
     * @param offset where they begin in it
     */
    default void bringIn(MemorySegment mapped, Path file, long offset) {
        populateForRead(mapped);
    }

    /** Has the system begin to read the pages of a mapped range, without waiting for them. A hint. */
    default void startReading(MemorySegment mapped) {}

    /** Returns whether {@link #isResident} says what is, and not only what may be. */
    default boolean tellsResidence() {
        return true;
    }

    /**
     * Tells in which order a mapping is going to be used. A hint: where it cannot be given, nothing happens. To be given
     * for whole mappings.
     */
    void expect(MemorySegment mapped, AccessOrder order);

    /**
     * Asks for large pages under a mapping: the file system may bring in 2 MiB at once in place of 4 KiB, which takes fewer
     * faults and address translations. A hint; no byte changes.
     *
     * @return why it was not taken; empty when it was, which is no promise
     */
    Optional<String> preferHugePages(MemorySegment mapped);

    /**
     * Lets go of the page table entries of a mapping that nobody uses for now: its pages stay in the page cache, and the
     * next access finds them there, but the system can take such pages back with less work. A hint; no byte changes.
     */
    void releasePageTables(MemorySegment mapped);

    /**
     * Keeps the pages of a mapped range in memory: those that are there, and the others once they are brought in. Ends with
     * {@link #unlockPages}, or with the mapping; until then their page tables are not released either.
     *
     * @return why nothing was locked, with the limit that the process has; empty when it is done
     */
    Optional<String> lockPages(MemorySegment mapped);

    /** Lets the system take the pages of a mapped range again, whether they were locked or not. */
    void unlockPages(MemorySegment mapped);

    /** Returns whether all pages of a mapped range are in memory. */
    default boolean isResident(MemorySegment mapped) {
        return isResident(mapped, 0, mapped.byteSize());
    }

    /**
     * Returns whether all pages of a part of a mapped range are in memory; takes nothing from the heap, where that can be.
     */
    boolean isResident(MemorySegment mapped, long offset, long bytes);

    /** Returns the means by which threads of several processes wait for a word in shared memory. */
    SharedWait sharedWait();

    /** Returns the time of day, in milliseconds since 1970-01-01T00:00Z; may jump. */
    long currentTimeMillis();

    /** Returns a steady time in nanoseconds; comparable within this process only. */
    long nanoTime();
}
