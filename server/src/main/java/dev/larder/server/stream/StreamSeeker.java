package dev.larder.server.stream;

import dev.larder.log.FellBehindException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;

/** A tailer for lookups of messages. It knows which message it reads next, so the following message costs no search. */
final class StreamSeeker {

    private static final long NOWHERE = -1;

    private final LarderQueue queue;
    private Tailer tailer;
    private long next = NOWHERE;

    StreamSeeker(LarderQueue queue) {
        this.queue = queue;
        this.tailer = queue.tailer();
    }

    /** Returns whether it reads this message next, without a search. */
    boolean standsBefore(long sequence) {
        return next == sequence;
    }

    /** Returns the sequence of the first message that is still there. */
    long firstSequence() {
        next = NOWHERE;
        return tailer.toStart().sequence();
    }

    /** Passes on the message of a sequence, which must be there. */
    void read(long sequence, MessageHandler handler) {
        if (next != sequence || !poll(handler)) {
            next = NOWHERE;
            tailer.toSequence(sequence);
            if (!tailer.poll(handler)) {
                throw new IllegalStateException("message " + sequence + " is not there");
            }
        }
        next = sequence + 1;
    }

    /** Reads the next message; returns false if the tailer stands at the end of a segment that was dropped. */
    private boolean poll(MessageHandler handler) {
        next = NOWHERE;
        try {
            return tailer.poll(handler);
        } catch (FellBehindException e) {
            return false;
        }
    }

    /** Passes on the message of a sequence, and stands before it. */
    void readBackward(long sequence, MessageHandler handler) {
        if (next != sequence + 1) {
            next = NOWHERE;
            tailer.toSequence(sequence + 1);
        }
        next = NOWHERE; // if the handler throws
        if (!tailer.pollBackward(handler)) {
            throw new IllegalStateException("message " + sequence + " is not there");
        }
        next = sequence;
    }

    /** Forgets which pages were in memory when the seeker came by: the next lookup checks each page anew. */
    void forgetPages() {
        Tailer before = tailer;
        next = NOWHERE;
        tailer = queue.tailer();
        before.close();
    }
}
