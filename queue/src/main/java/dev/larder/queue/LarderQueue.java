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
import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.VerifyReport;
import dev.larder.log.WaitStrategy;
import dev.larder.log.WorkProgress;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.ClosableLog;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.memory.Utf8;
import dev.larder.memory.raw.EarlyClasses;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles.Lookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A persisted queue of messages in a directory, mapped into memory and shared by all processes of a host. Any number of
 * processes append and read at the same time. Every tailer sees every message, in one order. Neither the heap nor the
 * machine's memory limits the size of a queue.
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
 * <p>When {@code append} returns, every process on this host sees the message, and it survives the death of the
 * process. When {@link #sync} returns, it survives the death of the machine.
 *
 * <p>Thread-safe. Errors are {@link dev.larder.memory.LarderException}s; each kind of error has its own class.
 */
public final class LarderQueue implements AutoCloseable {

    static {
        EarlyClasses.initialize(TextWriter.class, Utf8.class);
    }

    private final Log log;
    private final CodecFolder folder;
    private final Schemas schemas;

    /** The appender of threads without one: made by their first append, closed with the queue. */
    private volatile @Nullable Appender shared;

    /** The running consumers. They are stopped before the log is closed, so that they commit. */
    private final Set<QueueConsumer> consumers = ConcurrentHashMap.newKeySet();

    private LarderQueue(Log log, LogOptions options) {
        this.log = log;
        this.folder = folderOf(log.directory(), options);
        this.schemas = new Schemas(folder);
    }

    static CodecFolder folderOf(Path directory, LogOptions options) {
        return new CodecFolder(
                directory, HookedOptions.of(options).storage(), options.access().files());
    }

    /** Opens the queue in a directory with the default options, and creates it if it is missing. */
    public static LarderQueue open(Path directory) {
        return open(directory, LogOptions.defaults());
    }

    /**
     * Opens the queue in a directory, and creates it if it is missing. The errors are those of
     * {@link Log#open(Path, LogOptions)}.
     */
    public static LarderQueue open(Path directory, LogOptions options) {
        return new LarderQueue(Log.open(directory, options), options);
    }

    /** Returns a new appender, for a thread that appends often. The caller closes it. */
    public Appender appender() {
        return new Appender(log, log.appender());
    }

    /**
     * Returns a new appender that only the calling thread may use, which makes its appends faster. The caller closes it; any
     * thread may do so.
     */
    public Appender confinedAppender() {
        return new Appender(log, log.confinedAppender());
    }

    /**
     * Appends bytes and returns the message's position. This method and the next four use one appender, which all threads
     * without their own appender share.
     */
    public long append(byte[] message) {
        return sharedAppender().append(message);
    }

    /** Appends a whole segment as one message; returns its position. */
    public long append(MemorySegment message) {
        return sharedAppender().append(message);
    }

    /** Appends {@code length} bytes of a segment from {@code offset} on as one message; returns its position. */
    public long append(MemorySegment source, long offset, long length) {
        return sharedAppender().append(source, offset, length);
    }

    /** Appends a text as UTF-8; returns the message's position. */
    public long append(CharSequence text) {
        return sharedAppender().append(text);
    }

    /**
     * Appends a message of {@code length} bytes that a writer fills in place; returns its position. If the writer
     * throws, nothing is appended.
     */
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

    /** The log may stay open for another queue of this JVM. This one then makes no further appender. */
    private synchronized void forgetShared() {
        shared = null;
    }

    /** Returns a new tailer, before the oldest message. A waiting tailer sleeps until a writer wakes it. */
    public Tailer tailer() {
        return tailer(WaitStrategy.futex());
    }

    /** Returns a new tailer, before the oldest message, with the given wait strategy. */
    public Tailer tailer(WaitStrategy strategy) {
        return new Tailer(log, strategy);
    }

    /**
     * Returns the tailer of a name. It starts where the last tailer of that name stopped, or at the oldest message if
     * there was none. Its stored position moves when a handler returns, is visible to all processes, and survives the
     * process; {@link #sync} makes it durable. Each message is handled at least once: if a crash interrupts a handler,
     * its message comes again.
     *
     * @param name 1 to 128 bytes of UTF-8; a queue has at most 1024 names
     * @throws dev.larder.log.BookmarkHeldException if a live process has the tailer, this one included
     */
    public Tailer tailer(String name) {
        return tailer(name, Commit.WHEN_HANDLED);
    }

    /** Returns the tailer of a name, whose stored position moves as {@code commit} says. */
    public Tailer tailer(String name, Commit commit) {
        return tailer(name, commit, WaitStrategy.futex());
    }

    /** Returns the tailer of a name, with the given wait strategy. */
    public Tailer tailer(String name, Commit commit, WaitStrategy strategy) {
        Bookmark place = log.bookmark(name);
        try {
            return new Tailer(log, strategy, place, commit);
        } catch (RuntimeException | Error e) {
            place.close();
            throw e;
        }
    }

    /**
     * Returns all named tailers: their positions, their lag, and the processes that have them. If damage hides the sequence of
     * a tailer, its sequence and its lag are empty.
     */
    public List<TailerInfo> tailers() {
        return log.bookmarks().stream().map(this::info).toList();
    }

    private TailerInfo info(BookmarkInfo place) {
        OptionalLong committed = unlessHidden(log::committedRecords);
        long end = log.endPosition();
        long from = Math.max(place.position(), log.firstPosition());
        OptionalLong sequence = unlessHidden(() -> sequenceFrom(from));
        return new TailerInfo(
                place.name(),
                place.position(),
                sequence,
                behind(sequence, committed),
                log.bytesBetween(Math.min(from, end), end),
                place.owner().map(BookmarkInfo.Owner::processId),
                place.owner().map(BookmarkInfo.Owner::since),
                place.absentSince());
    }

    private static OptionalLong behind(OptionalLong sequence, OptionalLong committed) {
        return sequence.isPresent() && committed.isPresent()
                ? OptionalLong.of(Math.max(0, committed.getAsLong() - sequence.getAsLong()))
                : OptionalLong.empty();
    }

    /** Returns a number of messages; empty if damage hides it, or the message was cut after a power loss. */
    private static OptionalLong unlessHidden(LongSupplier messages) {
        try {
            return OptionalLong.of(messages.getAsLong());
        } catch (CorruptException | StorageException | GoneException | IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the sequence of a position, or of the oldest message if that position was dropped. */
    private long sequenceFrom(long position) {
        try (LogReader reader = log.reader(position)) {
            return reader.sequence();
        } catch (FellBehindException e) {
            return sequenceFrom(log.firstPosition());
        }
    }

    /**
     * Drops the tailer of a name and its stored position; returns false if there is none.
     *
     * @throws dev.larder.log.BookmarkHeldException if a live process has the tailer, this one included
     */
    public boolean dropTailer(String name) {
        return log.dropBookmark(name);
    }

    /**
     * Returns the number of messages from one position up to another, without the message at the second position.
     *
     * @throws IllegalArgumentException if the first position is after the second
     * @throws dev.larder.log.GoneException if either was dropped
     * @throws IllegalArgumentException if no message begins at either
     */
    public long count(long from, long to) {
        return log.count(from, to);
    }

    /**
     * Returns a new appender of values. It first stores the schemas of its codec in the queue's directory, if they are
     * not there yet.
     */
    public <T> TypedAppender<T> appender(Codec<T> codec) {
        return typedOrClosed(appender(), codec);
    }

    /** Returns a new appender of values that only the calling thread may use, which makes its appends faster. */
    public <T> TypedAppender<T> confinedAppender(Codec<T> codec) {
        return typedOrClosed(confinedAppender(), codec);
    }

    private <T> TypedAppender<T> typedOrClosed(Appender appender, Codec<T> codec) {
        try {
            return new TypedAppender<>(appender, () -> BoundCodec.bind(codec, schemas, true));
        } catch (RuntimeException | Error e) {
            appender.close(); // the caller has no reference to it
            throw e;
        }
    }

    /** Returns a new tailer of values, before the oldest message. A waiting tailer sleeps until a writer wakes it. */
    public <T> TypedTailer<T> tailer(Codec<T> codec) {
        return typedOrClosed(tailer(), codec);
    }

    /** Returns a tailer of values with a name, as {@link #tailer(String)} does. */
    public <T> TypedTailer<T> tailer(String name, Codec<T> codec) {
        return tailer(name, Commit.WHEN_HANDLED, codec);
    }

    /** Returns a tailer of values with a name, whose stored position moves as {@code commit} says. */
    public <T> TypedTailer<T> tailer(String name, Commit commit, Codec<T> codec) {
        return typedOrClosed(tailer(name, commit), codec);
    }

    private <T> TypedTailer<T> typedOrClosed(Tailer tailer, Codec<T> codec) {
        try {
            return typed(tailer, codec);
        } catch (RuntimeException | Error e) {
            tailer.close(); // the caller has no reference to it, and its name would stay taken
            throw e;
        }
    }

    /**
     * Returns a tailer of values over a tailer of this queue, which keeps its position and its wait strategy.
     *
     * @throws IllegalArgumentException if the tailer is of another queue
     */
    public <T> TypedTailer<T> typed(Tailer tailer, Codec<T> codec) {
        tailer.requireOf(log.directory());
        return new TypedTailer<>(tailer, BoundCodec.bind(codec, schemas, false), log.directory());
    }

    /**
     * Starts a consumer: a thread that reads the tailer of a name, passes each message to a handler, and commits. Messages
     * come at least once. It runs until it is closed, the queue is closed, or the handler throws.
     *
     * @throws dev.larder.log.BookmarkHeldException if a consumer or a tailer in a live process has the name
     */
    public QueueConsumer consumer(String name, MessageHandler handler) {
        return consumer(name, handler, ConsumerOptions.defaults());
    }

    /** Starts a consumer with other options than the defaults. */
    public QueueConsumer consumer(String name, MessageHandler handler, ConsumerOptions options) {
        return start(name, tailer(name, QueueConsumer.commitOf(options)), handler, options);
    }

    /** Starts a consumer of values. Its options treat a message that is not of the codec's type as an error of the handler. */
    public <T> QueueConsumer consumer(
            String name, Codec<T> codec, Consumer<? super T> handler, ConsumerOptions options) {
        Tailer tailer = tailer(name, QueueConsumer.commitOf(options));
        return start(name, tailer, typedOrClosed(tailer, codec).handlerOf(handler), options);
    }

    private QueueConsumer start(String name, Tailer tailer, MessageHandler handler, ConsumerOptions options) {
        QueueConsumer consumer = new QueueConsumer(log.directory(), name, tailer, handler, options, consumers::remove);
        consumers.add(consumer);
        consumer.start();
        return consumer;
    }

    /**
     * Returns an object whose method calls become messages like any other. Threads may share it. The methods of the interface
     * return nothing. Default methods run as they are. If the interface extends {@link AutoCloseable}, {@code close} closes the
     * object's appender.
     *
     * @throws IllegalArgumentException if a method returns something, or takes a parameter that has no form in
     *     messages; or if the interface is in another named module, which needs a lookup
     */
    public <T> T methodWriter(Class<T> type) {
        return methodWriter(type, Lookups.of(type));
    }

    /** Returns an object whose method calls become messages, for an interface in the lookup's package. */
    public <T> T methodWriter(Class<T> type, Lookup lookup) {
        Appender appender = appender();
        try {
            return MethodWriters.make(type, lookup, appender, schemas);
        } catch (RuntimeException | Error e) {
            appender.close(); // the caller has no reference to it
            throw e;
        }
    }

    /** Returns a reader, before the oldest message, that repeats the calls of method writers on a handler. */
    public <T> MethodReader methodReader(Class<T> type, T handler) {
        Lookup lookup = Lookups.of(type);
        Tailer tailer = tailer();
        try {
            return methodReader(tailer, type, handler, lookup);
        } catch (RuntimeException | Error e) {
            tailer.close(); // the caller has no reference to it
            throw e;
        }
    }

    /**
     * Returns a reader that starts at the position of a tailer of this queue, for an interface that the lookup can access.
     *
     * @throws IllegalArgumentException if the tailer is of another queue
     */
    public <T> MethodReader methodReader(Tailer tailer, Class<T> type, T handler, Lookup lookup) {
        tailer.requireOf(log.directory());
        return new MethodReader(tailer, schemas, type, handler, lookup);
    }

    /**
     * Returns a codec that is bound to this queue, for one thread that reads messages with it in its own handler.
     * {@link #appender(Codec)} binds a codec that stores its schemas.
     */
    public <T> Codec<T> bind(Codec<T> codec) {
        return BoundCodec.bind(codec, schemas, false);
    }

    /** Returns every schema with which messages of this queue were ever written, by its number. */
    public Map<Integer, Schema> schemas() {
        return schemas.all();
    }

    Schemas schemaFiles() {
        return schemas;
    }

    /** Returns the folder in which the queue's codecs store their schemas. */
    public CodecFolder codecFolder() {
        return folder;
    }

    /**
     * Makes every message durable that any process appended before the call. Returns the durable position. See
     * {@link Log#sync()}.
     */
    public long sync() {
        return log.sync();
    }

    /** Returns the directory of the queue. */
    public Path directory() {
        return log.directory();
    }

    /** Returns the position of the oldest message. */
    public long firstPosition() {
        return log.firstPosition();
    }

    /** Returns the position after every message claimed so far. */
    public long endPosition() {
        return log.endPosition();
    }

    /** Returns the position up to which the queue is durable, by a sync of any process. */
    public long durablePosition() {
        return log.durablePosition();
    }

    /**
     * Prepares {@code bytes} bytes of space ahead of the tail before it returns: appends find it linked and present.
     *
     * @param bytes 0 to 64 GiB
     */
    public void prepare(long bytes) {
        log.prepare(bytes);
    }

    /**
     * Drops the whole segments that hold only messages before a position; see {@link Log#dropBefore}.
     *
     * @return how many segments were dropped
     * @throws IllegalArgumentException if the position is negative, or lies behind {@link #endPosition}
     */
    public int dropBefore(long position) {
        return log.dropBefore(position);
    }

    /** Returns the random identifier that the queue was given at creation. */
    public UUID identity() {
        return log.identity();
    }

    /**
     * Returns the queue's identity, options, positions, size and number of messages. The number comes from sequences, so the
     * call walks over at most 1 MiB.
     */
    public QueueInfo info() {
        return QueueInfo.of(log.info(), messages());
    }

    /**
     * Returns the number of messages. Empty if damage hides it, since an examination of damage needs the rest of {@link #info}.
     */
    private OptionalLong messages() {
        return behind(unlessHidden(() -> sequenceFrom(log.firstPosition())), unlessHidden(log::committedRecords));
    }

    /** Reads every message and reports damage. */
    public VerifyReport verify() {
        return log.verify();
    }

    /**
     * Reads every message and reports damage.
     *
     * @param progress called after each segment
     */
    public VerifyReport verify(WorkProgress progress) {
        return log.verify(progress);
    }

    /** Returns the counts of the work of all processes with this queue since it was created. */
    public Map<LogCounter, Long> counters() {
        return log.counters();
    }

    /**
     * Closes the queue, its consumers, appenders and tailers. It waits for running handlers, and syncs unless the policy is
     * none. If this JVM has the queue open elsewhere, its appenders and tailers stay open. Close them first.
     *
     * @throws IllegalStateException if a handler of this queue calls this; nothing has changed then
     */
    @Override
    public void close() {
        consumers.forEach(QueueConsumer::requireOutside);
        ClosableLog.require(log);
        ClosingSteps closing = new ClosingSteps();
        consumers.forEach(consumer -> closing.take("consumer", consumer::close));
        closing.take("log", log::close);
        forgetShared();
        closing.end();
    }
}
