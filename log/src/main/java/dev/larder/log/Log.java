package dev.larder.log;

import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
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
    private final String identity;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Log(LogSession session, String identity) {
        this.session = session;
        this.identity = identity;
    }

    /** Opens the log in a directory with the default options, creating what is missing. */
    public static Log open(Path directory) {
        return open(directory, LogOptions.defaults());
    }

    /**
     * Opens the log in a directory, creating what is missing unless it is opened read-only. Opened twice in a JVM with
     * the same options, it is shared.
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
            options.storage().createDirectories(absolute, options.access().files());
        }
        String identity = options.storage().identity(absolute);
        return new Log(OpenLogs.acquire(identity, new Opening(absolute, options), options), identity);
    }

    /** Returns the directory. */
    public Path directory() {
        return session.directory;
    }

    /** Returns a new appender. */
    public LogAppender appender() {
        return session().appender();
    }

    /** Returns a new reader that begins at the oldest record. */
    public LogReader reader() {
        return reader(WaitStrategy.futex());
    }

    /** Returns a new reader that begins at the oldest record, and waits in its own way. */
    public LogReader reader(WaitStrategy strategy) {
        return session().reader(strategy);
    }

    /** Returns a new reader that begins at a position which an append or a reader has returned. */
    public LogReader reader(long position) {
        LogReader reader = reader();
        reader.moveTo(position);
        return reader;
    }

    /**
     * Makes everything durable that was appended before the call, by any process, and returns the durable position:
     * what lies before it survives the death of the machine. Concurrent callers share one flush.
     *
     * @throws LogFailedException when a flush of this log has failed, now or earlier: nothing more is promised
     * @throws LogBusyException when a live process that has claimed a record does not commit it for 30 s
     * @throws InterruptedWaitException when interrupted while it waits for another
     */
    public long sync() {
        return session().sync(session.endPosition());
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

    /** Returns what the log is and how it stands. */
    public LogInfo info() {
        return LogInfo.of(session());
    }

    /** Reads everything and says what is damaged. */
    public VerifyReport verify() {
        return new Verification(session()).run();
    }

    /** Returns what all processes have done with this log since it was created; counts arrive ten times a second. */
    public Map<LogCounters.Counter, Long> counters() {
        return session().counters.values();
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
                OpenLogs.release(identity, session);
                refused = false;
            } finally {
                closed.set(!refused || !session.isOpen());
            }
        }
    }
}
