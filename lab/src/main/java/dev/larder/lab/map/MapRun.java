package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.run.Matrix;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one run of the experiment {@code map}: one subject at a time, and beside it the plain records, unless
 * disabled. They do each operation right before the subject does, and are idle otherwise.
 */
final class MapRun implements AutoCloseable {

    private static final double PLAIN_MAX_SECONDS = 2;

    private final MapOptions options;
    private final RunContext context;
    private final Matrix<MapKind, MapShape> matrix;
    private final List<Figures> runs = new ArrayList<>();
    private final List<Figures> failures = new ArrayList<>();
    private @Nullable Figures jvm;
    private @Nullable ChildProcess plain;

    MapRun(MapOptions options, RunContext context, List<MapKind> kinds) {
        this.options = options;
        this.context = context;
        matrix = new Matrix<>(context, kinds, options.shapes(), this::round)
                .rounds(0, options.rounds().rounds())
                .byParameter(this::startPlain);
    }

    /** Returns a row for each operation of each subject in each round so far. */
    List<Figures> runs() {
        return runs;
    }

    /** Returns load, memory, close and reopen figures of each subject in each round so far. */
    List<Figures> loads() {
        return matrix.samples();
    }

    /** Returns the subjects that failed, with the reason. */
    List<Figures> failures() {
        return failures;
    }

    Figures jvm() {
        return jvm == null ? JavaProcess.facts() : jvm;
    }

    /** Runs all rounds of all sizes; returns why they are void, or null. */
    @Nullable
    String run() {
        return context.reasonOf(() -> {
            matrix.run();
            return runs.isEmpty() ? "nothing was measured" : null;
        });
    }

    private ChildProcess start(MapKind kind, MapShape shape, MemoryLimit limit) {
        return context.start("map-" + kind.name(), kind.command(shape, options.memoryLimitBytes()), limit);
    }

    /** Starts the plain records of a size, unless disabled; returns a task that ends them. */
    private Runnable startPlain(MapShape shape) {
        if (!options.plain()) {
            return () -> {};
        }
        ChildProcess started = start(MapKind.PLAIN, shape, MemoryLimit.none());
        plain = started;
        started.ask("load", plan(shape, context.data().resolve("plain")));
        return started::close;
    }

    @Override
    public void close() {
        if (plain != null) {
            plain.close();
        }
    }

    private Figures plan(MapShape shape, Path directory) {
        return new Figures()
                .putAll(shape.plan())
                .put("directory", directory.toAbsolutePath())
                .put("seed", options.seed());
    }

    /** Reports a subject's failure; the next one follows. */
    private @Nullable Figures round(MapKind kind, MapShape shape, int round) {
        Path directory = context.data().resolve(String.format(Locale.ROOT, "%s-%d", kind.name(), round));
        try (MemoryLimit limit = MemoryLimit.of(options.memoryLimitBytes());
                ChildProcess child = start(kind, shape, limit)) {
            if (kind.name().equals(MapKind.LARDER)) {
                jvm = child.facts();
            }
            return measure(kind, shape, child, directory, round);
        } catch (LarderException e) {
            failed(kind, shape, e);
            return null;
        } finally {
            if (!options.keep() || round < options.rounds().rounds() - 1) {
                Directories.delete(directory);
            }
        }
    }

    private void failed(MapKind kind, MapShape shape, LarderException e) {
        if (!context.interruption().isInterrupted()) {
            String reason = String.valueOf(e.getMessage());
            context.progress().line(kind.name() + ", " + shape + ", has failed: " + reason);
            failures.add(row(kind, shape).put("failed_reason", reason));
        }
    }

    private static Figures row(MapKind kind, MapShape shape) {
        return new Figures()
                .put("subject", kind.name())
                .put("shape", shape.toString())
                .putAll(shape.figures());
    }

    private Figures measure(MapKind kind, MapShape shape, ChildProcess child, Path directory, int round) {
        Figures agreed = child.ask("agree", plan(shape, directory.resolve("agreement")));
        Directories.delete(directory.resolve("agreement"));
        Figures load = row(kind, shape).put("round", round).put("flags", kind.flags());
        warm(shape);
        load.putAll(agreed).putAll(child.ask("load", plan(shape, directory)));
        load.putAll(child.ask("check", new Figures())).putAll(child.ask("memory", new Figures()));
        for (int threads : options.mix().threads()) {
            for (MapOperation operation : options.operations()) {
                if (!context.interruption().isInterrupted()) {
                    measure(row(kind, shape).put("round", round), operation, threads, child);
                }
            }
        }
        if (options.mix().newKeysPercent() > 0) {
            load.putAll(grown(child));
        }
        return load.putAll(child.ask("close", new Figures())).putAll(child.ask("reopen", new Figures()));
    }

    /** Returns the memory of a grown map, after a check of its loaded and its new entries. */
    private static Figures grown(ChildProcess child) {
        child.ask("check", new Figures());
        Figures memory = child.ask("memory", new Figures());
        return new Figures()
                .put("entries_end", memory.get("entries"))
                .put("memory_end_bytes", memory.get("memory_bytes"))
                .put("overhead_end_bytes_per_entry", memory.get("overhead_bytes_per_entry"));
    }

    /** Otherwise memory outside the heap, unlike the pretouched heap, would wait for the host. */
    private void warm(MapShape shape) {
        if (options.memoryLimitBytes() == null) {
            try (WarmMemory memory = new WarmMemory(2 * shape.mostBytes())) {
                memory.fill();
            }
        }
    }

    private void measure(Figures row, MapOperation operation, int threads, ChildProcess child) {
        Figures question = operation
                .question()
                .put("threads", threads)
                .put("seconds", options.rounds().seconds())
                .put("warm_up_seconds", options.rounds().warmUpSeconds())
                .put("safepoints_per_s", options.rounds().safepointsPerSecond())
                .put("seed", options.seed());
        Figures baseline = baseline(question);
        Figures answer =
                child.ask("measure", question.put("seconds", options.rounds().seconds()));
        if (answer.has("skipped_reason")) {
            return;
        }
        row.put("operation", operation.name()).put("threads", threads).putAll(answer);
        row.put("plain_per_s", baseline.get("answered_per_s")).put("plain_p50_us", baseline.get("p50_us"));
        row.put("time_over_plain", baseline.number("answered_per_s") / answer.number("answered_per_s"));
        row.put("p50_over_plain", answer.number("p50_us") / baseline.number("p50_us"));
        row.put("valid", answer.whole("errors") == 0);
        runs.add(row);
        context.folder().addSample(row);
    }

    private Figures baseline(Figures question) {
        return plain == null
                ? new Figures()
                : plain.ask(
                        "measure",
                        question.put("seconds", Math.min(options.rounds().seconds() / 2, PLAIN_MAX_SECONDS)));
    }
}
