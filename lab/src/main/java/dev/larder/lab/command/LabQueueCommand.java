package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ByteSize;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.lab.queue.AppendMode;
import dev.larder.lab.queue.NumaPlacement;
import dev.larder.lab.queue.QueueExperiment;
import dev.larder.lab.queue.QueueOptions;
import dev.larder.lab.queue.SegmentState;
import dev.larder.log.IntegrityMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the claim that a queue many times larger than memory is as fast as a small one. */
@Command(
        name = "queue",
        description = {
            "A queue many times larger than memory writes and reads as fast as a small one.",
            "Writes, syncs, reads back and verifies bursts of messages in a child process whose memory is limited;"
                    + " beside each burst, the machine's own speed is measured."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabQueueCommand implements Callable<Integer> {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final int TIMES_MEMORY = 16;
    private static final long REHEARSAL_PATTERN_BYTES = 64;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--message", paramLabel = "SIZE", description = "The size of a message (1KiB).")
    private ByteCount message = new ByteCount(1024);

    @Option(names = "--append", paramLabel = "WAY", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private AppendMode append = AppendMode.SINGLE;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Of the space written into: fresh, prepared, recycled: the queue keeps a twentieth (fresh).")
    private SegmentState state = SegmentState.FRESH;

    @Option(names = "--burst", paramLabel = "SIZE", description = "The bytes of one burst (128MiB).")
    private @Nullable ByteCount burst;

    @Option(names = "--total", paramLabel = "SIZE", description = "The bytes of one queue (16 x the memory limit).")
    private @Nullable ByteCount total;

    @Option(names = "--memory-limit", paramLabel = "SIZE|none", description = "The memory of the child (1GiB).")
    private @Nullable String memoryLimit;

    @Option(names = "--warm-up", paramLabel = "SIZE", description = "Written, read and deleted first (2GiB).")
    private @Nullable ByteCount warmUp;

    @Option(names = "--wait", paramLabel = "TIME", description = "Idle time after each burst (0s).")
    private Duration pause = Duration.ZERO;

    @Option(
            names = "--queues",
            paramLabel = "COUNT",
            description = "Fresh queues, one after another (${DEFAULT-VALUE}).")
    private int queues = 1;

    @Option(names = "--integrity", paramLabel = "MODE", description = "${COMPLETION-CANDIDATES} (the queue's default).")
    private @Nullable IntegrityMode integrity;

    @Option(names = "--segment", paramLabel = "SIZE", description = "The largest segment (the queue's default).")
    private @Nullable ByteCount segment;

    @Option(names = "--no-early-writeback", description = "Start no write-back behind the writer.")
    private boolean noEarlyWriteback;

    @Option(
            names = "--numa",
            paramLabel = "interleave|local",
            description = "Where the child's memory and the queue's pages lie, on a machine of several memory nodes.")
    private @Nullable NumaPlacement numa;

    @Option(names = "--rival", paramLabel = "NAME", description = "Runs beside: chronicle.")
    private @Nullable String rival;

    @Option(
            names = "--pattern",
            paramLabel = "SIZE",
            description = "So many bytes of each message are random, the rest repeats them (all; --rehearsal: 64B).")
    private @Nullable ByteCount pattern;

    @Option(
            names = "--rehearsal",
            description =
                    "On a file system that compresses (btrfs, forced zstd, in a sparse file of 1 TiB), mounted for"
                            + " the run: rehearses what the disk has no room for. Needs root and mkfs.btrfs.")
    private boolean rehearsal;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where the data goes (the result folder).")
    private @Nullable Path directory;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new QueueExperiment(options()), Larder.streams(command));
    }

    private QueueOptions options() {
        try {
            return new QueueOptions(
                    new QueueOptions.Messages(Math.toIntExact(message.bytes()), patternBytes(), append),
                    bursts(),
                    new QueueOptions.Segments(
                            state,
                            integrity,
                            segment == null ? null : Long.valueOf(segment.bytes()),
                            !noEarlyWriteback),
                    new QueueOptions.Place(directory, rehearsal, limitBytes(), numa),
                    rival,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private QueueOptions.Bursts bursts() {
        boolean quick = arguments.quick();
        Long limit = limitBytes();
        return new QueueOptions.Bursts(
                or(burst, quick ? 32 * MIB : 128 * MIB),
                or(total, limit == null ? (quick ? GIB : TIMES_MEMORY * GIB) : TIMES_MEMORY * limit),
                or(warmUp, quick ? 256 * MIB : 2 * GIB),
                pause,
                queues);
    }

    private int patternBytes() {
        long standard = rehearsal ? Math.min(REHEARSAL_PATTERN_BYTES, message.bytes()) : message.bytes();
        return Math.toIntExact(or(pattern, standard));
    }

    private @Nullable Long limitBytes() {
        if (memoryLimit == null) {
            return arguments.quick() ? 256 * MIB : GIB;
        }
        return memoryLimit.equals("none") ? null : Long.valueOf(ByteSize.parse(memoryLimit));
    }

    private static long or(@Nullable ByteCount given, long standard) {
        return given == null ? standard : given.bytes();
    }
}
