package dev.larder.lucene;

import dev.larder.memory.AddressReservation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A part of a reservation in which the length of each stretch is a multiple of one unit. */
final class AddressZone {

    private final AddressReservation reservation;
    private final long start;
    private final long bytes;
    private final long unitBytes;
    private final Extents extents;
    private final Quarantine<Extents.Extent> quarantine;

    AddressZone(AddressReservation reservation, long start, long bytes, long unitBytes, LongSupplier nanoTime) {
        this.reservation = reservation;
        this.start = start;
        this.bytes = bytes;
        this.unitBytes = unitBytes;
        this.extents = new Extents(start, bytes);
        this.quarantine = new Quarantine<>(kept -> extents.give(kept.offset(), kept.bytes()), nanoTime);
    }

    long round(long length) {
        return Math.addExact(length, unitBytes - 1) & -unitBytes;
    }

    /** Takes a stretch. A stretch of length 0 is a place without addresses. */
    Extents.@Nullable Extent take(long leastBytes, long wantedBytes) {
        quarantine.giveBack();
        return wantedBytes == 0 ? new Extents.Extent(start, 0) : extents.take(leastBytes, round(wantedBytes));
    }

    /** Gives back addresses from which no thread has read. */
    void give(long offset, long length) {
        extents.give(offset, length);
    }

    /** Gives back the addresses of a file. Another file gets them after a quarantine. */
    void retire(long offset, long length) {
        if (length > 0) {
            quarantine.keep(new Extents.Extent(offset, length));
        }
    }

    MemorySegment segment(Extents.Extent extent) {
        return reservation.segment().asSlice(extent.offset(), extent.bytes());
    }

    void release(long offset, long length) {
        if (length > 0) {
            reservation.release(offset, length);
        }
    }

    Optional<String> lock(long offset, long length) {
        return length == 0 ? Optional.empty() : reservation.lock(offset, length);
    }

    void unlock(long offset, long length) {
        reservation.unlock(offset, length);
    }

    @Override
    public String toString() {
        return "a zone of " + bytes + " addresses in units of " + unitBytes + " bytes; the addresses of "
                + quarantine.count() + " deleted files stay reserved for " + Quarantine.TIME.toSeconds() + " s";
    }
}
