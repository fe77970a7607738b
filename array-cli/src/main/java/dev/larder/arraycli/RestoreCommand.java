package dev.larder.arraycli;

import dev.larder.array.ArrayBackup;
import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates the folder of a node from a backup. */
@Command(
        name = "restore",
        description =
                "Makes the folder of a node of a new array, with the data of a backup. Run it instead of create, for"
                        + " each node of the new array. The exit code is 1 if a file of the backup is damaged.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder array init new.properties --nodes a:7000,b:7000,c:7000 --from monday",
            "  larder array restore new.properties --from monday --node 0 node0",
            ExitCode.HELP
        })
final class RestoreCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private NodeArguments arguments = new NodeArguments();

    @Option(
            names = "--from",
            paramLabel = "BACKUP",
            required = true,
            description = "The folder that larder array backup wrote.")
    private Path backup = Path.of("");

    @Override
    public Integer call() {
        ArrayOptions options = arguments.options();
        try {
            arguments.requireBeginning(ArrayBackup.read(backup));
            ArrayNode.restore(options, backup);
        } catch (CorruptException e) {
            Larder.streams(command).err().println("larder: " + e.getMessage());
            return ExitCode.INVALID;
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
        Larder.streams(command)
                .out()
                .println("created node " + options.node() + " of array " + options.array() + " from " + backup
                        + ", all files checked");
        return ExitCode.OK;
    }
}
