package dev.larder.lab.queue;

import dev.larder.lab.result.ByteSize;
import dev.larder.lab.result.Figures;
import dev.larder.log.IntegrityMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the queue experiment is to do.
 *
 * @param messageBytes of each message, a multiple of 8 from 16 to 1 MiB
 * @param append how messages are appended
 * @param state of the space that bursts are written into; recycled: a queue that keeps a twentieth of what it is given
 * @param burstBytes of the messages of one burst, at least one message
 * @param totalBytes of the messages of one queue, at least one burst
 * @param memoryLimitBytes that each child under test lives under; null for no limit
 * @param warmUpBytes written, read and deleted first
 * @param pause after each burst (--wait); while it lasts, the queue prepares space for one burst
 * @param queues how many fresh queues are filled, one after the other
 * @param integrity null for the queue's default
 * @param segmentBytes the largest segment; null for the queue's default
 * @param earlyWriteback whether write-back is started behind the writer
 * @param placement of memory on the nodes of the machine; null as the system does
 * @param rival that runs beside, or null
 * @param patternBytes how many bytes of each message are drawn at random, a multiple of 8; the others repeat them
 * @param rehearsal whether the data goes to a file system that compresses, mounted for the run
 * @param directory that the data goes to; null for the result folder
 * @param seed of the messages
 * @param keep whether the data stays
 */
public record QueueOptions(
        int messageBytes,
        AppendMode append,
        SegmentState state,
        long burstBytes,
        long totalBytes,
        @Nullable Long memoryLimitBytes,
        long warmUpBytes,
        Duration pause,
        int queues,
        @Nullable IntegrityMode integrity,
        @Nullable Long segmentBytes,
        boolean earlyWriteback,
        @Nullable NumaPlacement placement,
        @Nullable String rival,
        int patternBytes,
        boolean rehearsal,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    private static final long RECORD_HEADER_BYTES = 8;
    private static final int TIMES_KEPT = 20;
    private static final int KEPT_MIN_BURSTS = 4;
    private static final long MEMORY_LIMIT_MIN_BYTES = 192L << 20; // the JVM itself needs that much

    /** Checks the ranges; the text names the option, the value and the range. */
    public QueueOptions {
        check(
                messageBytes >= 16 && messageBytes <= 1 << 20 && messageBytes % 8 == 0,
                "--message " + messageBytes + " is not a multiple of 8 from 16 B to 1 MiB");
        check(burstBytes >= messageBytes, "--burst " + ByteSize.format(burstBytes) + " is less than one message");
        check(
                totalBytes >= burstBytes,
                "--total " + ByteSize.format(totalBytes) + " is less than one burst of " + ByteSize.format(burstBytes));
        check(
                memoryLimitBytes == null || memoryLimitBytes >= MEMORY_LIMIT_MIN_BYTES,
                "--memory-limit " + memoryLimitBytes + " is below what the JVM itself needs: "
                        + ByteSize.format(MEMORY_LIMIT_MIN_BYTES));
        check(warmUpBytes >= 0, "--warm-up " + warmUpBytes + " is negative");
        check(queues >= 1 && queues <= 100, "--queues " + queues + " is not from 1 to 100");
        check(
                !pause.isNegative() && pause.compareTo(Duration.ofHours(1)) <= 0,
                "--wait " + pause + " is not from 0 to 1 h");
        check(rival == null || rival.equals("chronicle"), "--rival " + rival + " is not known (chronicle)");
        check(
                patternBytes >= 8 && patternBytes <= messageBytes && patternBytes % 8 == 0,
                "--pattern " + patternBytes + " is not a multiple of 8 from 8 B to --message");
        check(rival == null || patternBytes == messageBytes, "--pattern is not for rivals: they draw every byte");
        check(
                !rehearsal || state != SegmentState.RECYCLED,
                "--rehearsal with --state recycled: where files are compressed none is used again");
        check(!rehearsal || !keep, "--rehearsal with --keep: the file system goes with its data");
        check(
                state != SegmentState.RECYCLED || totalBytes / TIMES_KEPT >= KEPT_MIN_BURSTS * burstBytes,
                "--state recycled keeps a twentieth of --total, and that must be " + KEPT_MIN_BURSTS
                        + " bursts at least: " + ByteSize.format(totalBytes) + " and "
                        + ByteSize.format(burstBytes) + " are given");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the messages of one burst. */
    public long messagesPerBurst() {
        return burstBytes / messageBytes;
    }

    /** Returns the bursts of one queue. */
    public int burstsPerQueue() {
        return Math.toIntExact(totalBytes / burstBytes);
    }

    /** Returns the bytes of the records of one burst. */
    public long burstBytesOnDisk() {
        return messagesPerBurst() * (messageBytes + RECORD_HEADER_BYTES);
    }

    /** Returns what the queue keeps, so that files of dropped segments are written again; null: everything. */
    public @Nullable Long keptBytes() {
        return state == SegmentState.RECYCLED ? Long.valueOf(totalBytes / TIMES_KEPT) : null;
    }

    /** Returns the bytes of the records of one queue. */
    public long queueBytesOnDisk() {
        return burstsPerQueue() * burstBytesOnDisk();
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return new Figures()
                .put("message_bytes", messageBytes)
                .put("append", append)
                .put("state", state)
                .put("burst_bytes", burstBytes)
                .put("total_bytes", totalBytes)
                .put("memory_limit_bytes", memoryLimitBytes)
                .put("warm_up_bytes", warmUpBytes)
                .put("wait_ms", pause.toMillis())
                .put("queues", queues)
                .put(
                        "integrity",
                        integrity == null ? "default" : integrity.name().toLowerCase(Locale.ROOT))
                .put("segment_bytes", segmentBytes)
                .put("early_writeback", earlyWriteback)
                .put("placement", placement == null ? "default" : placement)
                .put("rival", rival)
                .put("pattern_bytes", patternBytes)
                .put("rehearsal", rehearsal)
                .put("keep", keep);
    }
}
