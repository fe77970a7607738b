package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.ItemCount;
import dev.larder.cli.Larder;
import dev.larder.cli.Percent;
import dev.larder.lab.agent.AgentAddress;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.redis.LoadExperiment;
import dev.larder.lab.redis.LoadOptions;
import dev.larder.lab.redis.LoadTarget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Puts an open-loop load on whatever speaks the Redis protocol. */
@Command(
        name = "load",
        description = {
            "Response times of whatever speaks the Redis protocol, under open-loop load.",
            "Requests leave in their time, however late the target is; every response time is kept, and counts from"
                    + " when its request was to leave. A sweep finds the rate at which the target saturates."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabLoadCommand implements Callable<Integer> {

    private static final List<Double> PERCENTS = List.of(10.0, 25.0, 50.0, 75.0, 90.0, 100.0);
    private static final double SECONDS = 30;
    private static final double QUICK_SECONDS = 3;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description =
                    "HOST:PORT of a Redis (again for further nodes of a cluster); start: a private redis-server for"
                            + " the run (the default); known:delays, known:capacity=2000: a target of known behaviour;"
                            + " echo: the generator alone.")
    private List<String> target = new ArrayList<>();

    @Option(names = "--cluster", description = "The target is a Redis Cluster.")
    private boolean cluster;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            split = ",",
            description = "Requests a second; several: a load each (10k).")
    private List<ItemCount> rates = new ArrayList<>();

    @Option(names = "--sweep", description = "Finds the rate at which the target saturates, and loads at shares of it.")
    private boolean sweep;

    @Option(
            names = "--percent",
            paramLabel = "PERCENT",
            split = ",",
            description = "Of the saturation, a load each, with --sweep (10,25,50,75,90,100).")
    private List<Double> percents = new ArrayList<>();

    @Option(names = "--keys", paramLabel = "COUNT", description = "How many keys there are (100k).")
    private @Nullable ItemCount keys;

    @Option(names = "--value", paramLabel = "SIZE", description = "The size of a value (1KiB).")
    private ByteCount value = new ByteCount(1024);

    @Option(names = "--writes", paramLabel = "PERCENT", description = "Of a hundred requests (10%%).")
    private Percent writes = new Percent(10);

    @Option(names = "--arrivals", paramLabel = "KIND", description = "poisson, constant or replay (poisson).")
    private ArrivalKind arrivals = ArrivalKind.POISSON;

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description = "Recorded arrivals: a line each, seconds, ascending. With --arrivals replay.")
    private @Nullable Path replay;

    @Option(names = "--seconds", paramLabel = "SECONDS", description = "Of each load (30; the length of a replay).")
    private @Nullable Double seconds;

    @Option(names = "--connections", paramLabel = "COUNT", description = "To the target, or to each node (2).")
    private int connections = 2;

    @Option(
            names = "--no-fill",
            description = "Do not give every key (larder-lab:0 and so on) a value first. They are deleted afterwards,"
                    + " unless --keep.")
    private boolean noFill;

    @Option(
            names = "--generator",
            paramLabel = "AGENT",
            description = "Requests come from the host of this agent: TOKEN@HOST:PORT, see larder lab agent.")
    private @Nullable AgentAddress generator;

    @Option(names = "--target-agent", paramLabel = "AGENT", description = "A known target runs on this agent's host.")
    private @Nullable AgentAddress targetAgent;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new LoadExperiment(options()), Larder.streams(command));
    }

    private LoadOptions options() {
        try {
            return new LoadOptions(
                    LoadTarget.parse(target.isEmpty() ? List.of("start") : target),
                    cluster,
                    new LoadOptions.Hosts(generator, targetAgent),
                    new LoadOptions.Loads(
                            rates(), sweep, percents.isEmpty() ? PERCENTS : percents, arrivals, replay, seconds()),
                    new LoadOptions.Keys(
                            keys == null ? (arguments.quick() ? 10_000 : 100_000) : keys.items(),
                            Math.toIntExact(value.bytes()),
                            writes.value(),
                            !noFill,
                            arguments.keep()),
                    connections,
                    arguments.quick(),
                    arguments.seed());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private List<Double> rates() {
        if (rates.isEmpty() && !sweep && arrivals != ArrivalKind.REPLAY) {
            return arguments.quick() ? List.of(1_000.0, 5_000.0) : List.of(10_000.0);
        }
        return rates.stream().map(rate -> (double) rate.items()).toList();
    }

    private @Nullable Double seconds() {
        if (seconds != null || arrivals == ArrivalKind.REPLAY) {
            return seconds;
        }
        return arguments.quick() ? QUICK_SECONDS : SECONDS;
    }
}
