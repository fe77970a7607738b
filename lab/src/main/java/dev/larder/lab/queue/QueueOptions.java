package dev.larder.lab.queue;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import dev.larder.log.IntegrityMode;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The options of the queue experiment. */
public record QueueOptions(
        Messages messages,
        Bursts bursts,
        Segments segments,
        Place place,

        @Setting("--rival NAME Another library to run too: chronicle") @Nullable
        String rival,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {

    private static final long RECORD_HEADER_BYTES = 8;
    private static final int TIMES_KEPT = 20;
    private static final int KEPT_MIN_BURSTS = 4;

    /** Checks combinations; an error names the option, the value and the range, as in the parts. */
    public QueueOptions {
        Require.that(
                bursts.burstBytes() >= messages.messageBytes(),
                "--burst " + ByteSize.format(bursts.burstBytes()) + " is less than one message");
        Require.that(rival == null || rival.equals("chronicle"), "--rival " + rival + " is not known (chronicle)");
        Require.that(
                rival == null || messages.patternBytes() == messages.messageBytes(),
                "--pattern excludes --rival: rivals draw every byte at random");
        boolean recycled = segments.state() == SegmentState.RECYCLED;
        Require.that(
                !place.rehearsal() || !recycled,
                "--rehearsal excludes --state recycled: on a compressing file system the queue reuses no file");
        Require.that(
                !place.rehearsal() || !keep,
                "--rehearsal excludes --keep: the lab deletes the file system with its data");
        Require.that(
                !recycled || bursts.totalBytes() / TIMES_KEPT >= KEPT_MIN_BURSTS * bursts.burstBytes(),
                "--state recycled keeps a twentieth of --total, which must be at least " + KEPT_MIN_BURSTS
                        + " bursts: --total is " + ByteSize.format(bursts.totalBytes()) + ", --burst "
                        + ByteSize.format(bursts.burstBytes()));
    }

    /** The messages. */
    public record Messages(
            @Setting("--message SIZE=1KiB [16B..1MiB x 8B] The size of a message")
            int messageBytes,

            @Setting("--pattern SIZE=--message [8B..1MiB x 8B] {--rehearsal: 64B} This many bytes of"
                    + " each message are random, and the rest repeats them (all; --rehearsal: 64B)")
            int patternBytes,

            @Setting("--append NAME=single How messages are appended: single, batch, both")
            AppendMode append) {

        /** Checks the ranges. */
        public Messages {
            Require.that(
                    patternBytes <= messageBytes, "--pattern " + patternBytes + " is above --message " + messageBytes);
        }
    }

    /** The amount and pace of appends. */
    public record Bursts(
            @Setting("--burst SIZE=128MiB|32MiB [16B..] The bytes of one burst")
            long burstBytes,

            @Setting("--total SIZE=16x--memory-limit {--quick --memory-limit=none: 1GiB; --memory-limit=none: 16GiB}"
                    + " The bytes of one queue (16 x the memory limit)")
            long totalBytes,

            @Setting("--warm-up SIZE=2GiB|256MiB [0B..] Bytes to write, read and delete first")
            long warmUpBytes,

            @Setting("--wait TIME=0s [0s..1h] Idle time after each burst")
            Duration pause,

            @Setting("--queues COUNT=1 [1..100] The number of new queues, one after another")
            int queues) {

        private static final long MOST = 10_000_000;

        /** Checks the ranges. */
        public Bursts {
            Require.that(
                    totalBytes >= burstBytes,
                    "--total " + ByteSize.format(totalBytes) + " is less than one burst of "
                            + ByteSize.format(burstBytes));
            Require.that(
                    totalBytes / burstBytes <= MOST,
                    "--total " + ByteSize.format(totalBytes) + " is " + totalBytes / burstBytes + " bursts of "
                            + ByteSize.format(burstBytes) + ": the most is " + MOST);
        }

        /** Returns the bursts of one queue. */
        public int perQueue() {
            return Math.toIntExact(totalBytes / burstBytes);
        }
    }

    /** The queue's segments. */
    public record Segments(
            @Setting("--state NAME=fresh The space that the queue writes into: fresh; prepared;"
                    + " recycled, where the queue keeps a twentieth")
            SegmentState state,

            @Setting("--integrity NAME The integrity mode of the queue (the queue's default)") @Nullable
            IntegrityMode integrity,

            @Setting("--segment SIZE The largest segment (the queue's default)") @Nullable
            Long segmentBytes,

            @Setting("--no-early-writeback Do not start write-back behind the writer")
            boolean earlyWriteback) {}

    /** Place and limits. */
    public record Place(
            @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
            Path directory,

            @Setting("--rehearsal Rehearse a size for which the disk has no room, on a compressing file"
                    + " system (btrfs with forced zstd, in a sparse file of 1 TiB). It is mounted for the"
                    + " run. Needs root and mkfs.btrfs")
            boolean rehearsal,

            @Setting("--memory-limit SIZE=1GiB|256MiB [192MiB..] The memory limit of the child process," + " or none")
            @Nullable
            Long memoryLimitBytes,

            @Setting("--numa NAME On a machine of several memory nodes, where the child's memory and the"
                    + " queue's pages lie: interleave or local (as the system decides)")
            @Nullable
            NumaPlacement placement) {}

    /** Returns the messages of one burst. */
    public long messagesPerBurst() {
        return bursts.burstBytes() / messages.messageBytes();
    }

    /** Returns the bytes of the records of one burst. */
    public long burstBytesOnDisk() {
        return messagesPerBurst() * (messages.messageBytes() + RECORD_HEADER_BYTES);
    }

    /** Returns what the queue retains, so that files of dropped segments are reused; null: everything. */
    public @Nullable Long keptBytes() {
        return segments.state() == SegmentState.RECYCLED ? Long.valueOf(bursts.totalBytes() / TIMES_KEPT) : null;
    }

    /** Returns the bytes of the records of one queue. */
    public long queueBytesOnDisk() {
        return bursts.perQueue() * burstBytesOnDisk();
    }
}
