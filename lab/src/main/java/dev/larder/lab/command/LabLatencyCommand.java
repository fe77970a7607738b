package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.ItemCount;
import dev.larder.cli.Larder;
import dev.larder.lab.latency.LatencyExperiment;
import dev.larder.lab.latency.LatencyOptions;
import dev.larder.lab.load.ArrivalKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures what each option of a queue does to latency. */
@Command(
        name = "latency",
        description = {
            "What each option does to the time of an append, and from an append to a tailer in another process.",
            "Messages leave at moments that are drawn before, and times count from these; each row changes one option:"
                    + " how the tailer waits, pinned threads, locked pages, syncs, preparation."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabLatencyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--message", paramLabel = "SIZE", description = "The size of a message (256B).")
    private ByteCount message = new ByteCount(256);

    @Option(names = "--rate", paramLabel = "RATE", description = "Messages a second (10k).")
    private ItemCount rate = new ItemCount(10_000);

    @Option(
            names = "--synced-rate",
            paramLabel = "RATE",
            description = "Messages a second where each append is synced (100).")
    private ItemCount syncedRate = new ItemCount(100);

    @Option(names = "--arrivals", paramLabel = "KIND", description = "poisson or constant (${DEFAULT-VALUE}).")
    private ArrivalKind arrivals = ArrivalKind.POISSON;

    @Option(names = "--duration", paramLabel = "TIME", description = "Of what is measured in each row (20s).")
    private @Nullable Duration duration;

    @Option(names = "--warm-up", paramLabel = "TIME", description = "Before that, in each row (5s).")
    private @Nullable Duration warmUp;

    @Option(names = "--park", paramLabel = "TIME", description = "Between two looks of a tailer that parks (50us).")
    private Duration park = Duration.ofNanos(50_000);

    @Option(names = "--row", paramLabel = "NAME", description = "Only this row. May be given several times.")
    private List<String> rows = new ArrayList<>();

    @Option(names = "--directory", paramLabel = "DIR", description = "Where the data goes (the result folder).")
    private @Nullable Path directory;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new LatencyExperiment(options()), Larder.streams(command));
    }

    private LatencyOptions options() {
        try {
            boolean quick = arguments.quick();
            return new LatencyOptions(
                    Math.toIntExact(message.bytes()),
                    rate.items(),
                    syncedRate.items(),
                    arrivals,
                    Objects.requireNonNullElse(duration, quick ? Duration.ofMillis(800) : Duration.ofSeconds(20)),
                    Objects.requireNonNullElse(warmUp, quick ? Duration.ofMillis(300) : Duration.ofSeconds(5)),
                    park,
                    rows,
                    directory,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
