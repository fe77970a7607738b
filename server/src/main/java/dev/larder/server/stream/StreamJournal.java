package dev.larder.server.stream;

import dev.larder.log.Bookmark;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A second copy, in one log, of the entries that were added last to any stream of a store. A sync of this log makes entries of
 * many streams durable, whose queues are synced later.
 *
 * <pre>
 *   records     ........ applied ................ end
 *               durable in | perhaps durable here |
 *               the queues | alone                |
 * </pre>
 */
final class StreamJournal implements AutoCloseable {

    /**
     * A handler of records. A record holds the number of a stream, the identifier of its queue's log, the sequence of a
     * message in that queue, and the message.
     */
    @FunctionalInterface
    interface Handler {

        /** Handles a message. The bytes are valid only during the call. */
        void onMessage(long number, UUID queue, long sequence, MemorySegment segment, long offset, int length);
    }

    /** The name of its folder. */
    static final String NAME = "journal";

    /** A longer message is not written twice: a sync of its queue costs less. */
    static final int MESSAGE_MAX_BYTES = 64 << 10;

    private static final String APPLIED = "applied";
    private static final int SEQUENCE_OFFSET = 8;
    private static final int IDENTITY_HIGH_OFFSET = 16;
    private static final int IDENTITY_LOW_OFFSET = 24;
    private static final int HEADER_BYTES = 32;
    private static final int LARGEST_SEGMENT_BYTES = 64 << 20;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Log log;
    private final LogAppender appender;
    private final Bookmark applied;

    /** Whether something was added since the last sync began. */
    private volatile boolean unsynced;

    private StreamJournal(Log log) {
        this.log = log;
        this.appender = log.appender();
        this.applied = log.bookmark(APPLIED);
    }

    /** Returns whether there is a journal in a folder of streams. */
    static boolean isThere(Path streams, LogOptions options) {
        return !HookedOptions.storage(options).list(streams.resolve(NAME)).isEmpty();
    }

    /**
     * Opens the journal in a folder of streams, and creates it if it is missing.
     *
     * @throws dev.larder.memory.NewerFormatException if a newer release wrote it
     */
    static StreamJournal open(Path streams, LogOptions options) {
        Path directory = streams.resolve(NAME);
        Storage storage = HookedOptions.storage(options);
        boolean hasFormat = JournalFormat.check(directory, storage);
        Log log = Log.open(directory, logOptions(options));
        try {
            if (!hasFormat) {
                JournalFormat.create(directory, storage, options.access().files());
            }
            return new StreamJournal(log);
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    static LogOptions logOptions(LogOptions options) {
        return options.withSync(SyncPolicy.none())
                .withLayout(layout -> layout.withFirstSegmentBytes(0)
                        .withLargestSegmentBytes(Math.min(LARGEST_SEGMENT_BYTES, layout.largestSegmentBytes())));
    }

    /** Adds an entry, which is the message of a sequence in a stream's queue. It is durable after the next {@link #sync}. */
    void add(long number, UUID queue, long sequence, StreamId id, Fields fields) {
        int length = HEADER_BYTES + Math.toIntExact(EntryFrame.lengthBytes(fields));
        appender.append(length, (segment, offset, _) -> {
            segment.set(LONG, offset, number);
            segment.set(LONG, offset + SEQUENCE_OFFSET, sequence);
            segment.set(LONG, offset + IDENTITY_HIGH_OFFSET, queue.getMostSignificantBits());
            segment.set(LONG, offset + IDENTITY_LOW_OFFSET, queue.getLeastSignificantBits());
            EntryFrame.write(id, fields, segment, offset + HEADER_BYTES);
        });
        unsynced = true;
    }

    /** Makes everything durable that was added before the call. */
    void sync() {
        if (unsynced) {
            unsynced = false; // before the sync: what is added from now on counts for the next one
            try {
                log.sync();
            } catch (RuntimeException | Error e) {
                unsynced = true; // only here: another thread may have set it meanwhile, which must not be undone
                throw e;
            }
        }
    }

    /** Returns the position behind the last record. */
    long end() {
        return log.endPosition();
    }

    /** Returns how many bytes may be durable here alone. */
    long pendingBytes() {
        return log.bytesBetween(applied.position(), log.endPosition());
    }

    /** Records durably that each message before a position is durable in its queue, and releases the space of those messages. */
    void applied(long position) {
        applied.move(position);
        log.sync();
        log.dropBefore(position);
    }

    /** Returns a reader for {@link #read}, which the caller closes. */
    LogReader reader() {
        LogReader reader = log.reader();
        if (applied.position() > 0) {
            reader.moveTo(applied.position());
        }
        return reader;
    }

    /** Passes on the next message that may be durable here alone; returns false if there is none. */
    boolean read(LogReader reader, Handler handler) {
        return reader.poll((segment, offset, length) -> {
            if (length < HEADER_BYTES) {
                throw new CorruptException(
                        log.directory() + ": the record at " + Position.toString(reader.position()) + " has " + length
                                + " bytes, expected at least " + HEADER_BYTES + ": this server did not write it");
            }
            handler.onMessage(
                    segment.get(LONG, offset),
                    new UUID(
                            segment.get(LONG, offset + IDENTITY_HIGH_OFFSET),
                            segment.get(LONG, offset + IDENTITY_LOW_OFFSET)),
                    segment.get(LONG, offset + SEQUENCE_OFFSET),
                    segment,
                    offset + HEADER_BYTES,
                    length - HEADER_BYTES);
        });
    }

    @Override
    public void close() {
        log.close();
    }
}
