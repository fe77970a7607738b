package dev.larder.cli.queue;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.output.RecordOutput;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRetention;
import dev.larder.memory.Access;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Creates an empty queue. */
@Command(
        name = "create",
        description = "Creates an empty queue.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue create orders",
            "  larder queue create orders --keep-bytes 10GiB --integrity record",
            ExitCode.HELP
        })
final class QueueCreateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(
            names = "--integrity",
            paramLabel = "MODE",
            description =
                    "Checksums: ${COMPLETION-CANDIDATES} (SEAL; RECORD if the system cannot tell a crash from a power "
                            + "cut).")
    private @Nullable IntegrityMode integrity;

    @Option(
            names = "--segment",
            paramLabel = "SIZE",
            description = "The size that segments grow to, a power of two from 64 KiB to 4 GiB (256 MiB).")
    private @Nullable ByteCount segment;

    @Option(
            names = "--keep-bytes",
            paramLabel = "SIZE",
            description = "The largest size of the queue. Beyond it, Larder drops the oldest messages, even unread "
                    + "ones (no limit).")
    private @Nullable ByteCount keepBytes;

    @Option(
            names = "--keep-age",
            paramLabel = "TIME",
            description = "Larder drops messages older than this, once every named tailer has passed them (no limit).")
    private @Nullable Duration keepAge;

    @Option(
            names = "--keep-absence",
            paramLabel = "TIME",
            description = "How long a named tailer that no process uses holds back old messages (for ever).")
    private @Nullable Duration keepAbsence;

    @Option(names = "--group", description = "Let the group read and write the queue too.")
    private boolean group;

    @Override
    public Integer call() {
        if (arguments.holdsFiles()) {
            throw new LarderException("the directory " + arguments.directory() + " is not empty; name a new one");
        }
        try (LarderQueue queue = LarderQueue.open(arguments.directory(), options())) {
            RecordOutput.print(
                    queue.info(), arguments.json(), Larder.streams(command).out());
        }
        return ExitCode.OK;
    }

    private LogOptions options() {
        try {
            LogOptions options =
                    arguments.options().withAccess(access -> access.withFiles(group ? Access.GROUP : Access.OWNER));
            options = integrity == null ? options : options.withIntegrity(integrity);
            options = segment == null ? options : options.withLargestSegmentBytes(segment.bytes());
            return options.withRetention(this::retention);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private LogRetention retention(LogRetention none) {
        LogRetention kept = keepBytes == null ? none : none.withBytes(keepBytes.bytes());
        kept = keepAge == null ? kept : kept.withAge(keepAge);
        return keepAbsence == null ? kept : kept.withAbsence(keepAbsence);
    }
}
