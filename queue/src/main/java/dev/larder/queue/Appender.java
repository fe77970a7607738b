package dev.larder.queue;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.memory.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An appender of messages to a queue. Each method returns the position of its message, which names the message for
 * ever. An append allocates nothing per message.
 *
 * <p>Threads may share an appender and take turns. With one appender each, they copy side by side. Close an appender that is no
 * longer used. An unclosed appender is closed some time after it was garbage collected.
 *
 * <p>An appender of {@link LarderQueue#confinedAppender} is for the thread that made it. Its appends are faster; an append by
 * another thread is a {@link WrongThreadException}. Any thread may close it.
 *
 * <p>When an append returns, every process of this host sees the message, and it survives the death of this process.
 * The errors are those of {@link LogAppender#append(MemorySegment, long, long)}.
 */
public final class Appender implements AutoCloseable {

    private final LogAppender records;
    private final AtomicReference<@Nullable TextWriter> spare = new AtomicReference<>();

    /** Wraps an appender of a log. The log closes it if this object is collected unclosed. */
    Appender(Log log, LogAppender records) {
        this.records = records;
        log.closeWhenCollected(this, records);
    }

    /** Appends bytes as one message. */
    public long append(byte[] message) {
        try {
            return records.append(message, 0, message.length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a range of an array as one message. */
    public long append(byte[] source, int offset, int length) {
        try {
            return records.append(source, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a whole segment as one message. */
    public long append(MemorySegment message) {
        try {
            return records.append(message, 0, message.byteSize());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a range of a segment as one message. */
    public long append(MemorySegment source, long offset, long length) {
        try {
            return records.append(source, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Appends a text as UTF-8. An unpaired surrogate becomes {@code ?}. */
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

    /**
     * Appends a message of {@code length} bytes that a writer fills in place. If the writer throws, nothing is
     * appended.
     */
    public long append(int length, MessageWriter writer) {
        try {
            return records.append(length, writer);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns a batch for loading many messages: staged in memory, written and published together. */
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
