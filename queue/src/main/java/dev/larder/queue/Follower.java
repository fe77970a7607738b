package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.FrameSink;
import dev.larder.queue.connection.MessageSink;
import dev.larder.queue.connection.SourceProgress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A copy on another host, as its {@link QueueServer} sees it. The server's thread sends messages, and now and then how
 * far the source is. Another thread takes the acknowledgements, and the server's thread then moves the follower's tailer.
 */
final class Follower implements MessageSink {

    private static final long REPORT_NANOS = 100_000_000;
    private static final int MESSAGES_A_LOOK = 64;

    private final Tailer tailer;
    private final boolean keeps;
    private final OutputStream out;
    private final FrameSink frames;
    private long next;
    private long reportedNanos;
    private int unlooked;
    private long keptAt;
    private volatile long acknowledged;

    /**
     * Makes a follower of what a tailer reads.
     *
     * @param keeps whether the tailer has a name, and stays where the copy is durable
     */
    Follower(Tailer tailer, boolean keeps, OutputStream out) {
        this.tailer = tailer;
        this.keeps = keeps;
        this.out = out;
        this.frames = new FrameSink(out);
        this.next = tailer.sequence();
    }

    @Override
    public void schema(int number, Schema schema) throws IOException {
        frames.schema(number, schema);
    }

    @Override
    public void message(long position, byte[] bytes) throws IOException {
        frames.message(position, bytes);
        next++;
        if (++unlooked >= MESSAGES_A_LOOK) {
            unlooked = 0;
            reportNowAndThen();
        }
    }

    @Override
    public void idle() throws IOException {
        reportNowAndThen();
        frames.idle();
    }

    private void reportNowAndThen() throws IOException {
        if (System.nanoTime() - reportedNanos >= REPORT_NANOS) {
            report();
        }
    }

    /** Tells the follower how far the source is, and keeps for it what it has not made durable. */
    void report() throws IOException {
        reportedNanos = System.nanoTime();
        long end = Math.max(next, endSequence());
        new SourceProgress(System.currentTimeMillis(), next, end, tailer.bytesToEnd())
                .frame(tailer.endPosition())
                .write(out);
        out.flush();
        long durable = acknowledged;
        if (keeps && durable > keptAt) {
            tailer.commitAt(durable);
            keptAt = durable;
        }
    }

    /** Damage in the source ends the copy where it lies, and not where somebody counts. */
    private long endSequence() {
        try {
            return tailer.committedMessages();
        } catch (CorruptException e) {
            return next;
        }
    }

    /** Takes acknowledgements until the connection ends. */
    void takeAcknowledgements(InputStream in, String name) throws IOException {
        while (true) {
            Frame frame = Frame.requiredSmall(in, name);
            if (frame.kind() != Frame.Kind.ACKNOWLEDGE) {
                throw new LarderException(name + ": a frame of kind " + frame.kind() + " among acknowledgements");
            }
            acknowledged = frame.position();
        }
    }
}
