package dev.larder.log;

import dev.larder.log.context.LogSession;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.open.OpenLogs;
import dev.larder.log.open.Opening;
import dev.larder.log.open.Verification;
import dev.larder.log.retain.Holds;
import dev.larder.log.segment.SegmentFiles;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A segmented, append-only log in a directory, mapped into memory; any number of processes of one host append to it
 * and read it at once. The bytes are described in {@code docs/formats/log.md}.
 *
 * <p><b>What a promise means.</b> When an append returns, every process on this host sees the record, and it survives
 * the death of the process. When {@link #sync()} returns, everything before the position it returns survives the death
 * of the machine.
 *
 * <p>Thread-safe. Errors are {@link LarderException}s, each of a kind of its own.
 */
public final class Log implements AutoCloseable {

    final LogSession session;
    private final OpenLogs.Shared shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Log(OpenLogs.Shared shared) {
        this.session = shared.session;
        this.shared = shared;
    }

    /** Opens the log in a directory with the default options, creating what is missing. */
    public static Log open(Path directory) {
        return open(directory, LogOptions.defaults());
    }

    /**
     * Opens the log in a directory, creating what is missing unless it is opened read-only. Opened twice in a JVM with
     * the same options, it is shared, unless its files were removed meanwhile: then the one that is there now is opened.
     *
     * @throws LogMismatchException when the log was created, or is open in this JVM, with other options
     * @throws LogBusyException when another process holds the gate for 30 s, or another copy of this library in this
     *     JVM has the log open
     * @throws dev.larder.memory.CorruptException when bytes that were synced are damaged
     * @throws dev.larder.memory.DiskFullException when there is no room for the first segment
     * @throws dev.larder.memory.UnsupportedFileSystemException on a network, FUSE or 9p mount, unless allowed, and where
     *     there are no hard links
     */
    public static Log open(Path directory, LogOptions options) {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!options.access().readOnly()) {
            HookedOptions.storage(options)
                    .createDirectories(absolute, options.access().files());
        }
        String identity = HookedOptions.storage(options).identity(absolute);
        return new Log(OpenLogs.acquire(identity, new Opening(absolute, options), options));
    }

    /** Returns the directory. */
    public Path directory() {
        return session.directory;
    }

    /**
     * Returns a new appender.
     *
     * @throws LogMismatchException when the log is a map's: it alone appends
     */
    public LogAppender appender() {
        if (session().control.isLinked()) {
            throw new LogMismatchException(session.directory
                    + ": the log is that of a map, and takes its records alone;" + " others may read it");
        }
        return LogAppender.open(session());
    }

    /**
     * Closes an appender or a reader of this log when another object, through which alone it is used, was collected without
     * having closed it. That object must be reachable as long as the part is in use ({@link
     * java.lang.ref.Reference#reachabilityFence}).
     */
    public void closeWhenCollected(Object handle, AutoCloseable part) {
        session().traffic.forgotten.watch(handle, part);
    }

    /** Returns a new reader that begins at the oldest record. */
    public LogReader reader() {
        return reader(WaitStrategy.futex());
    }

    /** Returns a new reader that begins at the oldest record, and waits in its own way. */
    public LogReader reader(WaitStrategy strategy) {
        return LogReader.open(session(), strategy);
    }

    /** Returns a new reader that begins at a position which an append or a reader has returned. */
    public LogReader reader(long position) {
        LogReader reader = reader();
        try {
            reader.moveTo(position);
            return reader;
        } catch (RuntimeException | Error e) {
            reader.close();
            throw e;
        }
    }

    /**
     * Makes everything durable that was appended before the call, by any process, and returns the durable position:
     * what lies before it survives the death of the machine. Every bookmark survives it too, where it stands now.
     * Concurrent callers share one flush.
     *
     * @throws LogFailedException when a flush of this log has failed, now or earlier: nothing more is promised
     * @throws LogBusyException when a live process that has claimed a record does not commit it for 30 s
     * @throws InterruptedWaitException when interrupted while it waits for another
     */
    public long sync() {
        return session().syncAll();
    }

    /** Returns up to where the log was made durable, by any process. */
    public long durablePosition() {
        return session().durablePosition();
    }

    /** Returns the position of the oldest record. */
    public long firstPosition() {
        return session().firstPosition();
    }

    /** Returns the position that comes after every record claimed so far. */
    public long endPosition() {
        return session().endPosition();
    }

    /** Links and brings in space for so many bytes ahead of the tail, now; appends there find it present. */
    public void prepare(long bytes) {
        session().writing();
        boolean more = bytes > 0;
        while (more) {
            more = session.preparation.step(bytes);
        }
    }

    /**
     * Takes the bookmark of a name, which is made where there is none. Until it is closed, or this process has died, nobody
     * else can.
     *
     * @param name 1 to 128 bytes of UTF-8; a log has at most 1024 of them
     * @throws BookmarkHeldException when a process that lives holds it, this one included
     * @throws LogBusyException when all names are taken
     */
    public Bookmark bookmark(String name) {
        return new Bookmark(session().bookmarks.take(name));
    }

    /** Drops the bookmark of a name; returns false when there is none. The errors are those of {@link #bookmark}. */
    public boolean dropBookmark(String name) {
        return session().bookmarks.drop(name);
    }

    /** Returns all bookmarks, by name. */
    public List<BookmarkInfo> bookmarks() {
        return session().bookmarks.list();
    }

    /**
     * Returns how many records were committed from one position up to, and without, another.
     *
     * @throws IllegalArgumentException when the first position is behind the second
     * @throws GoneException when either was dropped, or is beyond the end
     * @throws dev.larder.memory.CorruptException when no record begins at either
     */
    public long count(long from, long to) {
        if (from > to) {
            throw new IllegalArgumentException(
                    session.directory + ": from " + Position.toString(from) + " is behind " + Position.toString(to));
        }
        try (LogReader reader = reader()) {
            reader.moveTo(to);
            long end = reader.sequence();
            reader.moveTo(from);
            return end - reader.sequence();
        }
    }

    /**
     * Returns how many records were committed since the log began, up to the first that is still being written: waits for
     * nobody.
     */
    public long committedRecords() {
        try (LogReader reader = reader()) {
            return reader.committedRecords();
        }
    }

    /** Returns how many bytes lie from one position to another, words, padding and the unused ends of segments included. */
    public long bytesBetween(long from, long to) {
        return session().bytesBetween(from, to);
    }

    /** Returns what the log is and how it stands. */
    public LogInfo info() {
        ControlFile control = session().control;
        SegmentFiles files = session.segments.files();
        List<Integer> numbers = files.numbers();
        return new LogInfo(
                session.directory,
                control.identity(),
                Instant.ofEpochMilli(control.createdMillis()),
                control.integrity(),
                control.largestSegmentBytes(),
                session.recordMaxBytes(),
                session.firstPosition(),
                session.endPosition(),
                session.durablePosition(),
                numbers.size(),
                numbers.stream().mapToLong(files::sizeBytes).sum());
    }

    /** Reads everything and says what is damaged. */
    public VerifyReport verify() {
        return new Verification(session()).run();
    }

    /** Returns what all processes have done with this log since it was created; counts arrive ten times a second. */
    public Map<LogCounter, Long> counters() {
        return session().counters.values();
    }

    /** Returns the counters of the log in a directory, which need not be open. */
    public static Map<LogCounter, Long> readCounters(Path directory) {
        return CountersFile.read(directory);
    }

    /** Returns what the bookmarks keep from being dropped, for who drops. */
    Holds holds(long longestAbsenceMillis) {
        return session().bookmarks.holds(longestAbsenceMillis);
    }

    private LogSession session() {
        if (closed.get()) {
            throw new ClosedException(session.directory + ": the log was closed");
        }
        return session;
    }

    /**
     * Closes the log, its appenders and its readers, waiting for handlers that are running; syncs unless the policy is
     * none and boot and mount are known. Where the log was opened several times in this JVM, the last close does this.
     *
     * @throws IllegalStateException when called from inside a handler or a writer of this log; nothing has changed then
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            boolean refused = true;
            try {
                OpenLogs.release(shared);
                refused = false;
            } finally {
                closed.set(!refused || !session.isOpen());
            }
        }
    }
}
