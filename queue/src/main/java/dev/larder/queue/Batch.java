package dev.larder.queue;

import dev.larder.log.RecordBatch;
import dev.larder.memory.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A batch of messages that are staged in memory, written by one system call, and published together. It appends the
 * staged messages on {@link #flush}, when the staging area is full, and at close. The staging area has 1 MiB, or a quarter
 * of the largest segment if that is less. One thread at a time. A message that is longer than the staging area is
 * appended at once, in its turn.
 */
public final class Batch implements AutoCloseable {

    /** Keeps the appender from being collected, and so from being closed, while this batch is used. */
    private final Appender appender;

    private final RecordBatch records;
    private final TextWriter texts = new TextWriter();

    Batch(Appender appender, RecordBatch records) {
        this.appender = appender;
        this.records = records;
    }

    /** Adds bytes as one message. */
    public void add(byte[] message) {
        try {
            records.add(message, 0, message.length);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a range of an array as one message. */
    public void add(byte[] source, int offset, int length) {
        try {
            records.add(source, offset, length);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a whole segment as one message. */
    public void add(MemorySegment message) {
        try {
            records.add(message, 0, message.byteSize());
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a range of a segment as one message. */
    public void add(MemorySegment source, long offset, long length) {
        try {
            records.add(source, offset, length);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a text as UTF-8, as {@link Appender#append(CharSequence)} does. */
    public void add(CharSequence text) {
        try {
            records.add(Utf8.lengthBytes(text), texts.of(text));
        } finally {
            texts.of("");
            Reference.reachabilityFence(appender);
        }
    }

    /** Adds a message of {@code length} bytes that a writer fills in place. If the writer throws, nothing is added. */
    public void add(int length, MessageWriter writer) {
        try {
            records.add(length, writer);
        } finally {
            Reference.reachabilityFence(appender);
        }
    }

    /**
     * Appends the staged messages: after a crash, all of them or none. Returns the position of the last message that
     * this batch appended, or -1 before the first.
     */
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
