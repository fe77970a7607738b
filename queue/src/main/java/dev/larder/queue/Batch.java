package dev.larder.queue;

import dev.larder.log.RecordBatch;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Many messages appended at once: staged in 1 MiB of memory, written by one call, published together. One thread at a
 * time. What was added is appended by {@link #flush}, by itself when the staging area is full, and at close.
 */
public final class Batch implements AutoCloseable {

    /** Kept from being collected, and closed, as long as this is used. */
    private final Appender appender;

    private final RecordBatch records;

    Batch(Appender appender, RecordBatch records) {
        this.appender = appender;
        this.records = records;
    }

    /** Adds bytes as a message. */
    public void add(byte[] message) {
        try {
            records.add(message, 0, message.length);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a range of an array as a message. */
    public void add(byte[] source, int offset, int length) {
        try {
            records.add(source, offset, length);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a whole segment as a message. */
    public void add(MemorySegment message) {
        try {
            records.add(message, 0, message.byteSize());
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a range of a segment as a message. */
    public void add(MemorySegment source, long offset, long length) {
        try {
            records.add(source, offset, length);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Appends what was added; all of it or, in a crash, nothing. Returns the last message's position, -1 before any. */
    public long flush() {
        try {
            return records.flush();
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Flushes, and frees the staging area. The appender stays open. */
    @Override
    public void close() {
        try {
            records.close();
        } finally {
            Reference.reachabilityFence(appender);
        }
    }
}
