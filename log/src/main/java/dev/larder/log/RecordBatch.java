package dev.larder.log;

import dev.larder.log.append.BatchAppender;
import java.lang.foreign.MemorySegment;

/**
 * Many records that are appended at once: the way to load in bulk. One thread at a time.
 *
 * <p>Records are staged in 1 MiB of memory. A flush writes them by one call and publishes them at once: all of them, or in a
 * crash none.
 */
public final class RecordBatch implements AutoCloseable {

    private final BatchAppender batch;

    RecordBatch(BatchAppender batch) {
        this.batch = batch;
    }

    /** Adds a record; it is appended at the next flush. */
    public void add(byte[] source) {
        batch.add(source);
    }

    /** Adds a range of an array as a record. */
    public void add(byte[] source, int offset, int length) {
        batch.add(source, offset, length);
    }

    /** Adds a range of memory as a record. One that is longer than the staging area is appended at once, in its turn. */
    public void add(MemorySegment source, long offset, long length) {
        batch.add(source, offset, length);
    }

    /** Adds a record that is written in place: into the staging area, or where it was claimed if it is longer than that. */
    public void add(int length, RecordWriter writer) {
        batch.add(length, writer);
    }

    /** Returns whether a record fits into the staging area beside the records added since the last flush. */
    public boolean fits(long length) {
        return batch.fits(length);
    }

    /** Appends the records that were added; returns the position of the last record appended, or -1 before the first. */
    public long flush() {
        return batch.flush();
    }

    /** Forgets the records that were added since the last flush. */
    public void clear() {
        batch.clear();
    }

    /** Flushes, and frees the staging area. The appender stays open. */
    @Override
    public void close() {
        batch.close();
    }
}
