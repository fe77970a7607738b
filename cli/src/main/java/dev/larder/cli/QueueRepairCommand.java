package dev.larder.cli;

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

/** Copies what is sound of a damaged queue. */
@Command(
        name = "repair",
        description =
                "Copies what is sound of a damaged queue into a new one, and says what is not. The damaged one is not"
                        + " touched. Exit code 1 when something was damaged.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
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
        RepairReport report = QueueRepair.repair(arguments.directory(), target, options);
        RecordOutput.print(report, arguments.json(), Larder.streams(command).out());
        return report.isSound() ? ExitCode.OK : ExitCode.INVALID;
    }
}
