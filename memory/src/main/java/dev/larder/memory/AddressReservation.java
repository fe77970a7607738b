package dev.larder.memory;

import dev.larder.memory.linux.AlignedMapping;
import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import dev.larder.memory.linux.LinuxMappings;
import dev.larder.memory.linux.LinuxPages;
import dev.larder.memory.portable.PageTouch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A reservation of addresses for far more memory than the machine has. A page takes memory when it is first touched.
 *
 * <pre>
 * addresses  |--------------------------------------------------------------|   reserved at once
 * memory     |#####............####################........................|   touched and not released
 * </pre>
 *
 * <p>A program that cuts it into ranges can let a range grow without a copy and without a size in advance. Untouched
 * and released bytes are zero. The reservation does not limit how much is touched: a machine that runs out of memory
 * kills processes.
 *
 * <p>It needs native calls on Linux. Without them, {@link #unavailable} gives the reason; use an {@link Arena} then. Any thread
 * may call any method. Offsets and lengths are in bytes. A call acts on the whole pages around its range, {@link #release} on
 * the whole pages within it.
 */
public final class AddressReservation implements AutoCloseable {

    /** The alignment of a reservation's start and size: a huge page of x86-64, in bytes. */
    public static final long ALIGNMENT_BYTES = AlignedMapping.LARGE_PAGE_BYTES;

    /** More than any processor addresses, and a multiple of the alignment. */
    private static final long BYTES_MAX = 1L << 62;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment reserved;

    private AddressReservation(long address, long bytes) {
        this.reserved = LinuxCalls.segment(address, bytes, arena);
    }

    /** Returns why no addresses can be reserved on this machine; empty if they can. */
    public static Optional<String> unavailable() {
        return SystemStorage.whyPortable();
    }

    /**
     * Reserves addresses.
     *
     * @param bytes how many, rounded up to {@link #ALIGNMENT_BYTES}
     * @throws UnsupportedRegionException if {@link #unavailable} gives a reason
     * @throws StorageException if the system refuses that many ({@code ulimit -v}, or {@code vm.overcommit_memory} is 2)
     */
    public static AddressReservation reserve(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("addresses for " + bytes + " bytes: the least is 1");
        }
        unavailable().ifPresent(why -> {
            throw new UnsupportedRegionException("no addresses can be reserved here: " + why);
        });
        if (bytes > BYTES_MAX) {
            throw new StorageException(
                    "cannot reserve addresses for " + bytes + " bytes: no processor has more than " + BYTES_MAX);
        }
        long length = (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        return new AddressReservation(mapAligned(length), length);
    }

    private static long mapAligned(long length) {
        long mapped = AlignedMapping.anonymous(length, ALIGNMENT_BYTES, LinuxCalls.MAP_NORESERVE);
        if (mapped < 0) {
            throw LinuxError.exception("cannot reserve addresses for " + length + " bytes", mapped);
        }
        return mapped;
    }

    /** Returns the whole reservation as one segment, which lives until this is closed. */
    public MemorySegment segment() {
        return reserved;
    }

    /**
     * Requests huge pages in a range. Pages that were touched before stay as they are. This is a hint:
     * {@link #hugeBytes} shows the result.
     *
     * @return why the kernel refuses; empty if it may give them
     */
    public Optional<String> adviseHuge(long offset, long length) {
        return words(LinuxPages.around(part(offset, length)).advise(reserved, LinuxCalls.MADV_HUGEPAGE));
    }

    /** Populates the pages of a range now, so that no thread has to do it at its first access. */
    public void populate(long offset, long length) {
        MemorySegment part = part(offset, length);
        long result = LinuxPages.around(part).advise(reserved, LinuxCalls.MADV_POPULATE_WRITE);
        if (result < 0) {
            PageTouch.forWrite(part); // before Linux 5.14
        }
    }

    /**
     * Gives the memory of the whole pages within a range back to the system. Their bytes are then zero.
     *
     * @throws StorageException if the pages are locked
     */
    public void release(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, reserved.byteSize());
        long page = LinuxPages.PAGE_BYTES;
        long start = (reserved.address() + offset + page - 1) & -page;
        long end = (reserved.address() + offset + length) & -page;
        if (start < end) {
            release(new LinuxPages(start, end - start));
        }
    }

    private void release(LinuxPages pages) {
        long result = pages.advise(reserved, LinuxCalls.MADV_DONTNEED);
        if (result < 0) {
            throw LinuxError.exception("cannot release " + pages.length() + " bytes of memory", result);
        }
    }

    /**
     * Locks the pages of a range in memory, from their first touch until {@link #unlock}.
     *
     * @return why nothing was locked, with the process's limit; empty if it was done
     */
    public Optional<String> lock(long offset, long length) {
        return SystemStorage.system().lockPages(part(offset, length));
    }

    /** Unlocks the pages of a range, whether they were locked or not. */
    public void unlock(long offset, long length) {
        SystemStorage.system().unlockPages(part(offset, length));
    }

    /**
     * Returns how many bytes this process may lock in memory (RLIMIT_MEMLOCK); empty if there is no limit, or it is
     * unknown.
     */
    public static OptionalLong lockableBytes() {
        long bytes = unavailable().isPresent() ? -1 : LinuxCalls.lockableBytes();
        return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /** Returns how many bytes have memory, as the kernel counts ({@code /proc/self/smaps}). */
    public long residentBytes() {
        return account("Rss:");
    }

    /** Returns how many bytes lie on huge pages, as the kernel counts. */
    public long hugeBytes() {
        return account("AnonHugePages:");
    }

    /** Returns how many bytes are locked, as the kernel counts. */
    public long lockedBytes() {
        return account("Locked:");
    }

    private long account(String entry) {
        long bytes = LinuxMappings.sum(entry, reserved.address(), reserved.address() + reserved.byteSize());
        if (!arena.scope().isAlive()) { // other memory may lie there by now
            throw new IllegalStateException("the reservation of " + reserved.byteSize() + " bytes is closed");
        }
        return bytes;
    }

    private MemorySegment part(long offset, long length) {
        return reserved.asSlice(offset, length);
    }

    private static Optional<String> words(long result) {
        return result < 0 ? Optional.of(LinuxError.words(result)) : Optional.empty();
    }

    /**
     * Gives addresses and memory back. Waits for calls that are under way. A later access to the segment is an
     * {@link IllegalStateException}, and so is a call of {@link #release} and the other methods. Closing it again does
     * nothing.
     */
    @Override
    public void close() {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException e) {
                Thread.onSpinWait(); // a call holds it, or another thread has just closed it
            }
        }
    }
}
