package dev.larder.lab.database;

import dev.larder.lab.run.Records;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is done with each message that is read back. One class for all of it: with several in one JVM the compiler could
 * not inline the handler into the reading loop, which it does where a program has one.
 */
final class LarderReader implements MessageHandler {

    private enum Task {
        SCAN,
        INDEX,
        QUERY
    }

    private static final long[] NONE = {};

    private final Task task;
    private final @Nullable RecordScan scan;
    private final @Nullable Tailer tailer;
    private final @Nullable Records records;
    private final long[] positions;
    private int indexed;
    private long wanted;

    private LarderReader(
            Task task,
            @Nullable RecordScan scan,
            @Nullable Tailer tailer,
            @Nullable Records records,
            long[] positions) {
        this.task = task;
        this.scan = scan;
        this.tailer = tailer;
        this.records = records;
        this.positions = positions;
    }

    /** Gives every message to a scan. */
    static LarderReader scanning(RecordScan scan) {
        return new LarderReader(Task.SCAN, scan, null, null, NONE);
    }

    /** Notes the position of every message. */
    static LarderReader indexing(Tailer tailer, long[] positions) {
        return new LarderReader(Task.INDEX, null, tailer, null, positions);
    }

    /** Checks every byte of the message that is wanted. */
    static LarderReader querying(Records records) {
        return new LarderReader(Task.QUERY, null, null, records, NONE);
    }

    /** Says which record the next message must be. */
    void want(long id) {
        wanted = id;
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        switch (task) {
            case SCAN -> Objects.requireNonNull(scan).take(segment, offset, length);
            case INDEX -> positions[indexed++] = Objects.requireNonNull(tailer).position();
            case QUERY -> Objects.requireNonNull(records).checkBytes(wanted, segment, offset, length);
        }
    }
}
