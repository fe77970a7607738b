package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.ItemCount;
import dev.larder.cli.Larder;
import dev.larder.lab.heap.HeapExperiment;
import dev.larder.lab.heap.HeapOptions;
import dev.larder.lab.process.Collector;
import java.nio.file.Path;
import java.time.Duration;
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

/** Measures where a big heap hurts. */
@Command(
        name = "heap",
        description = {
            "Where a big heap hurts, and what each collector takes for not letting it hurt.",
            "Puts gets and puts of 1700 bytes, at their own pace, on a process that keeps its values on the heap, under"
                    + " each collector, and on one that keeps them outside; then again beside a bulk load."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabHeapCommand implements Callable<Integer> {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--live",
            paramLabel = "SIZE",
            split = ",",
            description = "The bytes of all values, one size after another (1GiB).")
    private List<ByteCount> live = new ArrayList<>();

    @Option(
            names = "--heap-factor",
            paramLabel = "NUMBER",
            description =
                    "The heap of what is on it, as a multiple of --live (2 up to 2GiB; above, 1.5 and a GiB more).")
    private @Nullable Double heapFactor;

    @Option(
            names = "--subjects",
            paramLabel = "NAME",
            split = ",",
            description = "Of concurrent-hash-map, caffeine, and outside the heap larder, region; all.")
    private List<String> subjects = new ArrayList<>();

    @Option(
            names = "--collectors",
            paramLabel = "NAME",
            split = ",",
            description = "Of parallel, g1, zgc, shenandoah, for what is on the heap; all.")
    private List<Collector> collectors = new ArrayList<>();

    @Option(
            names = "--off-heap-collectors",
            paramLabel = "NAME",
            split = ",",
            description = "For what is outside the heap (g1,zgc).")
    private List<Collector> offHeapCollectors = new ArrayList<>();

    @Option(names = "--small-heap", paramLabel = "SIZE", description = "The heap of what is outside the heap (256MiB).")
    private ByteCount smallHeap = new ByteCount(256 * MIB);

    @Option(names = "--rate", paramLabel = "COUNT", description = "Requests a second (20k).")
    private ItemCount rate = new ItemCount(20_000);

    @Option(
            names = "--writes",
            paramLabel = "PERCENT",
            split = ",",
            description = "Puts among the requests, one share after another (10).")
    private List<Double> writes = new ArrayList<>();

    @Option(
            names = "--new-keys",
            paramLabel = "PERCENT",
            description = "Of the puts: those of keys that are not there yet; the map grows while it is measured (0).")
    private int newKeys;

    @Option(
            names = "--refresh",
            paramLabel = "COUNT",
            description = "Values a second that a bulk load replaces in a second phase; 0 for no such phase (60k).")
    private @Nullable ItemCount refresh;

    @Option(names = "--seconds", paramLabel = "SECONDS", description = "Measured in each phase (20).")
    private @Nullable Double seconds;

    @Option(names = "--warm-up", paramLabel = "TIME", description = "Before each phase, at most (30s).")
    private @Nullable Duration warmUp;

    @Option(names = "--threads", paramLabel = "COUNT", description = "That serve requests (${DEFAULT-VALUE}).")
    private int threads = 2;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where the responses go (the result folder).")
    private @Nullable Path directory;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new HeapExperiment(options()), Larder.streams(command));
    }

    private HeapOptions options() {
        boolean quick = arguments.quick();
        try {
            return new HeapOptions(
                    live.isEmpty()
                            ? List.of(quick ? 256 * MIB : GIB)
                            : live.stream().map(ByteCount::bytes).toList(),
                    or(subjects, quick ? List.of("concurrent-hash-map", "region") : HeapOptions.allSubjects()),
                    new HeapOptions.Heaps(
                            heapFactor,
                            smallHeap.bytes(),
                            or(collectors, quick ? List.of(Collector.G1, Collector.ZGC) : List.of(Collector.values())),
                            or(
                                    offHeapCollectors,
                                    quick ? List.of(Collector.G1) : List.of(Collector.G1, Collector.ZGC))),
                    new HeapOptions.Requests(
                            rate.items(),
                            threads,
                            or(writes, List.of(10.0)),
                            newKeys,
                            refresh == null ? (quick ? 0 : 60_000) : refresh.items()),
                    seconds == null ? (quick ? 3 : 20) : seconds,
                    warmUp == null ? (quick ? 3 : 30) : warmUp.toMillis() / MILLIS_PER_SECOND,
                    directory,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private static <T> List<T> or(List<T> given, List<T> standard) {
        return given.isEmpty() ? standard : given;
    }
}
