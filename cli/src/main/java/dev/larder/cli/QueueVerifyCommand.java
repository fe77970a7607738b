package dev.larder.cli;

import dev.larder.log.VerifyReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads a whole queue and checks every byte that can be checked. */
@Command(
        name = "verify",
        description = "Reads the whole queue and checks it. Changes nothing. Exit code 1 when something is damaged.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
final class QueueVerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.openToRead()) {
            VerifyReport report = open.queue().verify();
            RecordOutput.print(report, arguments.json(), Larder.streams(command).out());
            return report.isSound() ? ExitCode.OK : ExitCode.INVALID;
        }
    }
}
