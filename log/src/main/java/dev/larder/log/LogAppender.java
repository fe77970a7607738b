package dev.larder.log;

import dev.larder.log.append.BatchAppender;
import dev.larder.log.append.RecordAppender;
import dev.larder.log.context.LogSession;
import java.lang.foreign.MemorySegment;

/**
 * An appender of records to a log. Threads may share an appender, which serves one at a time, or have one each and copy in
 * parallel. An append allocates nothing.
 *
 * <p>An appender of {@link Log#confinedAppender} is for the thread that made it: its appends are faster, and those of other
 * threads throw a {@link WrongThreadException}. Any thread may close it.
 *
 * <p>When an append returns, every process of this host sees the record, and it survives the death of this process. If an
 * error of the JVM ends an append, for example a stack overflow, no claim is left behind. The caller then does not know
 * whether the record was appended.
 *
 * <p>With policy {@link SyncPolicy#everyAppend}, an error of the sync leaves the record appended. The text names its
 * position. Do not append it again.
 */
public final class LogAppender implements AutoCloseable {

    private final LogSession session;
    private final RecordAppender appender;

    private LogAppender(LogSession session, RecordAppender appender) {
        this.session = session;
        this.appender = appender;
    }

    /** Returns a new appender, which the session closes at its end. */
    static LogAppender open(LogSession session) {
        return new LogAppender(session, RecordAppender.open(session));
    }

    /** Returns a new appender for the calling thread alone, which the session closes at its end. */
    static LogAppender openConfined(LogSession session) {
        return new LogAppender(session, RecordAppender.openConfined(session));
    }

    /**
     * Appends bytes; returns the record's position. The errors are those of {@link #append(MemorySegment, long, long)}.
     */
    public long append(byte[] source) {
        return appender.append(source, 0, source.length);
    }

    /** Appends a range of an array; returns the record's position. */
    public long append(byte[] source, int offset, int length) {
        return appender.append(source, offset, length);
    }

    /**
     * Appends a range of memory as one record; returns its position.
     *
     * @throws RecordTooLargeException if the range is longer than a record may be; nothing was claimed
     * @throws dev.larder.memory.DiskFullException if there is no room for the next segment; nothing was claimed
     * @throws LogFailedException if the log has failed, now or earlier
     * @throws dev.larder.memory.ClosedException if this appender was closed
     * @throws WrongThreadException if this appender is confined to another thread
     */
    public long append(MemorySegment source, long offset, long length) {
        return appender.append(source, offset, length);
    }

    /**
     * Appends a record of {@code length} bytes that a writer fills in place, without a copy; returns its position. If the
     * writer throws, the claim becomes padding and the caller gets the error.
     */
    public long append(int length, RecordWriter writer) {
        return appender.append(length, writer);
    }

    /** Returns a batch that stages many records and appends them together, by this appender. */
    public RecordBatch batch() {
        return new RecordBatch(new BatchAppender(appender, session));
    }

    /** Returns the appender that does the work. */
    RecordAppender core() {
        return appender;
    }

    /** Closes the appender; waits for a thread that is appending. Appended records stay. */
    @Override
    public void close() {
        appender.close();
    }

    @Override
    public String toString() {
        return appender.toString();
    }
}
