package dev.larder.map.entry;

import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PendingLayout;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;

/** The value of a reference, at its place in a pending record. That record is checked, as any record is when it is read. */
record ApartValue(MemorySegment bytes, long from, int length) {

    /**
     * Returns the value to which a reference leads.
     *
     * @throws dev.larder.log.GoneException when the segment of the value was dropped before this process mapped it
     * @throws CorruptException when the reference leads to no value, or to a value that is not the one written
     */
    static ApartValue of(LogRecords records, MemorySegment record, long at, int length) {
        if (!EntryLayout.isEntry(record, at, length)) {
            throw noValue(records, length);
        }
        long pending = EntryLayout.referencePosition(record, at, length);
        int offset = EntryLayout.referenceOffset(record, at, length);
        int bytes = EntryLayout.referenceLength(record, at, length);
        HeldSegment there = records.at(pending);
        int pendingLength = there.length(pending, 0);
        long payload = LogRecords.payload(pending);
        if (!PendingLayout.contains(there.bytes(), payload, pendingLength, offset, bytes)) {
            throw there.damaged(pending, "has no value where a reference points to one");
        }
        return new ApartValue(there.bytes(), payload + offset, bytes);
    }

    private static CorruptException noValue(LogRecords records, int length) {
        return new CorruptException(records.directory() + ": a record of " + length + " bytes is no entry of a map");
    }
}
