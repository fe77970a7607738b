package dev.larder.queue;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.memory.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages to a queue. Close it when it is no longer used; one that is forgotten is closed some time after it was
 * collected. Threads may share one, taking turns; with one each they copy side by side. Each method
 * returns the position of its message, which names it for ever. Allocates nothing per message.
 *
 * <p>When an append has returned, every process of this host sees the message, and it survives the death of this one.
 * The errors are those of {@link LogAppender#append(MemorySegment, long, long)}.
 */
public final class Appender implements AutoCloseable {

    private final LogAppender records;
    private final AtomicReference<@Nullable TextWriter> spare = new AtomicReference<>();

    /** An appender that a log closes, should it be forgotten. */
    Appender(Log log) {
        this.records = log.appender();
        log.closeWhenCollected(this, records);
    }

    /** Appends bytes. */
    public long append(byte[] message) {
        try {
            return records.append(message, 0, message.length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a range of an array. */
    public long append(byte[] source, int offset, int length) {
        try {
            return records.append(source, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a whole segment. */
    public long append(MemorySegment message) {
        try {
            return records.append(message, 0, message.byteSize());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a range of a segment. */
    public long append(MemorySegment source, long offset, long length) {
        try {
            return records.append(source, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a text as UTF-8; a half of a surrogate pair without the other becomes {@code ?}. */
    public long append(CharSequence text) {
        TextWriter known = spare.getAndSet(null);
        TextWriter writer = known == null ? new TextWriter() : known;
        try {
            return records.append(Utf8.lengthBytes(text), writer.of(text));
        } finally {
            spare.set(writer.of(""));
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a message of a length that a writer fills in place. When the writer throws, nothing is appended. */
    public long append(int length, MessageWriter writer) {
        try {
            return records.append(length, writer);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns an appender of many messages at once: the way to load in bulk. */
    public Batch batch() {
        try {
            return new Batch(this, records.batch());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Closes the appender; waits for a thread that is appending. */
    @Override
    public void close() {
        records.close();
    }
}
