package dev.larder.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script that completes the command's words in bash and zsh. */
@Command(
        name = "completion",
        aliases = "generate-completion",
        description = "Prints a completion script for bash and zsh.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder completion > larder.bash", ExitCode.HELP})
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        Larder.streams(command)
                .out()
                .println(AutoComplete.bash("larder", command.root().commandLine()));
        return ExitCode.OK;
    }
}
