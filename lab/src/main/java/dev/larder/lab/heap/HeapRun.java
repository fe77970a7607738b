package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.load.LoadOrder;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Loads the candidates one after another: each is a process that runs alone, with the same generator and the same
 * requests.
 */
final class HeapRun {

    private static final int WINDOWS = 4;
    private static final double WINDOW_SECONDS_MAX = 2;

    private final HeapOptions options;
    private final RunContext context;
    private final LoadGenerator generator;
    private final LoadOrder order;

    HeapRun(HeapOptions options, RunContext context, LoadGenerator generator, LoadOrder order) {
        this.options = options;
        this.context = context;
        this.generator = generator;
        this.order = order;
    }

    /** Measures a candidate's missing loads. */
    void run(Candidate candidate) {
        List<Phase> phases = options.requests().phases();
        if (order.takesAll(phases.stream().map(phase -> key(candidate, phase)).toList())) {
            return;
        }
        Path directory = Directories.create(context.data().resolve(candidate.name()));
        Path folder = Directories.create(candidate.folder(directory));
        try (ChildProcess target = context.start(candidate.name(), candidate.command())) {
            measure(candidate, target, phases, directory, folder);
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

    private void measure(Candidate candidate, ChildProcess target, List<Phase> phases, Path directory, Path folder) {
        Object flags = target.ask("facts", new Figures()).get("flags");
        Figures configuration = new Figures()
                .put("keys", candidate.keys())
                .put("threads", options.requests().threads())
                .put("directory", folder.toAbsolutePath());
        Conductor conductor = Conductor.of(generator.peer(), target, configuration, directory);
        for (Phase phase : phases) {
            order.load(
                    candidate.title() + ", " + phase,
                    key(candidate, phase),
                    () -> measure(
                            candidate, conductor, target, key(candidate, phase).put("flags", flags)));
        }
    }

    private List<Figures> measure(Candidate candidate, Conductor conductor, ChildProcess target, Figures subject) {
        String phase = subject.text("phase");
        if (phase.equals(Phase.REFRESH.toString())) {
            target.ask(
                    "refresh",
                    new Figures().put("per_second", options.requests().refreshPerSecond()));
        }
        LoadSettings settings = settings(candidate, conductor);
        double window = Math.min(WINDOW_SECONDS_MAX, options.warmUpSeconds() / WINDOWS);
        subject.putAll(conductor.warmUp(settings, window, options.warmUpSeconds()));
        Figures before = target.ask("refreshed", new Figures());
        Figures load = conductor.load(settings, phase);
        Figures after = target.ask("refreshed", new Figures());
        addUnmapped(load, target.ask("unmapped", new Figures()).whole("bytes"));
        conductor.keepHistograms(load, context.folder(), candidate.name() + "-" + phase);
        if (!candidate.collector().tellsStalls()) {
            load.put("longest_stall_ms", null);
        }
        subject.put("refresh_per_s", refreshed(before, after))
                .put("allocated_bytes_per_request", load.number("allocated_bytes") / load.number("sent"));
        return RunRows.of(subject, load, invalidReason(load));
    }

    private LoadSettings settings(Candidate candidate, Conductor conductor) {
        Figures workload = KeyWorkload.figures(candidate.keys(), candidate.writesPercent());
        LoadPlan plan = LoadPlan.of(options.requests().perSecond(), options.seconds());
        return conductor.settings(workload, plan, options.seed());
    }

    /** Bytes that the process does not map take memory, too. */
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

    /**
     * Returns why the load of one phase is void, other than by a late generator; null if it is not.
     *
     * @param load the conductor's answer
     */
    static @Nullable String invalidReason(Figures load) {
        Figures all = load.rows("operations").getFirst();
        if (all.whole("errors") > 0) {
            return RunRows.failure(load);
        }
        double answered = all.number("requests") - all.number("unanswered");
        double garbage = load.number("allocated_bytes") / answered;
        return garbage < HeapService.OBJECT_BYTES
                ? String.format(
                        Locale.ROOT,
                        "a request made %.0f bytes of garbage, not the %d that it should",
                        garbage,
                        HeapService.OBJECT_BYTES)
                : null;
    }

    /**
     * Returns why a whole run is void; null if every candidate that this machine can start was measured, has a valid
     * steady phase, and gave no wrong answer. A generator that was late in a refresh voids that row alone.
     */
    static @Nullable String invalidReason(List<Figures> rows) {
        return RunRows.invalidReason(
                rows, (row, measured) -> Phase.STEADY.toString().equals(row.get("phase")) || row.number("errors") > 0);
    }
}
