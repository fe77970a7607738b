package dev.larder.arraycli;

import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.RollingRestart;
import dev.larder.arraycli.state.RollingRestart.Turn;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Restarts all nodes in turn. */
@Command(
        name = "upgrade",
        description =
                "Restarts one node after another, while clients continue. Before each restart, other nodes take over "
                        + "the stripes that the node leads. The next node follows once all members have caught up.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Without --restart it prints which node to restart, and waits until you have restarted it.",
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array upgrade array.properties --restart './restart {node}'",
            "  larder array upgrade array.properties --dry-run",
            ExitCode.HELP
        })
final class UpgradeCommand implements Callable<Integer> {

    private static final String NODE = "{node}";
    private static final int PATIENCE_SECONDS_MOST = 86_400;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file that describes the array.")
    private Path file = Path.of("");

    @Option(
            names = "--restart",
            paramLabel = "COMMAND",
            description = "The shell command that restarts a node; {node} stands for its number.")
    private @Nullable String restart;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "How long a node may take to come back, and all members to catch up, 1 to 86400 "
                    + "(${DEFAULT-VALUE}).")
    private int patienceSeconds = 600;

    @Option(names = "--dry-run", description = "Print only the order.")
    private boolean dryRun;

    @Mixin
    private AccessArguments access = new AccessArguments();

    @Override
    public Integer call() {
        if (patienceSeconds < 1 || patienceSeconds > PATIENCE_SECONDS_MOST) {
            throw new ParameterException(
                    command.commandLine(),
                    "--patience: " + patienceSeconds + " is not within 1 and " + PATIENCE_SECONDS_MOST);
        }
        PrintStream out = Larder.streams(command).out();
        RollingRestart rolling = new RollingRestart(ArrayDescription.read(file), access.access(), patienceSeconds);
        List<Turn> turns = rolling.turns();
        if (dryRun) {
            turns.forEach(turn -> out.println(
                    "node " + turn.node() + ", which leads " + turn.leads().size() + " stripes"));
            out.println("a dry run: no node is restarted");
            return ExitCode.OK;
        }
        for (Turn turn : turns) {
            rolling.restart(turn.node(), this::restart);
            out.println("node " + turn.node() + " has restarted, and all members have caught up");
            out.flush();
        }
        return ExitCode.OK;
    }

    private void restart(int node) {
        if (restart == null) {
            Larder.streams(command).out().println("restart node " + node + " now");
            Larder.streams(command).out().flush();
            return;
        }
        String line = restart.replace(NODE, Integer.toString(node));
        try {
            int code = new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor();
            if (code != 0) {
                throw new LarderException(
                        "node " + node + ": the restart command ended with exit code " + code + ": " + line);
            }
        } catch (IOException e) {
            throw new LarderException("node " + node + ": cannot run the restart command: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted while waiting for a node", e);
        }
    }
}
