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
 * A copy on another host, as its {@link QueueServer} sees it. The server's thread sends messages, and now and then how
 * far the source is. Another thread takes the acknowledgements, and the server's thread then moves the follower's tailer.
 *
 * <p>The tailer holds messages back for the copy. So an acknowledgement counts only if it names a message that was sent, or
 * the one at which the copy continues, and none before the last one. Any other ends the connection with an error.
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

    /** The last message that the copy may have. */
    private volatile long sent;

    private volatile long acknowledged;
    private volatile @Nullable LarderException refusal;

    /**
     * Makes a follower of what a tailer reads.
     *
     * @param looking makes a tailer that looks whether there is a message at a position
     * @param from the last message that the copy has; 0 if there is none
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
     * Tells the follower how far the source is, and keeps for it what it has not made durable.
     *
     * @throws LarderException if the follower has acknowledged what it cannot have
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

    /** Returns whether there is a message at a position that was acknowledged; false if it was dropped meanwhile. */
    private boolean isMessage(long position) {
        if (position == sent) {
            return true;
        }
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
            acknowledge(frame.position());
        }
    }

    /** Takes note of a position, or of the error, which the server's thread then throws. */
    private void acknowledge(long position) {
        if (refusal != null) {
            return;
        }
        if (position > sent) {
            refusal = new LarderException(
                    wrong(position) + ", and the last message that it can have is at " + Position.toString(sent));
        } else if (position < acknowledged) {
            refusal = new LarderException(
                    wrong(position) + ", and has acknowledged " + Position.toString(acknowledged) + " before");
        } else {
            acknowledged = position;
        }
    }
}
