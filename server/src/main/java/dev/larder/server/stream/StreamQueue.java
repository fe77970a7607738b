package dev.larder.server.stream;

import dev.larder.log.FellBehindException;
import dev.larder.log.LogOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** The queue of a stream while it is open: an appender, a tailer that stands at the end, and one that looks things up. */
final class StreamQueue implements AutoCloseable {

    private static final long NOWHERE = -1;
    private static final long BROUGHT_BYTES = 256L << 20;

    private final LarderQueue queue;
    private final Appender appender;
    private final Tailer end;
    private Tailer seeker;

    /** Which message the seeker reads next. */
    private long seekerAt = NOWHERE;

    private StreamQueue(LarderQueue queue) {
        this.queue = queue;
        this.appender = queue.appender();
        this.end = queue.tailer();
        this.seeker = queue.tailer();
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

    /** Returns the sequence of the first message that is still there. */
    long firstSequence() {
        seekerAt = NOWHERE;
        return seeker.toStart().sequence();
    }

    /** Returns how many messages were appended ever, and stands before the next one. */
    long toEnd() {
        return end.toEnd().sequence();
    }

    /** Has {@link #next} go on at a message. */
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

    /** Passes on the message of a sequence, which is there. */
    void read(long sequence, MessageHandler handler) {
        if (seekerAt != sequence || !poll(handler)) {
            seekerAt = NOWHERE;
            seeker.toSequence(sequence);
            if (!seeker.poll(handler)) {
                throw new IllegalStateException("message " + sequence + " is not there");
            }
        }
        seekerAt = sequence + 1;
    }

    /** Reads on; returns false where the segment was dropped at whose end the seeker stands. */
    private boolean poll(MessageHandler handler) {
        seekerAt = NOWHERE;
        try {
            return seeker.poll(handler);
        } catch (FellBehindException e) {
            return false;
        }
    }

    /** Forgets which pages were in memory when the seeker came by: the next look-up asks for each anew. */
    void forgetPages() {
        Tailer before = seeker;
        seekerAt = NOWHERE;
        seeker = queue.tailer();
        before.close();
    }

    /** Returns a tailer, which the caller closes. Others use the queue meanwhile. */
    Tailer tailer() {
        return queue.tailer();
    }

    /** Returns the position of a message, by a tailer of its own. Others use the queue meanwhile. */
    long position(long sequence) {
        try (Tailer own = queue.tailer()) {
            return own.toSequence(sequence).position();
        }
    }

    /**
     * Reads messages into memory, from a sequence up to another, by a tailer of its own. Others use the queue meanwhile. It ends
     * early where that is much: the rest is asked for again.
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

    /** Gives back the space of whole segments before a position. */
    void dropBefore(long position) {
        queue.dropBefore(position);
    }

    /** Passes on the message before that which was read last, in a walk from the end to the beginning. */
    void readBackward(long sequence, MessageHandler handler) {
        if (seekerAt != sequence + 1) {
            seekerAt = NOWHERE;
            seeker.toSequence(sequence + 1);
        }
        seekerAt = NOWHERE; // if the handler throws
        if (!seeker.pollBackward(handler)) {
            throw new IllegalStateException("message " + sequence + " is not there");
        }
        seekerAt = sequence;
    }

    void sync() {
        queue.sync();
    }

    @Override
    public void close() {
        queue.close();
    }
}
