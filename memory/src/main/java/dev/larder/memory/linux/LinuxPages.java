package dev.larder.memory.linux;

import dev.larder.memory.portable.PageTouch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * The whole pages around a mapped range, as the calls on mappings require them.
 *
 * <pre>
 * mapped           |..........|
 * pages     |-------|-------|-------|
 * </pre>
 *
 * <p>The calls get addresses and also the mapping, whose arena then cannot close before they return. Otherwise another mapping
 * could take the same addresses meanwhile, and one of the calls would set it to zeros.
 */
public record LinuxPages(long address, long length) {

    public static final long PAGE_BYTES = LinuxCalls.pageBytes();

    private static final int COUNTED_PAGES = 1 << 14;

    public static LinuxPages around(MemorySegment mapped) {
        return around(mapped, 0, mapped.byteSize());
    }

    public static LinuxPages around(MemorySegment mapped, long offset, long bytes) {
        if (!mapped.isNative()) {
            throw new IllegalArgumentException("not mapped from a file: " + mapped);
        }
        Objects.checkFromIndexSize(offset, bytes, mapped.byteSize());
        long start = (mapped.address() + offset) & -PAGE_BYTES;
        long end = (mapped.address() + offset + bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
        return new LinuxPages(start, end - start);
    }

    boolean isOne() {
        return length == PAGE_BYTES;
    }

    public long advise(MemorySegment mapped, int advice) {
        return LinuxCalls.madvise(mapped, address, length, advice);
    }

    long sync(MemorySegment mapped) {
        return LinuxCalls.msync(mapped, address, length);
    }

    long lock(MemorySegment mapped) {
        return LinuxCalls.lockPages(mapped, address, length);
    }

    long unlock(MemorySegment mapped) {
        return LinuxCalls.unlockPages(mapped, address, length);
    }

    /** Returns whether all pages are in memory; {@code present} has a byte for each page. Takes nothing from the heap. */
    boolean isResident(MemorySegment mapped, MemorySegment present) {
        boolean told = LinuxCalls.isMincoreTold(mapped, address, length, present);
        long result = told ? 0 : LinuxCalls.mincore(mapped, address, length, present);
        if (result < 0) {
            throw LinuxError.exception("cannot find the resident pages of " + PageTouch.describe(mapped), result);
        }
        for (long page = 0; page < length / PAGE_BYTES; page++) {
            if ((present.get(ValueLayout.JAVA_BYTE, page) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many bytes of a mapped range are in memory. */
    public static long residentBytes(MemorySegment mapped) {
        LinuxPages pages = around(mapped);
        long resident = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment present = arena.allocate(COUNTED_PAGES);
            for (long done = 0; done < pages.length; done += COUNTED_PAGES * PAGE_BYTES) {
                long length = Math.min(COUNTED_PAGES * PAGE_BYTES, pages.length - done);
                resident += new LinuxPages(pages.address + done, length).countResident(mapped, present);
            }
        }
        return Math.min(resident * PAGE_BYTES, mapped.byteSize());
    }

    private long countResident(MemorySegment mapped, MemorySegment present) {
        long result = LinuxCalls.mincore(mapped, address, length, present);
        if (result < 0) {
            throw LinuxError.exception("cannot find the resident pages of " + PageTouch.describe(mapped), result);
        }
        long count = 0;
        for (long page = 0; page < length / PAGE_BYTES; page++) {
            count += present.get(ValueLayout.JAVA_BYTE, page) & 1;
        }
        return count;
    }
}
