package dev.larder.lab.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.log.IntegrityMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the queue experiment is to do.
 *
 * @param messages that are appended
 * @param bursts in which they are appended and read
 * @param segments of the queue
 * @param place where the data goes, and what a child under test may use there
 * @param rival that runs beside, or null
 * @param seed of the messages
 * @param keep whether the data stays
 */
public record QueueOptions(
        Messages messages,
        Bursts bursts,
        Segments segments,
        Place place,
        @Nullable String rival,
        long seed,
        boolean keep) {

    private static final long RECORD_HEADER_BYTES = 8;
    private static final int TIMES_KEPT = 20;
    private static final int KEPT_MIN_BURSTS = 4;
    private static final long MEMORY_LIMIT_MIN_BYTES = 192L << 20; // the JVM itself needs that much

    /** Checks what goes together; the text names the option, the value and the range, as those of the parts do. */
    public QueueOptions {
        check(
                bursts.bytes() >= messages.bytes(),
                "--burst " + ByteSize.format(bursts.bytes()) + " is less than one message");
        check(rival == null || rival.equals("chronicle"), "--rival " + rival + " is not known (chronicle)");
        check(
                rival == null || messages.patternBytes() == messages.bytes(),
                "--pattern is not for rivals: they draw every byte");
        boolean recycled = segments.state() == SegmentState.RECYCLED;
        check(
                !place.rehearsal() || !recycled,
                "--rehearsal with --state recycled: where files are compressed none is used again");
        check(!place.rehearsal() || !keep, "--rehearsal with --keep: the file system goes with its data");
        check(
                !recycled || bursts.totalBytes() / TIMES_KEPT >= KEPT_MIN_BURSTS * bursts.bytes(),
                "--state recycled keeps a twentieth of --total, and that must be " + KEPT_MIN_BURSTS
                        + " bursts at least: " + ByteSize.format(bursts.totalBytes()) + " and "
                        + ByteSize.format(bursts.bytes()) + " are given");
    }

    /**
     * What is appended.
     *
     * @param bytes of each message, a multiple of 8 from 16 to 1 MiB
     * @param patternBytes how many of them are drawn at random, a multiple of 8; the others repeat them
     * @param append how messages are appended
     */
    public record Messages(int bytes, int patternBytes, AppendMode append) {

        /** Checks the ranges. */
        public Messages {
            check(
                    bytes >= 16 && bytes <= 1 << 20 && bytes % 8 == 0,
                    "--message " + bytes + " is not a multiple of 8 from 16 B to 1 MiB");
            check(
                    patternBytes >= 8 && patternBytes <= bytes && patternBytes % 8 == 0,
                    "--pattern " + patternBytes + " is not a multiple of 8 from 8 B to --message");
        }
    }

    /**
     * How much is appended, and when.
     *
     * @param bytes of the messages of one burst, at least one message
     * @param totalBytes of the messages of one queue, at least one burst
     * @param warmUpBytes written, read and deleted first
     * @param pause after each burst (--wait); while it lasts, the queue prepares space for one burst
     * @param queues how many fresh queues are filled, one after the other
     */
    public record Bursts(long bytes, long totalBytes, long warmUpBytes, Duration pause, int queues) {

        /** Checks the ranges. */
        public Bursts {
            check(
                    totalBytes >= bytes,
                    "--total " + ByteSize.format(totalBytes) + " is less than one burst of " + ByteSize.format(bytes));
            check(warmUpBytes >= 0, "--warm-up " + warmUpBytes + " is negative");
            check(
                    !pause.isNegative() && pause.compareTo(Duration.ofHours(1)) <= 0,
                    "--wait " + pause + " is not from 0 to 1 h");
            check(queues >= 1 && queues <= 100, "--queues " + queues + " is not from 1 to 100");
        }

        /** Returns the bursts of one queue. */
        public int perQueue() {
            return Math.toIntExact(totalBytes / bytes);
        }
    }

    /**
     * What the queue lies in.
     *
     * @param state of the space that bursts are written into; recycled: a queue that keeps a twentieth of what it is given
     * @param integrity null for the queue's default
     * @param bytes of the largest segment; null for the queue's default
     * @param earlyWriteback whether write-back is started behind the writer
     */
    public record Segments(
            SegmentState state,
            @Nullable IntegrityMode integrity,
            @Nullable Long bytes,
            boolean earlyWriteback) {}

    /**
     * Where it happens.
     *
     * @param directory that the data goes to; null for the result folder
     * @param rehearsal whether the data goes to a file system that compresses, mounted for the run
     * @param memoryLimitBytes that each child under test lives under; null for no limit
     * @param placement of memory on the nodes of the machine; null as the system does
     */
    public record Place(
            @Nullable Path directory,
            boolean rehearsal,
            @Nullable Long memoryLimitBytes,
            @Nullable NumaPlacement placement) {

        /** Checks the range. */
        public Place {
            check(
                    memoryLimitBytes == null || memoryLimitBytes >= MEMORY_LIMIT_MIN_BYTES,
                    "--memory-limit " + memoryLimitBytes + " is below what the JVM itself needs: "
                            + ByteSize.format(MEMORY_LIMIT_MIN_BYTES));
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the messages of one burst. */
    public long messagesPerBurst() {
        return bursts.bytes() / messages.bytes();
    }

    /** Returns the bytes of the records of one burst. */
    public long burstBytesOnDisk() {
        return messagesPerBurst() * (messages.bytes() + RECORD_HEADER_BYTES);
    }

    /** Returns what the queue keeps, so that files of dropped segments are written again; null: everything. */
    public @Nullable Long keptBytes() {
        return segments.state() == SegmentState.RECYCLED ? Long.valueOf(bursts.totalBytes() / TIMES_KEPT) : null;
    }

    /** Returns the bytes of the records of one queue. */
    public long queueBytesOnDisk() {
        return bursts.perQueue() * burstBytesOnDisk();
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return new Figures()
                .put("message_bytes", messages.bytes())
                .put("append", messages.append())
                .put("state", segments.state())
                .put("burst_bytes", bursts.bytes())
                .put("total_bytes", bursts.totalBytes())
                .put("memory_limit_bytes", place.memoryLimitBytes())
                .put("warm_up_bytes", bursts.warmUpBytes())
                .put("wait_ms", bursts.pause().toMillis())
                .put("queues", bursts.queues())
                .put(
                        "integrity",
                        segments.integrity() == null
                                ? "default"
                                : segments.integrity().name().toLowerCase(Locale.ROOT))
                .put("segment_bytes", segments.bytes())
                .put("early_writeback", segments.earlyWriteback())
                .put("placement", place.placement() == null ? "default" : place.placement())
                .put("rival", rival)
                .put("pattern_bytes", messages.patternBytes())
                .put("rehearsal", place.rehearsal())
                .put("keep", keep);
    }
}
