package dev.larder.cli.map;

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

/** Runs commands on one map, which it opens once. */
@Command(
        name = "shell",
        description = {
            "Opens a map once and runs commands on it, from the standard input or as you type them.",
            ShellOptions.HELP,
            "Changes are durable when the shell waits for its next line, and when it has ended."
        },
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder map shell stock", "  larder map shell stock < script.txt", ExitCode.HELP
        })
final class MapShellCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private ShellOptions options = new ShellOptions();

    @Override
    public Integer call() {
        try (OpenMap open = arguments.openAsFarAsAllowed()) {
            Session session = new Session(Larder.streams(command), Optional.of(open.shared()));
            return options.run(
                    "map",
                    session,
                    open::syncChanges,
                    new MapGetCommand(),
                    new MapPutCommand(),
                    new MapRemoveCommand(),
                    new MapScanCommand(),
                    new MapInfoCommand(),
                    new MapVerifyCommand(),
                    new MapCompactCommand(),
                    new MapExportCommand());
        }
    }
}
