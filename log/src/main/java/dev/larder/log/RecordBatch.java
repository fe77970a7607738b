package dev.larder.log;

import dev.larder.log.append.BatchAppender;
import java.lang.foreign.MemorySegment;

/**
 * A batch of records that are staged in memory and appended together, for bulk loading. The staging area has 1 MiB, or a
 * quarter of the largest segment if that is less. For one thread at a time.
 *
 * <p>A flush writes the staged records by one system call, and publishes them together. After a crash, the log has all
 * of them or none.
 */
public final class RecordBatch implements AutoCloseable {

    private final BatchAppender batch;

    RecordBatch(BatchAppender batch) {
        this.batch = batch;
    }

    /** Adds a record, which the next flush appends. */
    public void add(byte[] source) {
        batch.add(source);
    }

    /** Adds a range of an array as a record. */
    public void add(byte[] source, int offset, int length) {
        batch.add(source, offset, length);
    }

    /** Adds a range of memory as a record. A record longer than the staging area is appended at once, in its order. */
    public void add(MemorySegment source, long offset, long length) {
        batch.add(source, offset, length);
    }

    /**
     * Adds a record that a writer fills in place: in the staging area, or in the mapped file if it is longer than that. The
     * writer must not use this batch: each such call throws {@link IllegalStateException}.
     */
    public void add(int length, RecordWriter writer) {
        batch.add(length, writer);
    }

    /** Returns whether a record fits into the staging area beside the records added since the last flush. */
    public boolean fits(long length) {
        return batch.fits(length);
    }

    /**
     * Appends the staged records. Returns the position of the last record that this batch appended, or -1 before the
     * first. After an error the staged records stay, unless they were published: then no later flush appends them again.
     */
    public long flush() {
        return batch.flush();
    }

    /** Drops the staged records. */
    public void clear() {
        batch.requireOpen();
        batch.clear();
    }

    /**
     * Flushes, and frees the staging area. The appender stays open. Every other call then throws a
     * {@link dev.larder.memory.ClosedException}.
     */
    @Override
    public void close() {
        batch.close();
    }
}
