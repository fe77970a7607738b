package dev.larder.lab.command;

import dev.larder.cli.Streams;
import dev.larder.lab.Experiment;
import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.result.FailCondition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all experiments. */
final class LabArguments {

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of the result (lab-results/EXPERIMENT-TIME).")
    private @Nullable Path out;

    @Option(names = "--quick", description = "Make a small run of less than a minute.")
    private boolean quick;

    @Option(names = "--json", description = "Print only result.json to the standard output.")
    private boolean json;

    @Option(names = "--keep", description = "Keep the data.")
    private boolean keep;

    @Option(names = "--strict", description = "Fail if the machine disturbed the run.")
    private boolean strict;

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            description = "Fail if a figure is out of bounds, such as 'write_over_copy>1.6' or "
                    + "'summary.beyond.read_ms.mean>150'. Repeat it for more figures.")
    private List<FailCondition> failIf = new ArrayList<>();

    boolean quick() {
        return quick;
    }

    int run(Experiment experiment, Streams streams) {
        Path folder = out == null ? LabRun.defaultFolder(experiment.name()) : out;
        RunOptions options = new RunOptions(folder, json, strict, keep, failIf);
        return new LabRun(experiment, options, streams.out(), streams.err(), streams.terminal()).execute();
    }
}
