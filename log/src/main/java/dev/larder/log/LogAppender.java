package dev.larder.log;

import dev.larder.log.append.BatchAppender;
import dev.larder.log.append.RecordAppender;
import dev.larder.log.context.LogSession;
import java.lang.foreign.MemorySegment;

/**
 * Appends records to a log. Threads may share an appender and take turns, or have one each and copy side by side.
 *
 * <p>When an append returns, every process of this host sees the record, and it survives the death of this process. If an
 * error of the JVM ends an append, a stack overflow for instance, it leaves nothing claimed; whether the record was appended is
 * not known then.
 *
 * <p>Allocates nothing per record.
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

    /** Appends bytes; returns the record's position. The errors are those of {@link #append(MemorySegment, long, long)}. */
    public long append(byte[] source) {
        return appender.append(source, 0, source.length);
    }

    /** Appends a range of an array; returns the record's position. */
    public long append(byte[] source, int offset, int length) {
        return appender.append(source, offset, length);
    }

    /**
     * Appends a range of memory as one record and returns its position.
     *
     * @throws RecordTooLargeException when the range is longer than a record may be; nothing was claimed
     * @throws dev.larder.memory.DiskFullException when the next segment finds no room; nothing was claimed
     * @throws LogFailedException when the log has failed, or fails now
     * @throws dev.larder.memory.ClosedException when this appender was closed
     */
    public long append(MemorySegment source, long offset, long length) {
        return appender.append(source, offset, length);
    }

    /**
     * Appends a record that is written in place, without a copy, and returns its position. If the writer throws, the claimed
     * place becomes padding and the error goes on to the caller.
     */
    public long append(int length, RecordWriter writer) {
        return appender.append(length, writer);
    }

    /** Returns an appender of many records at once, which shares this one's place in the log. */
    public RecordBatch batch() {
        return new RecordBatch(new BatchAppender(appender, session));
    }

    /** Returns what does the work. */
    RecordAppender core() {
        return appender;
    }

    /** Closes the appender; waits for a thread that is appending. What was appended stays. */
    @Override
    public void close() {
        appender.close();
    }

    @Override
    public String toString() {
        return appender.toString();
    }
}
