package dev.larder.lab.run;

import dev.larder.lab.result.LabException;
import java.lang.foreign.MemorySegment;

/** Receives the records of a store, in the order of insertion, and checks each by its sum. */
public final class RecordScan {

    private final Records records;
    private final long count;
    private long next;

    /** A scan that expects so many records. */
    public RecordScan(Records records, long count) {
        this.records = records;
        this.count = count;
    }

    Records records() {
        return records;
    }

    long count() {
        return count;
    }

    /** Returns the size of each record in bytes. */
    public int recordBytes() {
        return records.recordBytes();
    }

    /** Takes the next record in place. */
    public void take(MemorySegment segment, long offset, int length) {
        if (next == count) {
            throw new LabException("more than the " + count + " records inserted were read back");
        }
        records.checkSum(next++, segment, offset, length);
    }

    /** Takes the next record as an array. */
    public void take(byte[] record) {
        take(MemorySegment.ofArray(record), 0, record.length);
    }

    /**
     * Ends the scan.
     *
     * @throws LabException if records are missing
     */
    public void finish() {
        if (next != count) {
            throw new LabException(next + " records read back, " + count + " inserted");
        }
    }
}
