package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.SegmentFiles;
import dev.larder.cli.output.ProgressBar;
import dev.larder.cli.output.RecordOutput;
import dev.larder.log.LogOptions;
import dev.larder.memory.LarderException;
import dev.larder.queue.QueueRepair;
import dev.larder.queue.RepairReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the sound messages of a damaged queue. */
@Command(
        name = "repair",
        description = "Copies the sound messages of a damaged queue into a new one. Lists the damaged ranges, and "
                + "counts the lost messages. Does not change the damaged queue. Exit code 1 if something was "
                + "damaged.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue repair orders orders-repaired", ExitCode.HELP})
final class QueueRepairCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Parameters(index = "1", paramLabel = "TARGET", description = "The directory of the new queue.")
    private Path target = Path.of("");

    @Override
    public Integer call() {
        if (!arguments.holdsFiles()) {
            throw new LarderException("there is no queue in " + arguments.directory());
        }
        arguments.refuseMap();
        LogOptions options =
                arguments.options().withLargestSegmentBytes(SegmentFiles.largestSegmentBytes(arguments.directory()));
        RepairReport report = repair(options);
        RecordOutput.print(report, arguments.json(), Larder.streams(command).out());
        return report.isSound() ? ExitCode.OK : ExitCode.INVALID;
    }

    private RepairReport repair(LogOptions options) {
        try (ProgressBar _ = ProgressBar.writing("repair", Larder.streams(command), target)) {
            return QueueRepair.repair(arguments.directory(), target, options);
        }
    }
}
