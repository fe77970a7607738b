package dev.larder.memory.linux;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Addresses at which files are mapped, one after the other, and that are never unmapped in between, nor at the end: where no
 * file is, there are zero pages, private and without a reservation of memory.
 *
 * <pre>
 *  reserved            a file                zeros                another file of the same length
 * | 0 0 0 0 |  ->  | its bytes |   ->   | 0 0 0 0 |   ->   ...   | its bytes |
 *               mmap over it         mmap over it
 * </pre>
 *
 * <p>The kernel replaces a mapping in one step: a thread that loads meanwhile gets the bytes of one or of the other. A stretch
 * serves mappings of its own length alone, a power of two. So a process keeps as many addresses as it once had in use. A
 * stretch without a file takes no memory, but an entry in the page tables for each page that was loaded from.
 *
 * <p>Nobody can tell when the last thread has stopped to load from an address that it has found long ago; so they are not
 * given back.
 */
final class KeptAddresses {

    private static final Map<Long, Deque<Long>> FREE = new HashMap<>();

    private KeptAddresses() {}

    /** Takes a stretch for a mapping of so many bytes; returns its address, or an error number made negative. */
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

    /** Maps a part of a file, shared, where a stretch was taken; returns the address, or an error number made negative. */
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
     * Puts zeros in the place of a file that was mapped. Where the kernel refuses, as the process has too many mappings, the
     * file stays mapped, and the stretch is not used again.
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

    /** Returns the power of two that a length fits in: so files of many lengths share their stretches. */
    private static long stretch(long length) {
        long least = Math.max(length, LinuxPages.PAGE_BYTES);
        return least == Long.highestOneBit(least) ? least : Long.highestOneBit(least) << 1;
    }
}
