package dev.larder.memory.linux;

/**
 * Mappings that begin where large pages can lie: their address and their offset in the file have the same remainder modulo the
 * size of a large page.
 *
 * <pre>
 * reserved   |.......|===============================|....|    one large page more than requested
 *                    ^ a multiple of it              ^
 * kept               |===============================|         the ends are unmapped again
 * </pre>
 *
 * <p>Each method returns the address, or a negated error number, as {@link LinuxCalls} does.
 */
public final class AlignedMapping {

    /** A large page of x86-64, and of aarch64 with pages of 4 KiB. */
    public static final long LARGE_PAGE_BYTES = 2L << 20;

    private AlignedMapping() {}

    /** Maps memory of this process alone; the length is a multiple of {@code alignment}, a power of two. */
    public static long anonymous(long length, long alignment, int flags) {
        long reserved = LinuxCalls.mmapAnonymous(length + alignment, flags);
        return reserved < 0 ? reserved : cut(reserved, 0, length, alignment);
    }

    /**
     * Maps a part of a file, shared. Many file systems choose such an address themselves. For one that does not (tmpfs, unless
     * it was set to huge pages), the part is mapped again, into addresses reserved for it.
     */
    static long shared(int descriptor, long offset, long length, int protection) {
        long mapped = LinuxCalls.mmap(descriptor, offset, length, protection);
        boolean fits = length < LARGE_PAGE_BYTES || (mapped - offset) % LARGE_PAGE_BYTES == 0;
        return mapped < 0 || fits ? mapped : moved(mapped, descriptor, offset, length, protection);
    }

    /** Maps again at an aligned address. If that fails, the first mapping stays. */
    private static long moved(long mapped, int descriptor, long offset, long length, int protection) {
        long reserved = LinuxCalls.mmapAnonymous(wholePages(length) + LARGE_PAGE_BYTES, LinuxCalls.MAP_NORESERVE);
        if (reserved < 0) {
            return mapped;
        }
        long start = cut(reserved, offset, wholePages(length), LARGE_PAGE_BYTES);
        boolean done = LinuxCalls.mmapOver(start, descriptor, offset, length, protection) >= 0;
        unmap(done ? mapped : start, wholePages(length));
        return done ? start : mapped;
    }

    /** Unmaps both ends. The rest begins at an address with the offset's remainder. */
    private static long cut(long reserved, long offset, long length, long alignment) {
        long start = reserved + Math.floorMod(offset - reserved, alignment);
        unmap(reserved, start - reserved);
        unmap(start + length, reserved + alignment - start);
        return start;
    }

    private static void unmap(long address, long length) {
        if (length > 0) {
            LinuxCalls.munmap(address, length);
        }
    }

    private static long wholePages(long length) {
        return (length + LinuxPages.PAGE_BYTES - 1) & -LinuxPages.PAGE_BYTES;
    }
}
