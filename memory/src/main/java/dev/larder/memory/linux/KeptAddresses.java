package dev.larder.memory.linux;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Addresses at which files are mapped one after the other, and that are never unmapped, not even in between. Addresses without
 * a file show zero pages, which are private and have no reservation of memory.
 *
 * <pre>
 *  reserved            a file                zeros                another file of the same length
 * | 0 0 0 0 |  ->  | its bytes |   ->   | 0 0 0 0 |   ->   ...   | its bytes |
 *               mmap over it         mmap over it
 * </pre>
 *
 * <p>The kernel replaces a mapping in one step: a thread that loads meanwhile gets the bytes of the old or the new one. A
 * stretch serves mappings of its own length alone, a power of two. So a process keeps as many addresses as it once had in use.
 * A stretch without a file takes no memory, except a page table entry for each page that was loaded from.
 *
 * <p>The addresses are not given back: it cannot be known when the last thread stops loading from an address that it found long
 * ago.
 */
final class KeptAddresses {

    private static final Map<Long, Deque<Long>> FREE = new HashMap<>();

    private KeptAddresses() {}

    /** Takes a stretch for a mapping of the given length. Returns its address, or a negated error number. */
    static long take(long length) {
        long stretch = stretch(length);
        synchronized (FREE) {
            Deque<Long> free = FREE.get(stretch);
            if (free != null && !free.isEmpty()) {
                return free.removeLast();
            }
        }
        long alignment = Math.min(stretch, AlignedMapping.LARGE_PAGE_BYTES);
        return AlignedMapping.anonymous(stretch, alignment, LinuxCalls.MAP_NORESERVE);
    }

    /** Maps a part of a file, shared, at a taken stretch. Returns the address, or a negated error number. */
    static long map(long address, int descriptor, long offset, long length, int protection) {
        long mapped = LinuxCalls.mmapOver(address, descriptor, offset, length, protection);
        if (mapped < 0) {
            long filled = LinuxCalls.mmapZerosAt(address, stretch(length)); // the kernel may have made a hole
            if (LinuxError.EEXIST.is(filled) || filled == address) {
                giveBack(address, length);
            }
        }
        return mapped;
    }

    /**
     * Replaces a mapped file by zeros. If the kernel refuses, because the process has too many mappings, the file stays mapped
     * and the stretch is not used again.
     */
    static void unmap(long address, long length) {
        if (LinuxCalls.mmapZerosOver(address, stretch(length)) >= 0) {
            giveBack(address, length);
        }
    }

    private static void giveBack(long address, long length) {
        synchronized (FREE) {
            FREE.computeIfAbsent(stretch(length), absent -> new ArrayDeque<>()).addLast(address);
        }
    }

    /** Returns the smallest power of two that holds a length, so that files of many lengths share their stretches. */
    private static long stretch(long length) {
        long least = Math.max(length, LinuxPages.PAGE_BYTES);
        return least == Long.highestOneBit(least) ? least : Long.highestOneBit(least) << 1;
    }
}
