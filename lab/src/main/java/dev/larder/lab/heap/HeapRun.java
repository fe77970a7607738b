package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.load.LoadPair;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.result.Directories;
import dev.larder.lab.run.Finished;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the load on one candidate after another: each a process of its own, none beside another, all with the same
 * generator and the same requests.
 */
final class HeapRun implements AutoCloseable {

    private static final int WINDOWS = 4;
    static final double WINDOW_SECONDS_MAX = 2;

    private final HeapOptions options;
    private final RunContext context;
    private final Finished finished;
    private final List<Figures> rows = new ArrayList<>();
    private final LoadGenerator generator;
    private int done;

    HeapRun(HeapOptions options, RunContext context) {
        this.options = options;
        this.context = context;
        this.generator = new LoadGenerator(context, LoadGenerator.Where.here());
        this.finished = new Finished(context.folder(), context.finished());
    }

    /** Returns the rows so far. */
    List<Figures> rows() {
        return rows;
    }

    /** Returns how nice the generator is to others; null when none was needed. */
    @Nullable
    Integer generatorNiceness() {
        return generator.niceness();
    }

    /** Runs all candidates; one that ends before its time leaves a row that says so, and the next one begins. */
    void run(List<Candidate> candidates) {
        for (Candidate candidate : candidates) {
            if (context.interruption().isInterrupted()) {
                return;
            }
            try {
                run(candidate, candidates.size() * options.requests().phases().size());
            } catch (LarderException e) {
                failed(candidate, e);
            }
        }
    }

    private void failed(Candidate candidate, LarderException e) {
        if (!context.interruption().isInterrupted()) {
            rows.add(RunRows.notMeasured(
                    context.progress(),
                    candidate.title(),
                    candidate.figures(),
                    "failed",
                    String.valueOf(e.getMessage())));
        }
    }

    private void run(Candidate candidate, int steps) {
        List<Phase> missing = new ArrayList<>();
        for (Phase phase : options.requests().phases()) {
            finished.findValid(key(candidate, phase))
                    .ifPresentOrElse(sample -> rows.addAll(sample.rows("rows")), () -> missing.add(phase));
        }
        done += options.requests().phases().size() - missing.size();
        if (missing.isEmpty()) {
            return;
        }
        Path directory = Directories.create(context.data().resolve(candidate.name()));
        Path folder = Directories.create(candidate.folder(directory));
        try (ChildProcess target = context.start(candidate.name(), candidate.command())) {
            measure(candidate, target, missing, directory, folder, steps);
        } finally {
            if (!folder.equals(directory)) {
                Directories.delete(folder);
            }
            if (!options.keep()) {
                Directories.delete(directory);
            }
        }
    }

    private static Figures key(Candidate candidate, Phase phase) {
        return candidate.figures().put("phase", phase);
    }

    private void measure(
            Candidate candidate, ChildProcess target, List<Phase> phases, Path directory, Path folder, int steps) {
        Figures jvm = target.ask("facts", new Figures());
        Figures configuration = new Figures()
                .put("keys", candidate.keys())
                .put("threads", options.requests().threads())
                .put("directory", folder.toAbsolutePath());
        LoadPair pair = LoadPair.of(generator.peer(), target, configuration, directory);
        for (Phase phase : phases) {
            context.progress().step(done, steps, candidate.title() + ", " + phase);
            List<Figures> measured = measure(candidate, pair, phase, jvm);
            finished.add(key(candidate, phase).put("rows", measured));
            rows.addAll(measured);
            context.progress().step(++done, steps, candidate.title() + ", " + phase);
        }
    }

    private List<Figures> measure(Candidate candidate, LoadPair pair, Phase phase, Figures jvm) {
        if (phase == Phase.REFRESH) {
            pair.target()
                    .ask(
                            "refresh",
                            new Figures().put("per_second", options.requests().refreshPerSecond()));
        }
        LoadSettings settings = settings(candidate, pair);
        Figures warmUp = warmUp(pair.conductor(), settings);
        Figures before = pair.target().ask("refreshed", new Figures());
        Figures load = pair.conductor().load(settings, phase.toString());
        Figures after = pair.target().ask("refreshed", new Figures());
        addUnmapped(load, pair.target().ask("unmapped", new Figures()).whole("bytes"));
        pair.conductor().keepHistograms(load, context.folder(), candidate.name() + "-" + phase);
        Figures subject = candidate
                .figures()
                .put("phase", phase)
                .put("flags", jvm.get("flags"))
                .put("warm_up_seconds", warmUp.get("seconds"))
                .put("warm_up_converged", warmUp.get("converged"))
                .put("refresh_per_s", refreshed(before, after))
                .put("allocated_bytes_per_request", load.number("allocated_bytes") / load.number("sent"));
        if (!candidate.collector().tellsStalls()) {
            load.put("longest_stall_ms", null);
        }
        return RunRows.of(subject, load, HeapChecks.invalidReason(load));
    }

    private LoadSettings settings(Candidate candidate, LoadPair pair) {
        Figures workload = new Figures()
                .put("workload", "keys")
                .put("keys", candidate.keys())
                .put("writes_percent", candidate.writesPercent());
        LoadPlan plan = LoadPlan.of(options.requests().perSecond(), options.seconds());
        return pair.settings(workload, plan, options.seed());
    }

    private Figures warmUp(Conductor conductor, LoadSettings settings) {
        double window = Math.min(WINDOW_SECONDS_MAX, options.warmUpSeconds() / WINDOWS);
        return window == 0
                ? new Figures().put("seconds", 0).put("converged", false)
                : conductor.warmUp(settings, window, options.warmUpSeconds());
    }

    /** What the process does not map is no less in memory for that. */
    private static void addUnmapped(Figures load, long bytes) {
        for (String name : List.of("memory_bytes", "shared_memory_bytes")) {
            Long mapped = load.wholeOrNull(name);
            load.put(name, mapped == null ? null : mapped + bytes);
        }
    }

    private static double refreshed(Figures before, Figures after) {
        double count = after.number("count") - before.number("count");
        return count / (after.number("nanos") - before.number("nanos")) * 1e9;
    }

    @Override
    public void close() {
        generator.close();
    }
}
