package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.Position;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.FrameSink;
import dev.larder.queue.connection.MessageSink;
import dev.larder.queue.connection.SourceProgress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy on another host, as its {@link QueueServer} sees it. The server's thread sends messages and, now and then, the
 * progress of the source. Another thread receives the acknowledgements, and the server's thread then moves the follower's
 * tailer.
 *
 * <p>The tailer retains messages for the copy. So an acknowledgement counts only if it names a sent message, or the message at
 * which the copy continues, and does not go back. Any other acknowledgement ends the connection with an error.
 */
final class Follower implements MessageSink {

    private static final long REPORT_NANOS = 100_000_000;
    private static final int MESSAGES_A_LOOK = 64;

    private final Tailer tailer;
    private final Supplier<Tailer> looking;
    private final boolean keeps;
    private final OutputStream out;
    private final FrameSink frames;
    private long next;
    private long reportedNanos;
    private int unlooked;
    private long keptAt;

    /** The position of the last message that the copy may have. */
    private volatile long sent;

    private volatile long acknowledged;
    private volatile @Nullable LarderException refusal;

    /**
     * Makes a follower that receives the messages of a tailer.
     *
     * @param looking makes a tailer that checks whether there is a message at a position
     * @param from the last message that the copy has, which may be dropped here; 0 if there is none
     * @param keeps whether the tailer has a name, and stays where the copy is durable
     */
    Follower(Tailer tailer, Supplier<Tailer> looking, long from, boolean keeps, OutputStream out) {
        this.tailer = tailer;
        this.looking = looking;
        this.sent = from;
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
        sent = position;
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

    /**
     * Sends the progress of the source to the follower, and moves its tailer up to the messages that are durable in the copy.
     *
     * @throws LarderException if the follower has acknowledged a message that it cannot have
     */
    void report() throws IOException {
        reportedNanos = System.nanoTime();
        LarderException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        long end = Math.max(next, endSequence());
        new SourceProgress(System.currentTimeMillis(), next, end, tailer.bytesToEnd())
                .frame(tailer.endPosition())
                .write(out);
        out.flush();
        long durable = acknowledged;
        if (keeps && durable > keptAt && isMessage(durable)) {
            tailer.commitAt(durable);
            keptAt = durable;
        }
    }

    /** Returns whether there is a message at an acknowledged position; false if it was dropped meanwhile. */
    private boolean isMessage(long position) {
        try (Tailer look = looking.get()) {
            look.moveTo(position);
            return true;
        } catch (FellBehindException e) {
            return false;
        } catch (IllegalArgumentException | GoneException e) {
            throw new LarderException(wrong(position) + ", where no message begins", e);
        }
    }

    private static String wrong(long position) {
        return "the copy acknowledges position " + Position.toString(position);
    }

    /**
     * Returns the number of committed messages. Damage in the source ends the copy at the damaged message, not during this
     * count.
     */
    private long endSequence() {
        try {
            return tailer.committedMessages();
        } catch (CorruptException e) {
            return next;
        }
    }

    /** Receives acknowledgements until the connection ends. */
    void takeAcknowledgements(InputStream in, String name) throws IOException {
        while (true) {
            Frame frame = Frame.requiredSmall(in, name);
            if (frame.kind() != Frame.Kind.ACKNOWLEDGE) {
                throw new LarderException(name + ": expected an acknowledgement, got a frame of kind " + frame.kind());
            }
            acknowledge(frame.position());
        }
    }

    /** Records a position, or an error that the server's thread then throws. */
    private void acknowledge(long position) {
        if (refusal != null) {
            return;
        }
        if (position > sent) {
            refusal = new LarderException(wrong(position) + "; the last message sent is at " + Position.toString(sent));
        } else if (position < acknowledged) {
            refusal = new LarderException(wrong(position) + " after position " + Position.toString(acknowledged));
        } else {
            acknowledged = position;
        }
    }
}
