package dev.larder.serve;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.CorruptException;
import dev.larder.server.Backup;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a data folder from a backup. */
@Command(
        name = "restore",
        description =
                "Makes a data folder from a backup, and checks each file. If one is damaged, it names that file and "
                        + "restores nothing.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder restore /backups/monday data", "  larder serve data", ExitCode.HELP})
final class RestoreCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "BACKUP", description = "The folder that larder backup wrote.")
    private Path backup = Path.of("");

    @Parameters(index = "1", paramLabel = "DATA", description = "The folder to make. It must not exist yet.")
    private Path data = Path.of("");

    @Override
    public Integer call() {
        PrintStream out = Larder.streams(command).out();
        try {
            out.println(data + ": " + Backup.restore(backup, data) + " files restored, all checked");
            out.flush();
            return ExitCode.OK;
        } catch (CorruptException e) {
            Larder.streams(command).err().println("larder: " + e.getMessage());
            return ExitCode.INVALID;
        }
    }
}
