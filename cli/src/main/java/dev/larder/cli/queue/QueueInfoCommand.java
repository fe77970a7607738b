package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.output.RecordOutput;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the properties and the state of a queue. */
@Command(
        name = "info",
        description = "Prints the mode, the positions and the size of a queue. Changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue info orders", "  larder queue info orders --json", ExitCode.HELP})
final class QueueInfoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.openToRead()) {
            RecordOutput.print(
                    open.queue().info(),
                    arguments.json(),
                    Larder.streams(command).out());
        }
        return ExitCode.OK;
    }
}
