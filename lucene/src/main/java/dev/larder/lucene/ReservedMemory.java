package dev.larder.lucene;

import dev.larder.memory.AddressReservation;
import dev.larder.memory.StorageException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The addresses of all directories of this JVM, reserved when the first directory is opened and kept for ever. Thus no arena is
 * closed while queries run, which would make the JVM stop every thread.
 *
 * <pre>
 * | small: 4 KiB units, ordinary pages |        large: 2 MiB units, huge pages requested                     |
 * </pre>
 */
final class ReservedMemory {

    private static final long MOST_BYTES = 16L << 40;
    private static final long LEAST_BYTES = 64L << 30;
    private static final int SMALL_PART = 16; // the small zone is one of so many parts
    private static final long SMALL_UNIT_BYTES = 4096;
    private static final long LEAST_STRETCH_BYTES = 64L << 20;
    private static final int EXPECTED_TIMES = 4; // an estimate may be wrong by as much

    private final AddressReservation reservation;
    private final AddressZone small;
    private final AddressZone large;
    private final long longestStretchBytes;

    /** Makes the memory of a reservation of any size, with a clock such as {@link System#nanoTime}. */
    ReservedMemory(AddressReservation reservation, LongSupplier nanoTime) {
        this.reservation = reservation;
        long all = reservation.segment().byteSize();
        long smallBytes = all / SMALL_PART;
        this.small = new AddressZone(reservation, 0, smallBytes, SMALL_UNIT_BYTES, nanoTime);
        this.large = new AddressZone(reservation, smallBytes, all - smallBytes, BlockSource.SMALL_BYTES, nanoTime);
        this.longestStretchBytes =
                Math.max(LEAST_STRETCH_BYTES, Math.min(all / SMALL_PART, MemoryBudget.machineBytes()));
        reservation.adviseHuge(smallBytes, all - smallBytes).ifPresent(ReservedMemory::logNoHugePages);
    }

    /** Returns the reserved memory of this JVM; empty if addresses cannot be reserved. */
    static Optional<ReservedMemory> ofThisProcess() {
        return Holder.MEMORY;
    }

    private static Optional<ReservedMemory> reserve() {
        if (AddressReservation.unavailable().isPresent()) {
            return Optional.empty();
        }
        for (long bytes = MOST_BYTES; bytes >= LEAST_BYTES; bytes /= 2) {
            try {
                return Optional.of(new ReservedMemory(AddressReservation.reserve(bytes), System::nanoTime));
            } catch (StorageException e) {
                logger().log(Level.DEBUG, "cannot reserve " + bytes + " addresses; trying half", e);
            }
        }
        logger().log(
                        Level.INFO,
                        "Cannot reserve " + LEAST_BYTES
                                + " addresses (ulimit -v, vm.overcommit_memory): Larder copies a file when it"
                                + " grows");
        return Optional.empty();
    }

    AddressZone small() {
        return small;
    }

    AddressZone large() {
        return large;
    }

    /**
     * Returns how many addresses a growing file gets. If its final size is unknown, it gets as many as there is memory.
     */
    long stretchFor(long expectedBytes) {
        boolean isKnown = expectedBytes > BlockSource.SMALL_BYTES * 2;
        long times = Math.multiplyExact(Math.min(expectedBytes, MOST_BYTES), EXPECTED_TIMES);
        return isKnown
                ? Math.clamp(times, LEAST_STRETCH_BYTES, Math.max(longestStretchBytes, expectedBytes))
                : longestStretchBytes;
    }

    long hugeBytes() {
        return reservation.hugeBytes();
    }

    private static void logNoHugePages(String why) {
        logger().log(Level.INFO, "No huge pages for Lucene files: " + why);
    }

    private static Logger logger() {
        return System.getLogger("dev.larder.lucene");
    }

    /** Reserves once. */
    private static final class Holder {

        static final Optional<ReservedMemory> MEMORY = reserve();

        private Holder() {}
    }
}
