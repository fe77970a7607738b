package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ByteRate;
import dev.larder.cli.ExitCode;
import dev.larder.cli.ItemCount;
import dev.larder.cli.Larder;
import dev.larder.lab.process.Collector;
import dev.larder.lab.search.SearchDirectory;
import dev.larder.lab.search.SearchExperiment;
import dev.larder.lab.search.SearchOptions;
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

/** Searches a Lucene index that lies in various places, under load. */
@Command(
        name = "search",
        description = {
            "How fast a Lucene index answers under load, wherever it lies: in mapped files, on the heap, in Larder.",
            "Puts searches and updates, each at their own pace, on one server after another; finds where each"
                + " saturates, and measures below. With --throughput: searches one after the other, in forks that take"
                + " turns."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabSearchCommand implements Callable<Integer> {

    private static final long MIB = 1L << 20;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--corpus",
            paramLabel = "PATH",
            description = "The text: a dump of MediaWiki, a file of lines, a folder, a src.zip (the running JDK's).")
    private @Nullable Path corpus;

    @Option(names = "--docs", paramLabel = "COUNT", description = "Documents of 1000 characters in the index (1M).")
    private @Nullable ItemCount documents;

    @Option(names = "--vectors", paramLabel = "DIMENSIONS", description = "A vector for each document; 0 for none (0).")
    private int vectors;

    @Option(
            names = "--tasks",
            paramLabel = "COUNT",
            description = "Of each kind of query; of the most frequent terms, highlighted, ten times as many (50).")
    private @Nullable Integer tasks;

    @Option(
            names = "--index",
            paramLabel = "DIR",
            description =
                    "Where the index is built, and kept for other runs (the result folder, until the run is complete).")
    private @Nullable Path index;

    @Option(
            names = "--subjects",
            paramLabel = "NAME",
            split = ",",
            description = "Of mmap, mmap-preloaded, mmap-locked, bytebuffers, larder; all.")
    private List<SearchDirectory> subjects = new ArrayList<>();

    @Option(
            names = "--collectors",
            paramLabel = "NAME",
            split = ",",
            description = "Of g1, zgc, parallel, shenandoah (g1,zgc,parallel).")
    private List<Collector> collectors = new ArrayList<>();

    @Option(names = "--heap", paramLabel = "SIZE", description = "The heap of what is outside the heap (1GiB).")
    private @Nullable ByteCount heap;

    @Option(
            names = "--heap-with-index",
            paramLabel = "SIZE",
            description = "The heap of what is on the heap (--heap and twice the index).")
    private @Nullable ByteCount onHeap;

    @Option(names = "--threads", paramLabel = "COUNT", description = "That search (the processors, less one).")
    private int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    @Option(names = "--updates", paramLabel = "COUNT", description = "Documents updated a second; 0 for none (100).")
    private ItemCount updates = new ItemCount(100);

    @Option(names = "--reopen", paramLabel = "TIME", description = "Between two looks at what was updated (1s).")
    private Duration reopen = Duration.ofSeconds(1);

    @Option(names = "--garbage", paramLabel = "RATE", description = "Made beside the searches, as 50MiB/s (none).")
    private ByteRate garbage = new ByteRate(0);

    @Option(
            names = "--pressure",
            description =
                    "Server, and a companion that writes and reads files of four times as much, share a memory limit"
                            + " of heap, index and 15 %%.")
    private boolean pressure;

    @Option(
            names = "--pressure-rate",
            paramLabel = "RATE",
            description = "That the companion writes and reads (200MiB/s).")
    private ByteRate pressureRate = new ByteRate(200 * MIB);

    @Option(
            names = "--rates",
            paramLabel = "COUNT",
            split = ",",
            description = "Searches a second, one load after another (shares of the saturation, which is looked for).")
    private List<ItemCount> rates = new ArrayList<>();

    @Option(
            names = "--percent",
            paramLabel = "NUMBER",
            split = ",",
            description = "Loads in percent of the saturation: of each one's own, and of the first one's"
                    + " (10,30,50,70,90,100).")
    private List<Double> percents = new ArrayList<>();

    @Option(names = "--throughput", description = "Searches one after the other, in forks that take turns; no loads.")
    private boolean throughput;

    @Option(names = "--forks", paramLabel = "COUNT", description = "Of each configuration, with --throughput (10).")
    private @Nullable Integer forks;

    @Option(names = "--seconds", paramLabel = "SECONDS", description = "Of each load (60), or each fork (30).")
    private @Nullable Double seconds;

    @Option(names = "--warm-up", paramLabel = "TIME", description = "Before each load, at most (60s), or fork (20s).")
    private @Nullable Duration warmUp;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new SearchExperiment(options()), Larder.streams(command));
    }

    private SearchOptions options() {
        boolean quick = arguments.quick();
        try {
            return new SearchOptions(
                    new SearchOptions.Index(
                            corpus, documents(quick), vectors, (quick ? 4 : 64) * MIB, tasks(quick), index),
                    or(subjects, quick ? SearchOptions.quickSubjects() : List.of(SearchDirectory.values())),
                    or(
                            collectors,
                            quick ? List.of(Collector.G1) : List.of(Collector.G1, Collector.ZGC, Collector.PARALLEL)),
                    heap == null ? (quick ? 128 : 1024) * MIB : heap.bytes(),
                    onHeap == null ? null : Long.valueOf(onHeap.bytes()),
                    threads,
                    new SearchOptions.Beside(
                            updates.items(),
                            reopen.toMillis() / MILLIS_PER_SECOND,
                            garbage.bytesPerSecond(),
                            pressure ? pressureRate.bytesPerSecond() : 0),
                    loads(quick),
                    throughput ? forks(quick) : null,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private long documents(boolean quick) {
        ItemCount given = documents;
        return given == null ? (quick ? 4_000 : 1_000_000) : given.items();
    }

    private int tasks(boolean quick) {
        Integer given = tasks;
        return given == null ? (quick ? 5 : 50) : given;
    }

    private SearchOptions.Loads loads(boolean quick) {
        boolean given = !rates.isEmpty() || !percents.isEmpty();
        return new SearchOptions.Loads(
                quick && !given
                        ? List.of(50.0, 150.0)
                        : rates.stream().map(rate -> (double) rate.items()).toList(),
                or(percents, List.of(10.0, 30.0, 50.0, 70.0, 90.0, 100.0)),
                seconds == null ? (quick ? 2 : 60) : seconds,
                warmUpSeconds(quick ? 2 : 60));
    }

    private SearchOptions.Forks forks(boolean quick) {
        Integer count = forks;
        return new SearchOptions.Forks(
                count == null ? (quick ? 2 : 10) : count,
                seconds == null ? (quick ? 1 : 30) : seconds,
                warmUpSeconds(quick ? 1 : 20));
    }

    private double warmUpSeconds(double standard) {
        Duration given = warmUp;
        return given == null ? standard : given.toMillis() / MILLIS_PER_SECOND;
    }

    private static <T> List<T> or(List<T> given, List<T> standard) {
        return given.isEmpty() ? standard : given;
    }
}
