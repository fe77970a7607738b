package dev.larder.server.stream;

import dev.larder.log.LogOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a stream while it is open: an appender, a tailer at the end, and two tailers for lookups. A group's read looks
 * at its entries before it delivers them, so each of the two continues where it stopped.
 */
final class StreamQueue implements AutoCloseable {

    private static final long BROUGHT_BYTES = 256L << 20;

    private final LarderQueue queue;
    private final UUID identity;
    private final Appender appender;
    private final Tailer end;

    /** The seeker that was used last. */
    private StreamSeeker seeker;

    /** The seeker that was used before; null until the first one is not at a message that is read. */
    private @Nullable StreamSeeker other;

    private StreamQueue(LarderQueue queue) {
        this.queue = queue;
        this.identity = queue.identity();
        this.appender = queue.appender();
        this.end = queue.tailer();
        this.seeker = new StreamSeeker(queue);
    }

    static StreamQueue open(Path directory, LogOptions options) {
        LarderQueue queue = LarderQueue.open(directory, options);
        try {
            return new StreamQueue(queue);
        } catch (RuntimeException | Error e) {
            queue.close();
            throw e;
        }
    }

    /** Returns the identifier that its log got at creation. A queue that is made anew has another one. */
    UUID identity() {
        return identity;
    }

    /** Returns the sequence of the first message that is still there. */
    long firstSequence() {
        return seeker.firstSequence();
    }

    /** Returns how many messages were ever appended, and moves before the next one. */
    long toEnd() {
        return end.toEnd().sequence();
    }

    /** Makes {@link #next} continue at a message. */
    void toSequence(long sequence) {
        end.toSequence(sequence);
    }

    /** Passes on the next message that was appended; returns false if there is none yet. */
    boolean next(MessageHandler handler) {
        return end.poll(handler);
    }

    void append(StreamId id, Fields fields) {
        int length = Math.toIntExact(EntryFrame.lengthBytes(fields));
        appender.append(length, (segment, offset, bytes) -> EntryFrame.write(id, fields, segment, offset));
    }

    void append(MemorySegment message, long offset, long length) {
        appender.append(message, offset, length);
    }

    /** Passes on the message of a sequence, which must be there. */
    void read(long sequence, MessageHandler handler) {
        if (!seeker.standsBefore(sequence)) {
            StreamSeeker before = seeker;
            seeker = other == null ? new StreamSeeker(queue) : other;
            other = before;
        }
        seeker.read(sequence, handler);
    }

    /** Forgets which pages were in memory when the seekers came by: the next lookup checks each page anew. */
    void forgetPages() {
        seeker.forgetPages();
        if (other != null) {
            other.forgetPages();
        }
    }

    /** Returns a tailer, which the caller closes. Other threads use the queue meanwhile. */
    Tailer tailer() {
        return queue.tailer();
    }

    /** Returns the position of a message, by a tailer of its own. Other threads use the queue meanwhile. */
    long position(long sequence) {
        try (Tailer own = queue.tailer()) {
            return own.toSequence(sequence).position();
        }
    }

    /**
     * Loads messages into memory, from a sequence up to another, by a tailer of its own. Other threads use the queue
     * meanwhile. It ends early after many bytes; the caller then asks for the rest again.
     */
    void bringIn(long from, long to) {
        long[] bytes = {0};
        MessageHandler counting = (segment, offset, length) -> bytes[0] += length;
        try (Tailer own = queue.tailer()) {
            own.toSequence(from);
            long at = from;
            while (at < to && bytes[0] < BROUGHT_BYTES && own.poll(counting)) {
                at++;
            }
        }
    }

    /** Releases the space of whole segments before a position. */
    void dropBefore(long position) {
        queue.dropBefore(position);
    }

    /** Passes on the message before the one read last, in a walk from the end to the beginning. */
    void readBackward(long sequence, MessageHandler handler) {
        seeker.readBackward(sequence, handler);
    }

    /** Returns whether all messages are durable. */
    boolean isDurable() {
        try (Tailer own = queue.tailer()) {
            return queue.durablePosition() >= own.toEnd().position();
        }
    }

    void sync() {
        queue.sync();
    }

    @Override
    public void close() {
        queue.close();
    }
}
