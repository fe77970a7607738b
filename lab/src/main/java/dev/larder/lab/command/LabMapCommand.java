package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.ItemCount;
import dev.larder.cli.Larder;
import dev.larder.lab.map.MapExperiment;
import dev.larder.lab.map.MapOptions;
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

/** Measures maps at random places. */
@Command(
        name = "map",
        description = {
            "Gets, reads, puts and mixes at random places of a map.",
            "LarderMap beside ConcurrentHashMap and rivals, each in a process of its own, each operation right after"
                    + " the same one on plain memory. Answers are checked before anything is timed."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabMapCommand implements Callable<Integer> {

    private static final long MILLION = 1_000_000;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--entries",
            paramLabel = "COUNT",
            split = ",",
            description = "How many, one number after another (5M).")
    private List<ItemCount> entries = new ArrayList<>();

    @Option(names = "--value", paramLabel = "SIZE", split = ",", description = "The size of a value (100).")
    private List<ByteCount> values = new ArrayList<>();

    @Option(
            names = "--subjects",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Of larder, larder-cache, larder-tight, log, concurrent-hash-map, plain-file, mapped-file, and the"
                            + " rivals caffeine, ohc, chronicle-map, ehcache, mapdb, mvstore, lmdb, rocksdb; all.")
    private List<String> subjects = new ArrayList<>();

    @Option(
            names = "--writes",
            paramLabel = "PERCENT",
            split = ",",
            description = "Puts among the operations, each measured on its own (0,10,50,100).")
    private List<Integer> writes = new ArrayList<>();

    @Option(
            names = "--new-keys",
            paramLabel = "PERCENT",
            description = "Of the puts: those of keys that are not there yet; the map grows while it is measured (0).")
    private int newKeys;

    @Option(names = "--threads", paramLabel = "COUNT", split = ",", description = "At once, each on its own (1,2).")
    private List<Integer> threads = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "COUNT", description = "Rounds in which subjects take turns (3).")
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "SECONDS", description = "Measured, of each operation (2).")
    private @Nullable Double seconds;

    @Option(names = "--warm-up", paramLabel = "TIME", description = "Of each operation before it is measured (2s).")
    private @Nullable Duration warmUp;

    @Option(
            names = "--memory-limit",
            paramLabel = "SIZE",
            description = "Of each subject's process, with the pages of its files (none).")
    private @Nullable ByteCount memoryLimit;

    @Option(
            names = "--safepoints",
            paramLabel = "PER_SECOND",
            description = "Stops all threads so often while they are measured: how long until they stand (0).")
    private int safepoints;

    @Option(
            names = "--no-plain",
            description = "No plain memory beside the maps, which takes as much as all entries: for sizes up to half of"
                    + " the machine's memory.")
    private boolean noPlain;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where the files go (the result folder).")
    private @Nullable Path directory;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new MapExperiment(options()), Larder.streams(command));
    }

    private MapOptions options() {
        boolean quick = arguments.quick();
        try {
            return new MapOptions(
                    sizes(quick),
                    or(subjects, quick ? List.of("larder", "concurrent-hash-map") : List.of()),
                    new MapOptions.Mix(
                            or(writes, quick ? List.of(0, 10, 100) : List.of(0, 10, 50, 100)),
                            newKeys,
                            or(threads, quick ? List.of(1) : List.of(1, 2))),
                    rounds(quick),
                    memoryLimit == null ? null : memoryLimit.bytes(),
                    !noPlain,
                    directory,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private MapOptions.Sizes sizes(boolean quick) {
        return new MapOptions.Sizes(
                or(entries.stream().map(ItemCount::items).toList(), List.of(quick ? 200_000 : 5 * MILLION)),
                or(values.stream().map(value -> Math.toIntExact(value.bytes())).toList(), List.of(100)));
    }

    private MapOptions.Rounds rounds(boolean quick) {
        return new MapOptions.Rounds(
                rounds == null ? (quick ? 1 : 3) : rounds,
                seconds == null ? (quick ? 0.3 : 2) : seconds,
                warmUp == null ? (quick ? 0.3 : 2) : warmUp.toMillis() / MILLIS_PER_SECOND,
                safepoints);
    }

    private static <T> List<T> or(List<T> given, List<T> standard) {
        return given.isEmpty() ? standard : given;
    }
}
