package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.Session;
import dev.larder.cli.shell.ShellOptions;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs commands on one queue, which it opens once. */
@Command(
        name = "shell",
        description = {
            "Opens a queue once and runs commands on it, from the standard input or as you type them.",
            ShellOptions.HELP,
            "'append' takes its messages from the line. They are durable when the shell waits for its next line, and"
                    + " when it has ended."
        },
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue shell orders",
            "  larder queue shell orders --continue < script.txt",
            ExitCode.HELP
        })
final class QueueShellCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Mixin
    private ShellOptions options = new ShellOptions();

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.openAsFarAsAllowed()) {
            Session session = new Session(Larder.streams(command), Optional.of(open.shared()));
            return options.run(
                    "queue",
                    session,
                    open::syncChanges,
                    new ShellAppendCommand(),
                    new QueueTailCommand(),
                    new QueueInfoCommand(),
                    new QueueVerifyCommand(),
                    new QueueTailersCommand(),
                    new QueueExportCommand());
        }
    }
}
