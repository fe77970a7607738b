package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.output.ProgressBar;
import dev.larder.cli.output.RecordOutput;
import dev.larder.log.VerifyReport;
import dev.larder.queue.LarderQueue;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads a whole queue and checks every byte that can be checked. */
@Command(
        name = "verify",
        description = "Reads a whole queue and checks it. Changes nothing. Exit code 1 if something is damaged.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue verify orders", ExitCode.HELP})
final class QueueVerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.openToRead()) {
            VerifyReport report = verify(open.queue());
            RecordOutput.print(report, arguments.json(), Larder.streams(command).out());
            return report.isSound() ? ExitCode.OK : ExitCode.INVALID;
        }
    }

    private VerifyReport verify(LarderQueue queue) {
        try (ProgressBar bar = new ProgressBar("verify", Larder.streams(command))) {
            return queue.verify(bar);
        }
    }
}
