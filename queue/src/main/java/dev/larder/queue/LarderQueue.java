package dev.larder.queue;

import dev.larder.log.Log;
import dev.larder.log.LogCounters;
import dev.larder.log.LogInfo;
import dev.larder.log.LogOptions;
import dev.larder.log.VerifyReport;
import dev.larder.log.WaitStrategy;
import java.nio.file.Path;
import java.util.Map;

/**
 * A persisted queue in a directory, mapped into memory and shared by all processes of a host. Any number of them append
 * and read at once; every tailer sees every message, in one order. A queue is not bounded by the heap, nor by the
 * machine's memory.
 *
 * {@snippet :
 * try (LarderQueue queue = LarderQueue.open(directory)) {
 *     queue.appender().append("hello");
 *     queue.tailer().poll((segment, offset, length) -> System.out.println(length + " bytes"));
 * }
 * }
 *
 * <p>{@code append} returns: every process on this host sees the message, and it survives the death of the process.
 * {@link #sync} returns: it survives the death of the machine. Thread-safe.
 */
public final class LarderQueue implements AutoCloseable {

    private final Log log;

    private LarderQueue(Log log) {
        this.log = log;
    }

    /** Opens the queue in a directory with the default options, creating what is missing. */
    public static LarderQueue open(Path directory) {
        return new LarderQueue(Log.open(directory));
    }

    /** Opens the queue in a directory; the errors are those of {@link Log#open(Path, LogOptions)}. */
    public static LarderQueue open(Path directory, LogOptions options) {
        return new LarderQueue(Log.open(directory, options));
    }

    /** Returns a new appender. */
    public Appender appender() {
        return new Appender(log.appender());
    }

    /** Returns a new tailer, before the oldest message; it waits asleep, until a writer wakes it. */
    public Tailer tailer() {
        return tailer(WaitStrategy.futex());
    }

    /** Returns a new tailer, before the oldest message, that waits in its own way. */
    public Tailer tailer(WaitStrategy strategy) {
        return new Tailer(log, strategy);
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
    public Map<LogCounters.Counter, Long> counters() {
        return log.counters();
    }

    /** Closes the queue, its appenders and its tailers, waiting for handlers; syncs unless the policy is none. */
    @Override
    public void close() {
        log.close();
    }
}
