package dev.larder.arraycli;

import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayStatus;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks all nodes for their status. */
@Command(
        name = "status",
        description =
                "Asks all nodes. Shows which of them answer, which stripes each leads, how many keys each has, which"
                        + " members are behind, and which moves remain. Exit code 1 if a stripe has no leader.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array status array.properties",
            "  larder array status array.properties --json",
            ExitCode.HELP
        })
final class StatusCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file that describes the array.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Mixin
    private AccessArguments access = new AccessArguments();

    @Override
    public Integer call() {
        ArrayStatus status = ArrayStatus.askAll(ArrayDescription.read(file), access.access());
        PrintStream out = Larder.streams(command).out();
        if (json) {
            out.print(status.figures().toPrettyJson());
        } else {
            status.lines().forEach(out::println);
        }
        return status.isServing() ? ExitCode.OK : ExitCode.INVALID;
    }
}
