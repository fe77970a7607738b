package dev.larder.arraycli;

import dev.larder.arraycli.state.ArrayView;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what rebalance would do, and changes nothing. */
@Command(
        name = "plan",
        description = "Prints what rebalance would do, and changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array plan array.properties --json",
            ExitCode.HELP
        })
final class PlanCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private TopologyChange change = new TopologyChange();

    @Override
    public Integer call() {
        ArrayView view = change.view();
        change.dryRun();
        change.apply(
                view,
                TopologyChange.planned(
                        view, view.record().withVersion(view.record().version() + 1)),
                Larder.streams(command).out());
        return ExitCode.OK;
    }
}
