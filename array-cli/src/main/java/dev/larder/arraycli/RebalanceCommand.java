package dev.larder.arraycli;

import dev.larder.arraycli.state.ArrayView;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Moves members of all stripes until each node has its share, with as few moves as possible. */
@Command(
        name = "rebalance",
        description = "Starts the fewest moves of members that give each node its share. The nodes continue after the"
                + " command has ended; status shows the remaining moves.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array rebalance array.properties --json",
            ExitCode.HELP
        })
final class RebalanceCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private TopologyChange change = new TopologyChange();

    @Override
    public Integer call() {
        ArrayView view = change.view();
        change.apply(
                view,
                TopologyChange.planned(
                        view, view.record().withVersion(view.record().version() + 1)),
                Larder.streams(command).out());
        return ExitCode.OK;
    }
}
