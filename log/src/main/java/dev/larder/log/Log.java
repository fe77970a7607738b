package dev.larder.log;

import dev.larder.log.context.LogSession;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.open.OpenLogs;
import dev.larder.log.open.Opening;
import dev.larder.log.open.Verification;
import dev.larder.log.retain.Dropping;
import dev.larder.log.retain.HeldBookmark;
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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A segmented, append-only log of records in a directory, mapped into memory. Any number of processes of one host
 * append to it and read it at the same time. {@code docs/formats/log.md} describes its bytes.
 *
 * <p>When an append returns, every process on this host sees the record, and it survives the death of the process. When
 * {@link #sync()} returns, every record before the returned position survives the death of the machine.
 *
 * <p>A {@link Position} names a record. Positions grow in the order of the records.
 *
 * <p>Thread-safe. Errors are {@link LarderException}s, each of its own kind.
 */
public final class Log implements AutoCloseable {

    final LogSession session;
    private final OpenLogs.Shared shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Log(OpenLogs.Shared shared) {
        this.session = shared.session;
        this.shared = shared;
    }

    /** Opens the log in a directory with the default options, and creates it if it is missing. */
    public static Log open(Path directory) {
        return open(directory, LogOptions.defaults());
    }

    /**
     * Opens the log in a directory. It creates a missing log, unless it opens read-only. A second opening in one JVM
     * with the same options shares the first. If the files were removed since, it opens the log that is there now.
     *
     * @throws LogMismatchException if the log was created, or is open in this JVM, with other options
     * @throws LogBusyException if another process holds the gate for 30 s, or another copy of this library in this JVM
     *     has the log open
     * @throws dev.larder.memory.CorruptException if bytes that were synced are damaged
     * @throws dev.larder.memory.DiskFullException if there is no room for the first segment
     * @throws dev.larder.memory.UnsupportedFileSystemException on a network, FUSE or 9p mount, unless the options allow
     *     it, and on a file system without hard links
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

    /** Returns the directory of the log. */
    public Path directory() {
        return session.directory;
    }

    /**
     * Returns a new appender. The caller closes it.
     *
     * @throws LogMismatchException if the log belongs to a map, which alone appends to it
     */
    public LogAppender appender() {
        return LogAppender.open(taking());
    }

    /**
     * Returns a new appender that the calling thread alone may use, which makes its appends faster. Any thread may close it.
     *
     * @throws LogMismatchException if the log belongs to a map, which alone appends to it
     */
    public LogAppender confinedAppender() {
        return LogAppender.openConfined(taking());
    }

    private LogSession taking() {
        if (session().control.isLinked()) {
            throw new LogMismatchException(session.directory
                    + ": the log belongs to a map, and only the map appends to it; others may read it");
        }
        return session;
    }

    /**
     * Closes an appender or a reader of this log after {@code handle}, the only object that uses it, was collected
     * without having closed it. While the part is in use, {@code handle} must be reachable
     * ({@link java.lang.ref.Reference#reachabilityFence}).
     */
    public void closeWhenCollected(Object handle, AutoCloseable part) {
        session().traffic.forgotten.watch(handle, part);
    }

    /** Returns a new reader that starts at the oldest record. */
    public LogReader reader() {
        return reader(WaitStrategy.futex());
    }

    /** Returns a new reader that starts at the oldest record, with a wait strategy of its own. */
    public LogReader reader(WaitStrategy strategy) {
        return session().faults.looking(() -> LogReader.open(session, strategy));
    }

    /**
     * Returns a new reader that starts at a position that an append or a reader returned. The errors are those of
     * {@link LogReader#moveTo}.
     */
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
     * Makes every record durable that was appended before the call, by any process. Returns the durable position: every
     * record before it survives the death of the machine, and so does every bookmark at its current position.
     * Concurrent callers share one flush.
     *
     * @throws LogFailedException if a flush of this log has failed, in this call or earlier; it promises nothing more
     * @throws LogBusyException if a live process has not committed a claimed record for 30 s
     * @throws InterruptedWaitException if the thread is interrupted while it waits for another
     */
    public long sync() {
        return session().syncAll();
    }

    /** Returns the position up to which a sync of any process has made the log durable. */
    public long durablePosition() {
        return looking(session::durablePosition);
    }

    /** Returns the position of the oldest record. */
    public long firstPosition() {
        return session().during(session::firstPosition);
    }

    /** Returns the position after every record claimed so far. */
    public long endPosition() {
        return session().during(session::endPosition);
    }

    /**
     * Prepares {@code bytes} bytes of space ahead of the tail before it returns. Appends then find the space linked and
     * present.
     *
     * @param bytes 0 to 64 GiB
     * @throws ClosedException if the log is closed meanwhile; the prepared space stays
     */
    public void prepare(long bytes) {
        session().writing();
        LogLayout.checkPrepared(bytes);
        boolean more = bytes > 0;
        while (more) {
            more = session().during(() -> session.preparation.step(bytes));
        }
    }

    /**
     * Drops the segments that end before a position, durably, whatever the retention is. A segment stays if a bookmark
     * stands in it or before it, and the last segment always stays. A reader whose position was dropped gets a
     * {@link FellBehindException}.
     *
     * <p>A file that cannot be deleted does not stop the drop of later segments. The first such error is thrown at the end. A
     * later opening deletes the file.
     *
     * @return how many segments were dropped
     * @throws IllegalArgumentException if the position is negative, or lies behind {@link #endPosition}
     * @throws LogMismatchException if the log belongs to a map, which alone decides what is dropped
     * @throws ClosedException if the log is closed meanwhile; the segments dropped so far are gone
     */
    public int dropBefore(long position) {
        return session().during(() -> dropAllBefore(position));
    }

    private int dropAllBefore(long position) {
        Dropping dropping = session.writing().dropping();
        if (session.control.isLinked()) {
            throw new LogMismatchException(
                    session.directory + ": the log belongs to a map, and only the map drops its records");
        }
        session.failure.check();
        requireWithin(position);
        ClosingSteps freeing = new ClosingSteps();
        int dropped = 0;
        int number = Position.segment(session.firstPosition());
        while (number < Position.segment(position) && dropping.dropFirst(number)) {
            int gone = number;
            freeing.take("file", () -> dropping.freeDropped(gone));
            dropped++;
            number++;
            if (number < Position.segment(position)) {
                session.checkOpen();
            }
        }
        freeing.end();
        return dropped;
    }

    private void requireWithin(long position) {
        long end = session.endPosition();
        if (position < 0 || position > end) {
            throw new IllegalArgumentException(session.directory + ": cannot drop before position "
                    + Position.toString(position) + "; the log ends at " + Position.toString(end));
        }
    }

    /**
     * Takes the bookmark of a name, and creates it if there is none. No other owner can take it until it is closed, or
     * this process has died.
     *
     * @param name 1 to 128 bytes of UTF-8; a log has at most 1024 names
     * @throws BookmarkHeldException if a live process holds it, this one included
     * @throws LogBusyException if all names are taken
     */
    public Bookmark bookmark(String name) {
        return looking(() -> bookmarkOf(session.bookmarks.take(name)));
    }

    private static Bookmark bookmarkOf(HeldBookmark held) {
        try {
            return new Bookmark(held);
        } catch (Error e) { // the heap may be full
            held.close();
            throw e;
        }
    }

    /** Drops the bookmark of a name; returns false if there is none. The errors are those of {@link #bookmark}. */
    public boolean dropBookmark(String name) {
        return looking(() -> session.bookmarks.drop(name));
    }

    /** Returns all bookmarks, ordered by name. */
    public List<BookmarkInfo> bookmarks() {
        return looking(session.bookmarks::list);
    }

    /**
     * Returns the number of committed records between two positions: with the record at the first, without that at the second.
     *
     * @throws IllegalArgumentException if the first position is after the second, or no record begins at either
     * @throws GoneException if either was dropped
     */
    public long count(long from, long to) {
        if (from > to) {
            throw new IllegalArgumentException(session.directory + ": the first position, " + Position.toString(from)
                    + ", lies after the second, " + Position.toString(to));
        }
        try (LogReader reader = reader()) {
            reader.moveTo(to);
            long end = reader.sequence();
            reader.moveTo(from);
            return end - reader.sequence();
        }
    }

    /**
     * Returns the number of records committed since the log began, up to the first record that is still being written. Does
     * not wait for its writer.
     */
    public long committedRecords() {
        try (LogReader reader = reader()) {
            return reader.committedRecords();
        }
    }

    /**
     * Returns the bytes of the log between two positions, with record words, padding and the unused ends of segments. Dropped
     * segments count as 0 bytes. Returns 0 if the second position does not come after the first.
     *
     * @throws IllegalArgumentException if a position is negative, or lies in a segment behind the log's end
     */
    public long bytesBetween(long from, long to) {
        return looking(() -> session.bytesBetween(from, to));
    }

    /** Returns the random identifier that the log was given at creation. */
    public UUID identity() {
        return looking(session.control::identity);
    }

    /** Returns the log's identity, options, positions and size. */
    public LogInfo info() {
        return looking(this::describe);
    }

    private LogInfo describe() {
        ControlFile control = session.control;
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

    /** Reads every record and reports damage. */
    public VerifyReport verify() {
        return verify((done, total) -> {});
    }

    /**
     * Reads every record and reports damage.
     *
     * @param progress is called after each segment
     * @throws ClosedException if the log is closed meanwhile
     */
    public VerifyReport verify(WorkProgress progress) {
        return looking(() -> new Verification(session, (done, total) -> {
                    progress.onProgress(done, total);
                    if (done < total) {
                        session.checkOpen();
                    }
                })
                .run());
    }

    /**
     * Returns the counts of the work of all processes with this log since it was created. They are updated ten times a
     * second.
     */
    public Map<LogCounter, Long> counters() {
        return session().during(session.counters::values);
    }

    /** Returns the counters of the log in a directory, which need not be open. */
    public static Map<LogCounter, Long> readCounters(Path directory) {
        return CountersFile.read(directory);
    }

    /** Returns the lowest position that the bookmarks keep from being dropped, for the dropper. */
    Holds holds(long longestAbsenceMillis) {
        return session().bookmarks.holds(longestAbsenceMillis);
    }

    /** Makes a call that reads the words that all processes share; a closing waits for it. */
    private <T> T looking(Supplier<T> call) {
        return session().during(() -> session.faults.looking(call));
    }

    private LogSession session() {
        if (closed.get()) {
            throw new ClosedException(session.directory + ": the log was closed");
        }
        return session;
    }

    /** Fails where {@link #close} would be refused. */
    void requireClosable() {
        if (!closed.get()) {
            OpenLogs.requireReleasable(shared);
        }
    }

    /**
     * Closes the log, its appenders and its readers, and waits for running handlers and calls. It syncs, unless the policy is
     * none and the boot and the mount are known. If the log was opened several times in this JVM, only the last close
     * does this.
     *
     * @throws IllegalStateException if called inside a handler, a writer or a call of this log; nothing has changed then
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
