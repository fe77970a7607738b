package dev.larder.memory.region;

import dev.larder.memory.UnsupportedRegionException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the bytes of a {@link Region} lie, and which processes can reach them.
 *
 * <pre>
 *                  name                      seen by others   outlives its maker   native calls
 * HEAP             -                         no               no                   none
 * DIRECT           -                         no               no                   none
 * HUGE_PAGES       -                         no               no                   needed
 * MAPPED_FILE      path                      yes              yes, and a reboot    none needed
 * SHARED_FILE      file name in /dev/shm     yes              yes                  none needed
 * POSIX            the same                  yes              yes                  none needed
 * SYSTEM_V         text, or 0x and a key     yes              yes                  needed
 * APR              path                      yes              yes                  needed, and libapr-1
 * </pre>
 *
 * <p>On Linux the names of {@code shm_open} are files in {@code /dev/shm}. So {@link #SHARED_FILE} and {@link #POSIX} find each
 * other's regions, and without native calls they are the same.
 */
public enum RegionKind {

    /** An array of the Java heap. */
    HEAP("heap region", Integer.MAX_VALUE - 8),

    /**
     * Memory of the C library, outside the heap. {@code -XX:MaxDirectMemorySize} limits it only in an arena that the collector
     * closes ({@code Arena.ofAuto()}).
     */
    DIRECT("direct region", RegionKind.LARGEST_BYTES),

    /** Pages of about 2 MiB: reserved pages if the machine has any, else pages that the kernel builds. */
    HUGE_PAGES("region of huge pages", RegionKind.LARGEST_BYTES),

    /** A whole file, mapped; {@link MappedFile} maps parts of one, and opens it in other modes. */
    MAPPED_FILE("mapped file", RegionKind.LARGEST_BYTES),

    /** A file in {@code /dev/shm}, mapped. */
    SHARED_FILE("shared file", RegionKind.LARGEST_BYTES),

    /** A region from {@code shm_open}. */
    POSIX("POSIX shared memory", RegionKind.LARGEST_BYTES),

    /**
     * A region from {@code shmget}. The key is the CRC-32C of the name in UTF-8; a name like {@code 0x4c415244} is the key
     * itself. If two names have the same key, the creation of the second is refused.
     */
    SYSTEM_V("System V shared memory", RegionKind.LARGEST_BYTES),

    /**
     * A region from {@code apr_shm_create} of the Apache Portable Runtime for a path, with the permissions that APR chooses
     * (0600 as Debian builds it). Its space is not allocated ahead. A region that is left behind costs its creator about 8 KiB
     * until the process ends, because APR cannot forget it.
     */
    APR("APR shared memory", RegionKind.LARGEST_BYTES);

    private static final long LARGEST_BYTES = 1L << 46;

    /** The result of the check of each kind, which is made once. */
    private static final Map<RegionKind, Optional<String>> FOUND = new ConcurrentHashMap<>();

    private final String words;
    private final long largestBytes;

    RegionKind(String words, long largestBytes) {
        this.words = words;
        this.largestBytes = largestBytes;
    }

    /** Returns why this JVM on this machine has none of this kind; empty if it has. */
    public Optional<String> unavailable() {
        return FOUND.computeIfAbsent(this, kind -> kind.source().unavailable());
    }

    /** Returns whether a region of this kind has a name. Others attach by the name, and the region outlives its creator. */
    public boolean isNamed() {
        return !(source() instanceof UnnamedSource);
    }

    /** Returns the size of the largest region. */
    public long largestBytes() {
        return largestBytes;
    }

    /** Returns the words for a region of this kind in messages. */
    public String words() {
        return words;
    }

    /** Returns the source of regions of this kind. */
    RegionSource source() {
        return switch (this) {
            case HEAP -> new HeapMemory();
            case DIRECT -> new DirectMemory();
            case HUGE_PAGES -> new HugePages();
            case MAPPED_FILE -> new FileMemory();
            case SHARED_FILE -> new SharedMemory(false);
            case POSIX -> new SharedMemory(true);
            case SYSTEM_V -> new SystemVMemory();
            case APR -> new AprMemory();
        };
    }

    /** Throws if this machine has none of this kind. */
    void requireAvailable() {
        unavailable().ifPresent(reason -> {
            throw new UnsupportedRegionException("no " + words + " here: " + reason);
        });
    }

    /** Throws if a size is out of range. */
    void requireSize(long bytes) {
        if (bytes < 1 || bytes > largestBytes) {
            throw new IllegalArgumentException("a " + words + " has 1 to " + largestBytes + " bytes, not " + bytes);
        }
    }
}
