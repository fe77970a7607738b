package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ByteSize;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.lab.buffers.BufferKind;
import dev.larder.lab.buffers.BuffersExperiment;
import dev.larder.lab.buffers.BuffersOptions;
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

/** Measures which kind of buffer is fast to create and fill. */
@Command(
        name = "buffers",
        description = {
            "Which kind of buffer is fast to create and fill.",
            "Heap, direct, mapped file, /dev/shm, POSIX, System V and APR shared memory, huge pages: each in a child"
                    + " process of its own creates blocks, fills them with ints in order and releases them; then"
                    + " proves that others attach to it, that it outlives its maker, and that it moves into a file"
                    + " without a copy through the heap."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabBuffersCommand implements Callable<Integer> {

    private static final long MIB = 1L << 20;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--block",
            paramLabel = "SIZE",
            description = "The size of a block; may be given several times (4KiB and 4MiB).")
    private List<ByteCount> blocks = new ArrayList<>();

    @Option(names = "--total", paramLabel = "SIZE", description = "Written in each round (96MiB).")
    private @Nullable ByteCount total;

    @Option(names = "--rounds", paramLabel = "COUNT", description = "Rounds in which kinds take turns (24).")
    private @Nullable Integer rounds;

    @Option(names = "--warm-up", paramLabel = "COUNT", description = "Rounds before them that do not count (2).")
    private @Nullable Integer warmUp;

    @Option(
            names = "--seconds",
            paramLabel = "COUNT",
            description = "What all rounds may take; those that do not fit are left out, and the result says so (95).")
    private @Nullable Integer seconds;

    @Option(
            names = "--kinds",
            paramLabel = "NAME",
            split = ",",
            description = "Of heap, direct, mapped-rw, mapped-rwd, mapped-rws, dev-shm, posix-shm, system-v-shm,"
                    + " apr-shm, huge-pages (all).")
    private List<String> kinds = new ArrayList<>();

    @Option(names = "--heap", paramLabel = "SIZE", description = "The heap of each child (512MiB).")
    private @Nullable ByteCount heap;

    @Option(names = "--memory-limit", paramLabel = "SIZE|none", description = "The memory of each child (none).")
    private @Nullable String memoryLimit;

    @Option(
            names = "--as-2011",
            description =
                    "The conditions of the experiment of 2011: --heap 256MiB --memory-limit 1GiB, and time for all"
                            + " rounds (--seconds 600).")
    private boolean as2011;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where mapped files go (the result folder).")
    private @Nullable Path directory;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new BuffersExperiment(options()), Larder.streams(command));
    }

    private BuffersOptions options() {
        try {
            boolean quick = arguments.quick();
            return new BuffersOptions(
                    kinds.isEmpty()
                            ? List.of(BufferKind.values())
                            : kinds.stream().map(BufferKind::named).toList(),
                    blocks.isEmpty()
                            ? List.of(4L << 10, 4 * MIB)
                            : blocks.stream().map(ByteCount::bytes).toList(),
                    or(total, quick ? 24 * MIB : 96 * MIB),
                    rounds == null ? (quick ? 5 : 24) : rounds,
                    warmUp == null ? (quick ? 1 : 2) : warmUp,
                    seconds == null ? (as2011 ? 600 : 95) : seconds,
                    or(heap, as2011 ? 256 * MIB : 512 * MIB),
                    limitBytes(),
                    directory,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private @Nullable Long limitBytes() {
        if (memoryLimit == null) {
            return as2011 ? 1024 * MIB : null;
        }
        return memoryLimit.equals("none") ? null : Long.valueOf(ByteSize.parse(memoryLimit));
    }

    private static long or(@Nullable ByteCount given, long standard) {
        return given == null ? standard : given.bytes();
    }
}
