package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.schema.Schemas;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.MessageSink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A queue that receives the messages of another queue, each exactly once, even if either side is killed.
 *
 * <pre>
 * source   ... | 15 | 16 | 17 | 18 |         place: 15 is 5
 * here     ... |  5 |  6 |  7 |              15, 16, 17 are sent again and compared with 5, 6, 7; 18 is appended
 * </pre>
 *
 * <p>No other program appends to this queue. So its messages are the source's messages, one for one, and the two sequences of
 * a message always differ by the same number. The place stores this number before the first message is appended. The number
 * of messages here then tells which message of the source is next, also if either queue has dropped the message of the place.
 */
final class CopyTarget implements MessageSink, AutoCloseable {

    private static final long PLACE_EVERY_BYTES = 16L << 20;

    /** A source whose messages arrive one by one is idle after each. Two flushes for each message would be too many. */
    private static final long PLACE_EVERY_NANOS = 100_000_000;

    private final Path directory;
    private final LarderQueue queue;
    private final CopyPlace place;
    private final Schemas schemas;
    private final Appender appender;
    private final Tailer known;

    /** The number of messages that this queue has had before this copy. */
    private long end;

    /** The sequence here of the next message that arrives. */
    private long next;

    /** The sequence of the message before which {@link #known} stands. */
    private long compared;

    private long lastSource;
    private long unplacedBytes;
    private long placedNanos = System.nanoTime() - PLACE_EVERY_NANOS;
    private long copied;

    private CopyTarget(
            Path directory, LarderQueue queue, CopyPlace place, Schemas schemas, Appender appender, Tailer known) {
        this.directory = directory;
        this.queue = queue;
        this.place = place;
        this.schemas = schemas;
        this.appender = appender;
        this.known = known;
    }

    /**
     * Finds out which message here is the source's first message that arrives.
     *
     * @throws GoneException if the source has dropped messages that this queue lacks
     */
    private void goOn(SourceDescription source) {
        end = known.toEnd().sequence();
        if (end == 0 && place.place().source() == 0) {
            place.begin(source.sequence());
        }
        CopyPlace.Place stored = place.place();
        if (stored.counter() == 0 || stored.targetSequence() > end) {
            throw new CorruptException(directory + ": has had " + end + " messages, and the place of the copy names "
                    + (stored.counter() == 0 ? "none" : "message " + stored.targetSequence())
                    + ": copy into a new directory");
        }
        next = source.sequence() - stored.ahead();
        if (next > end) {
            throw new GoneException(directory + ": the copy is too far behind: its next message is message "
                    + (end + stored.ahead()) + " of the source, and the source begins at message " + source.sequence()
                    + ": copy into a new directory");
        }
        if (next < 0) {
            throw new CorruptException(directory + ": the copy began at message " + stored.ahead()
                    + " of the source, which now sends message " + source.sequence() + ": it has lost messages");
        }
        standAt(next);
    }

    /** Moves to the message of a sequence, or to the oldest one if that message was dropped. */
    private void standAt(long sequence) {
        compared = -1;
        while (compared < 0) {
            try {
                compared = known.toSequence(sequence).sequence();
            } catch (GoneException e) {
                compared = oldest();
            }
        }
    }

    /** Moves to the oldest message; returns its sequence, or -1 if it was dropped meanwhile. */
    private long oldest() {
        try {
            return known.toStart().sequence();
        } catch (FellBehindException e) {
            return -1;
        }
    }

    /** Returns the request to continue the copy in a directory. */
    static Optional<Frame> request(Path directory, CopyScope scope, LogOptions options) {
        return place(directory, options).map(begun -> SourceDescription.request(begun.identity(), scope, begun.from()));
    }

    /** The source of the copy in a directory, and the last message that is known to be durable here; 0 if there is none. */
    record Begun(UUID identity, long from) {}

    /** Returns the progress of the copy in a directory; empty if the directory is not a copy. */
    static Optional<Begun> place(Path directory, LogOptions options) {
        Optional<CopyPlace> found = CopyPlace.exists(directory, options)
                ? CopyPlace.open(directory, HookedOptions.of(options).storage())
                : Optional.empty(); // perhaps without a directory
        try {
            return found.map(place -> new Begun(place.identity(), place.place().source()));
        } finally {
            found.ifPresent(CopyPlace::close);
        }
    }

    /**
     * Opens the receiving queue, or creates it.
     *
     * @throws LarderException if it is not a copy, is a copy of another queue, or is being copied to
     * @throws GoneException if the source has dropped messages that the copy lacks
     */
    static CopyTarget open(Path directory, SourceDescription source, LogOptions options) {
        if (CopyPlace.exists(directory, options)) {
            HookedOptions.of(options)
                    .storage()
                    .syncDirectory(directory); // whoever made the file may have been killed before
        } else {
            make(directory, source, options);
        }
        CopyPlace place =
                CopyPlace.open(directory, HookedOptions.of(options).storage()).orElseThrow();
        try {
            if (!place.identity().equals(source.identity())) {
                throw new LarderException(directory + ": is a copy of queue " + place.identity() + ", not of "
                        + source.identity() + "; name another directory");
            }
            return open(directory, place, source, options);
        } catch (RuntimeException | Error e) {
            place.close();
            throw e;
        }
    }

    private static CopyTarget open(Path directory, CopyPlace place, SourceDescription source, LogOptions options) {
        LarderQueue queue = LarderQueue.open(directory, options);
        Appender appender = null;
        Tailer known = null;
        try {
            appender = queue.appender();
            known = queue.tailer();
            Schemas schemas = new Schemas(LarderQueue.folderOf(directory, options));
            CopyTarget target = new CopyTarget(directory, queue, place, schemas, appender, known);
            target.goOn(source);
            return target;
        } catch (RuntimeException | Error e) {
            closeAfter(e, queue, appender, known);
            throw e;
        }
    }

    private static void closeAfter(
            Throwable met, LarderQueue queue, @Nullable Appender appender, @Nullable Tailer known) {
        try {
            close(queue, appender, known);
        } catch (RuntimeException | Error e) {
            met.addSuppressed(e);
        }
    }

    /** Makes an empty queue a copy. A queue with its own messages is refused. */
    private static void make(Path directory, SourceDescription source, LogOptions options) {
        boolean empty = HookedOptions.of(options).storage().list(directory).isEmpty();
        if (empty) {
            requireLike(source, directory, options);
        }
        LogOptions like = empty
                ? options.withLargestSegmentBytes(source.largestSegmentBytes()).withIntegrity(source.integrity())
                : options;
        try (LarderQueue queue = LarderQueue.open(directory, like)) {
            boolean isOwn = hasMessages(queue) && !CopyPlace.exists(directory, options); // or another process was first
            if (isOwn) {
                throw new LarderException(
                        directory + ": has messages of its own and is no copy; name another directory");
            }
            requireRoomFor(source, queue.info());
        }
        CopyPlace.create(directory, source.identity(), options);
    }

    /**
     * Throws before any file is made, if each opening of the copy would be refused.
     *
     * @throws LogMismatchException if the options contradict a property that a copy takes from its source
     */
    private static void requireLike(SourceDescription source, Path directory, LogOptions options) {
        IntegrityMode integrity = options.durability().integrity().orElse(source.integrity());
        if (integrity != source.integrity()) {
            throw mismatch(directory, "integrity", source.integrity(), integrity);
        }
        long largest = options.layout().largestSegmentBytes();
        if (largest != 0 && largest != source.largestSegmentBytes()) {
            throw mismatch(directory, "largest segment", source.largestSegmentBytes() + " bytes", largest);
        }
    }

    /** Throws if the longest messages of the source would not fit: the messages before them would be copied in vain. */
    private static void requireRoomFor(SourceDescription source, QueueInfo here) {
        if (here.largestSegmentBytes() < source.largestSegmentBytes()) {
            throw new LogMismatchException(here.directory() + ": the empty queue here has a largest segment of "
                    + here.largestSegmentBytes() + " bytes, and the source one of " + source.largestSegmentBytes()
                    + " bytes, so longer messages; name another directory");
        }
    }

    private static LogMismatchException mismatch(Path directory, String option, Object ofSource, Object asked) {
        return new LogMismatchException(directory + ": a new copy takes the " + option + " of its source, " + ofSource
                + "; asked for " + asked);
    }

    /** Returns whether the queue has had messages. It may have dropped them. */
    private static boolean hasMessages(LarderQueue queue) {
        try (Tailer tailer = queue.tailer()) {
            return tailer.toEnd().sequence() > 0;
        }
    }

    /**
     * Returns the position in the source of the last message known to be durable here, where a copy continues; 0 if there is
     * none. That message comes again, unless the source has dropped it.
     */
    long durable() {
        return place.place().source();
    }

    /** Returns how many messages were appended. */
    long copied() {
        return copied;
    }

    @Override
    public void schema(int number, Schema schema) {
        Optional<Schema> here = schemas.get(number);
        if (here.isEmpty() && schemas.add(number, schema)) {
            return;
        }
        if (!schemas.get(number).orElseThrow().equals(schema)) {
            throw new SchemaMismatchException(directory + ": schema " + number + " is another one than in the source");
        }
        schemas.syncNames(); // the process that linked it may not have synced its name yet
    }

    @Override
    public void message(long position, byte[] bytes) {
        if (next < end) {
            compare(position, bytes);
        } else {
            appender.append(bytes);
            copied++;
        }
        next++;
        lastSource = position;
        unplacedBytes += bytes.length + 8L;
        if (unplacedBytes >= PLACE_EVERY_BYTES) {
            place();
        }
    }

    /** Compares a message with the one here, unless that one was dropped. */
    private void compare(long position, byte[] bytes) {
        boolean done = next < compared;
        while (!done) {
            try {
                if (!known.poll((segment, offset, length) -> compare(position, bytes, segment, offset, length))) {
                    throw new CorruptException(directory + ": has had " + end + " messages, and none is at "
                            + Position.toString(known.position()));
                }
                compared++;
                done = true;
            } catch (FellBehindException e) {
                standAt(next);
                done = next < compared;
            }
        }
    }

    private void compare(long position, byte[] bytes, MemorySegment segment, long offset, int length) {
        byte[] here = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        if (!Arrays.equals(here, bytes)) {
            throw new CorruptException(directory + ": the message at position " + Position.toString(known.position())
                    + ", of " + length + " bytes, differs from the source's message at " + Position.toString(position)
                    + ", of " + bytes.length
                    + " bytes: the source has lost messages, or another writer has appended here");
        }
    }

    /** Stores the progress of the copy, unless it was stored just now. */
    @Override
    public void idle() {
        if (System.nanoTime() - placedNanos >= PLACE_EVERY_NANOS) {
            settle();
        }
    }

    /** Makes the copied messages durable, and stores the progress of the copy. */
    void settle() {
        if (unplacedBytes > 0) {
            place();
        }
    }

    private void place() {
        queue.sync();
        long last = next - 1;
        place.set(lastSource, last + place.place().ahead(), last);
        unplacedBytes = 0;
        placedNanos = System.nanoTime();
    }

    @Override
    public void close() {
        try {
            close(queue, appender, known);
        } finally {
            place.close();
        }
    }

    /**
     * Closes the queue, and also the appender and the tailer if they exist: if this JVM has the queue open elsewhere, closing
     * the queue leaves them open. Each is closed, even if closing another throws.
     */
    private static void close(LarderQueue queue, @Nullable Appender appender, @Nullable Tailer known) {
        ClosingSteps closing = new ClosingSteps();
        if (appender != null) {
            closing.take("appender", appender::close);
        }
        if (known != null) {
            closing.take("tailer", known::close);
        }
        closing.take("queue", queue::close);
        closing.end();
    }
}
