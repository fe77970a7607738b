package dev.larder.queue;

import dev.larder.log.RecordBatch;
import java.lang.foreign.MemorySegment;

/**
 * Many messages appended at once: staged in 1 MiB of memory, written by one call, published together. One thread at a
 * time. What was added is appended by {@link #flush}, by itself when the staging area is full, and at close.
 */
public final class Batch implements AutoCloseable {

    private final RecordBatch records;

    Batch(RecordBatch records) {
        this.records = records;
    }

    /** Adds bytes as a message. */
    public void add(byte[] message) {
        records.add(message, 0, message.length);
    }

    /** Adds a range of an array as a message. */
    public void add(byte[] source, int offset, int length) {
        records.add(source, offset, length);
    }

    /** Adds a whole segment as a message. */
    public void add(MemorySegment message) {
        records.add(message, 0, message.byteSize());
    }

    /** Adds a range of a segment as a message. */
    public void add(MemorySegment source, long offset, long length) {
        records.add(source, offset, length);
    }

    /** Appends what was added; all of it or, in a crash, nothing. Returns the last message's position, -1 before any. */
    public long flush() {
        return records.flush();
    }

    /** Flushes, and frees the staging area. The appender stays open. */
    @Override
    public void close() {
        records.close();
    }
}
