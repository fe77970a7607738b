package dev.larder.memory.doubles;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file of {@link PowerLossStorage}: the page cache, which mappings share, and the disk.
 *
 * <pre>
 * cache     | page | page | page | ...    stored to by any thread, at any instant
 * disk      | page | page |      | ...    an absent page is zeros
 * believed  |      | page |      | ...    pages that a failed flush has marked as clean, though the disk never got them
 * </pre>
 *
 * A page is dirty when it differs from what is believed to be on the disk. Guarded by the storage's lock, but for the
 * bytes of the cache.
 */
final class PowerLossContent implements PowerLossNode {

    static final int PAGE_BYTES = 4096;
    static final int SECTOR_BYTES = 512;

    private static final byte[] ZEROS = new byte[PAGE_BYTES];

    final ByteHolders locks = new ByteHolders();
    MemorySegment cache = MemorySegment.NULL;
    long sizeBytes;
    long durableBytes;

    private byte[][] disk = new byte[0][];
    private final Map<Integer, byte[]> believed = new HashMap<>();

    /** Sets the size of a file; mappings that were made before must not exist. */
    void resize(long bytes, Arena arena) {
        MemorySegment grown = arena.allocate(Math.max(bytes, 8), PAGE_BYTES);
        MemorySegment.copy(cache, 0, grown, 0, Math.min(sizeBytes, bytes));
        cache = grown;
        sizeBytes = bytes;
        disk = Arrays.copyOf(disk, pages());
    }

    int pages() {
        return (int) ((sizeBytes + PAGE_BYTES - 1) / PAGE_BYTES);
    }

    byte[] onDisk(int page) {
        byte[] bytes = disk[page];
        return bytes == null ? ZEROS : bytes;
    }

    boolean isDirty(int page) {
        byte[] clean = believed.getOrDefault(page, onDisk(page));
        long from = (long) page * PAGE_BYTES;
        long to = Math.min(from + PAGE_BYTES, sizeBytes);
        return MemorySegment.mismatch(cache, from, to, MemorySegment.ofArray(clean), 0, to - from) >= 0;
    }

    /** Returns a copy of a page of the cache, taken while other threads may store to it. */
    byte[] cached(int page) {
        byte[] copy = new byte[PAGE_BYTES];
        long from = (long) page * PAGE_BYTES;
        int length = (int) Math.min(PAGE_BYTES, sizeBytes - from);
        MemorySegment.copy(cache, ValueLayout.JAVA_BYTE, from, copy, 0, length);
        return copy;
    }

    /** Writes a page to the disk, if it is dirty. */
    void clean(int page) {
        if (isDirty(page)) {
            put(page, cached(page));
        }
    }

    void put(int page, byte[] bytes) {
        believed.remove(page);
        disk[page] = bytes;
    }

    /** Marks a page as clean without writing it, as a kernel does after a failed write. */
    void lose(int page) {
        if (isDirty(page)) {
            believed.put(page, cached(page));
        }
    }

    /** Shows processes the bytes of the disk: the first step after the power is back. */
    void load(PowerLossContent disks) {
        for (int page = 0; page < pages(); page++) {
            byte @Nullable [] bytes = disks.disk[page];
            disk[page] = bytes;
            show(page);
        }
        durableBytes = sizeBytes;
    }

    void show(int page) {
        byte[] bytes = disk[page];
        if (bytes != null) {
            long at = (long) page * PAGE_BYTES;
            MemorySegment.copy(bytes, 0, cache, ValueLayout.JAVA_BYTE, at, (int) Math.min(PAGE_BYTES, sizeBytes - at));
        }
    }
}
