package dev.larder.queue;

import dev.larder.codec.Codec;
import dev.larder.codec.CodecFolder;
import dev.larder.codec.Schema;
import dev.larder.codec.schema.BoundCodec;
import dev.larder.codec.schema.Lookups;
import dev.larder.codec.schema.Schemas;
import dev.larder.log.Bookmark;
import dev.larder.log.BookmarkInfo;
import dev.larder.log.FellBehindException;
import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.log.LogInfo;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.VerifyReport;
import dev.larder.log.WaitStrategy;
import dev.larder.log.layer.HookedOptions;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles.Lookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A persisted queue in a directory, mapped into memory and shared by all processes of a host. Any number of them append
 * and read at once; every tailer sees every message, in one order. A queue is not bounded by the heap, nor by the
 * machine's memory.
 *
 * {@snippet :
 * try (LarderQueue queue = LarderQueue.open(directory)) {
 *     queue.append("hello");
 *     try (Tailer tailer = queue.tailer()) {
 *         tailer.poll((segment, offset, length) -> System.out.println(length + " bytes"));
 *     }
 * }
 * }
 *
 * <p>{@code append} returns: every process on this host sees the message, and it survives the death of the process.
 * {@link #sync} returns: it survives the death of the machine. Thread-safe.
 */
public final class LarderQueue implements AutoCloseable {

    private final Log log;
    private final CodecFolder folder;
    private final Schemas schemas;

    /** Made by the first append of a thread without an appender; closed with the queue. */
    private volatile @Nullable Appender shared;

    private LarderQueue(Log log, LogOptions options) {
        this.log = log;
        this.folder = folderOf(log.directory(), options);
        this.schemas = new Schemas(folder);
    }

    static CodecFolder folderOf(Path directory, LogOptions options) {
        return new CodecFolder(
                directory, HookedOptions.of(options).storage(), options.access().files());
    }

    /** Opens the queue in a directory with the default options, creating what is missing. */
    public static LarderQueue open(Path directory) {
        return open(directory, LogOptions.defaults());
    }

    /** Opens the queue in a directory; the errors are those of {@link Log#open(Path, LogOptions)}. */
    public static LarderQueue open(Path directory, LogOptions options) {
        return new LarderQueue(Log.open(directory, options), options);
    }

    /** Returns a new appender, for a thread that appends often; to be closed. */
    public Appender appender() {
        return new Appender(log);
    }

    /** Appends bytes by the appender that all threads share which have none of their own, as the other methods do. */
    public long append(byte[] message) {
        return sharedAppender().append(message);
    }

    /** Appends a whole segment. */
    public long append(MemorySegment message) {
        return sharedAppender().append(message);
    }

    /** Appends a range of a segment. */
    public long append(MemorySegment source, long offset, long length) {
        return sharedAppender().append(source, offset, length);
    }

    /** Appends a text as UTF-8. */
    public long append(CharSequence text) {
        return sharedAppender().append(text);
    }

    /** Appends a message of a length that a writer fills in place. When the writer throws, nothing is appended. */
    public long append(int length, MessageWriter writer) {
        return sharedAppender().append(length, writer);
    }

    private Appender sharedAppender() {
        Appender known = shared;
        return known == null ? makeSharedAppender() : known;
    }

    private synchronized Appender makeSharedAppender() {
        Appender known = shared;
        if (known == null) {
            known = appender();
            shared = known;
        }
        return known;
    }

    /** Returns a new tailer, before the oldest message; it waits asleep, until a writer wakes it. */
    public Tailer tailer() {
        return tailer(WaitStrategy.futex());
    }

    /** Returns a new tailer, before the oldest message, that waits in its own way. */
    public Tailer tailer(WaitStrategy strategy) {
        return new Tailer(log, strategy);
    }

    /**
     * Returns the tailer of a name, which goes on where the last one of that name has stopped: at the oldest message where
     * there was none. Its place moves whenever a handler has returned, survives the process, and is kept by all processes;
     * {@link #sync} makes it durable. Each message is handled at least once: the one whose handler was cut short by a
     * crash comes again.
     *
     * @param name 1 to 128 bytes of UTF-8; a queue has at most 1024 of them
     * @throws dev.larder.log.BookmarkHeldException when a process that lives has the tailer, this one included
     */
    public Tailer tailer(String name) {
        return tailer(name, Commit.WHEN_HANDLED);
    }

    /** Returns the tailer of a name, and says when its place moves. */
    public Tailer tailer(String name, Commit commit) {
        return tailer(name, commit, WaitStrategy.futex());
    }

    /** Returns the tailer of a name that waits in its own way. */
    public Tailer tailer(String name, Commit commit, WaitStrategy strategy) {
        Bookmark place = log.bookmark(name);
        try {
            return new Tailer(log, strategy, place, commit);
        } catch (RuntimeException | Error e) {
            place.close();
            throw e;
        }
    }

    /** Returns the named tailers: where they stand, and which process has them. */
    public List<TailerInfo> tailers() {
        return log.bookmarks().stream().map(this::info).toList();
    }

    private TailerInfo info(BookmarkInfo place) {
        long committed = log.committedRecords();
        long end = log.endPosition();
        long from = Math.max(place.position(), log.firstPosition());
        long sequence = sequenceFrom(from);
        return new TailerInfo(
                place.name(),
                place.position(),
                sequence,
                Math.max(0, committed - sequence),
                log.bytesBetween(from, end),
                place.owner().map(BookmarkInfo.Owner::processId),
                place.owner().map(BookmarkInfo.Owner::since),
                place.absentSince());
    }

    /** Returns the sequence of a position, or of the oldest message where that was dropped. */
    private long sequenceFrom(long position) {
        try (LogReader reader = log.reader(position)) {
            return reader.sequence();
        } catch (FellBehindException e) {
            return sequenceFrom(log.firstPosition());
        }
    }

    /** Drops the tailer of a name, and its place; returns false when there is none. A live one is refused. */
    public boolean dropTailer(String name) {
        return log.dropBookmark(name);
    }

    /**
     * Returns how many messages there are from a position up to, and without, another.
     *
     * @throws IllegalArgumentException when the first position is behind the second
     * @throws dev.larder.log.GoneException when either was dropped, or is beyond the end
     */
    public long count(long from, long to) {
        return log.count(from, to);
    }

    /** Returns a new appender of values; the schemas of its codec are written down first, if they are not yet. */
    public <T> TypedAppender<T> appender(Codec<T> codec) {
        return new TypedAppender<>(appender(), BoundCodec.bind(codec, schemas, true));
    }

    /** Returns a new tailer of values, before the oldest message; it waits asleep, until a writer wakes it. */
    public <T> TypedTailer<T> tailer(Codec<T> codec) {
        return typed(tailer(), codec);
    }

    /** Returns a tailer of this queue, wherever it stands and however it waits, as one of values. */
    public <T> TypedTailer<T> typed(Tailer tailer, Codec<T> codec) {
        return new TypedTailer<>(tailer, BoundCodec.bind(codec, schemas, false), log.directory());
    }

    /**
     * Returns an object whose calls become messages, seen and kept as any other; threads may share it. Its methods
     * return nothing; default methods run as they are, and {@code close}, of an {@link AutoCloseable}, closes its appender.
     *
     * @throws IllegalArgumentException where a method returns something, or takes what has no form in messages; or where
     *     the interface is in another named module: then pass a lookup
     */
    public <T> T methodWriter(Class<T> type) {
        return methodWriter(type, Lookups.of(type));
    }

    /** Returns an object whose calls become messages, of an interface of the lookup's package. */
    public <T> T methodWriter(Class<T> type, Lookup lookup) {
        return MethodWriters.make(type, lookup, appender(), schemas);
    }

    /** Returns a reader, before the oldest message, that makes the calls of method writers on a handler. */
    public <T> MethodReader methodReader(Class<T> type, T handler) {
        return methodReader(tailer(), type, handler, Lookups.of(type));
    }

    /** Returns a reader from where a tailer of this queue stands, of an interface that the lookup's maker may use. */
    public <T> MethodReader methodReader(Tailer tailer, Class<T> type, T handler, Lookup lookup) {
        return new MethodReader(tailer, schemas, type, handler, lookup);
    }

    /**
     * Returns a codec as it works in this queue, for one thread that reads with it: for who handles messages himself. One
     * that writes schemas down is bound by {@link #appender(Codec)}.
     */
    public <T> Codec<T> bind(Codec<T> codec) {
        return BoundCodec.bind(codec, schemas, false);
    }

    /** Returns the schemas that messages of this queue were ever written by, by their numbers. */
    public Map<Integer, Schema> schemas() {
        return schemas.all();
    }

    Schemas schemaFiles() {
        return schemas;
    }

    /** Returns where the queue's codecs write down how its messages are to be read. */
    public CodecFolder codecFolder() {
        return folder;
    }

    /** Makes what was appended before the call durable; returns the durable position. See {@link Log#sync()}. */
    public long sync() {
        return log.sync();
    }

    /** Returns up to where the queue was made durable, by any process. */
    public long durablePosition() {
        return log.durablePosition();
    }

    /** Links and brings in space for so many bytes ahead of the tail, now; appends there find it present. */
    public void prepare(long bytes) {
        log.prepare(bytes);
    }

    /** Returns what the queue is and how it stands. */
    public LogInfo info() {
        return log.info();
    }

    /** Reads everything and says what is damaged. */
    public VerifyReport verify() {
        return log.verify();
    }

    /** Returns what all processes have done with this queue since it was created. */
    public Map<LogCounter, Long> counters() {
        return log.counters();
    }

    /** Closes the queue, its appenders and its tailers, waiting for handlers; syncs unless the policy is none. */
    @Override
    public void close() {
        log.close();
    }
}
