package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.LoadOrder;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.Pacer;
import dev.larder.lab.load.ReplayArrivals;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.load.SaturationProbe;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The loads of one run, in order; the finished loads of an interrupted run are reused. */
final class LoadRun {

    /** The folder of their responses, in the result folder. */
    static final String LOADS = "loads";

    private static final double DRAIN_SECONDS = 10;
    private static final long PENDING_MIN = 10_000;
    private static final long PENDING_MAX = 4_000_000;
    private static final long COMMAND_BYTES = 1_024;
    private static final double SWEEP_START_PER_SECOND = 1_000;
    private static final double PERCENT = 100;
    private static final long SEED_OF_SWEEP = 500_000;
    private static final long SEED_STEP = 1_000_000;

    private final LoadOptions options;
    private final RunContext context;
    private final LoadProcesses processes;
    private final Path directory;
    private final Conductor conductor;
    private final Conductor scratch;
    private final LoadOrder order;
    private final Figures subject;
    private Figures sweep = new Figures();

    LoadRun(LoadOptions options, RunContext context, LoadProcesses processes) {
        this.options = options;
        this.context = context;
        this.processes = processes;
        int loads = options.loads().sweep()
                ? options.loads().percents().size()
                : Math.max(1, options.loads().rates().size());
        order = new LoadOrder(context, loads);
        subject = new Figures().put("subject", options.target().subject()).put("collector", null);
        directory = context.folder().claim(LOADS);
        forgetUnfinished();
        conductor = new Conductor(processes.generator(), processes.target(), processes.driver(), directory);
        scratch = new Conductor(processes.generator(), processes.target(), processes.driver(), context.data());
    }

    /** Removes the responses of unfinished loads. */
    private void forgetUnfinished() {
        Set<String> finished = new HashSet<>();
        context.finished().stream()
                .flatMap(sample -> sample.rows("rows").stream())
                .map(row -> row.get("directory"))
                .filter(Objects::nonNull)
                .forEach(name -> finished.add(name.toString()));
        Directories.clear(directory, name -> finished.contains(LOADS + "/" + name));
    }

    List<Figures> runs() {
        return order.rows();
    }

    /** Returns {@code saturation_per_s}, {@code edges}, {@code tried}; nothing without a sweep. */
    Figures sweep() {
        return sweep;
    }

    /** Runs all, unless the user interrupts; returns why the findings are void, or null. */
    @Nullable
    String run() {
        if (options.loads().sweep()) {
            sweep = order.finished().find(new Figures().put("sample", "sweep")).orElseGet(this::findSaturation);
        }
        List<LoadPlan> plans = plans();
        for (int number = 0; number < plans.size(); number++) {
            LoadPlan plan = plans.get(number);
            LoadSettings settings = settings(plan, number);
            Figures key =
                    new Figures().put("sample", "load").put("index", number).put("rate_per_s", plan.ratePerSecond());
            order.load(Unit.PER_SECOND.text(plan.ratePerSecond()), key, () -> load(plan, settings));
        }
        return invalidReason();
    }

    private @Nullable String invalidReason() {
        if (sweep.flag("generator_limited") && options.target().kind() != LoadTarget.Kind.ECHO) {
            return "the sweep ended at " + Unit.PER_SECOND.text(sweep.number("saturation_per_s"))
                    + " because the generator fell behind, not the target";
        }
        return order.rows().stream()
                .filter(row -> !row.flag("valid"))
                .map(row -> "at " + Unit.PER_SECOND.text(row.number("rate_per_s")) + ": " + row.get("invalid_reason"))
                .findFirst()
                .orElse(null);
    }

    private List<LoadPlan> plans() {
        if (options.loads().arrivals() == ArrivalKind.REPLAY) {
            try (ReplayArrivals recorded = new ReplayArrivals(replay(), 1)) {
                ReplayArrivals.Extent extent = recorded.extent(options.loads().seconds());
                return List.of(plan(extent.count() / extent.seconds(), extent.seconds()));
            }
        }
        double seconds = Objects.requireNonNull(options.loads().seconds());
        return rates().stream().map(rate -> plan(rate, seconds)).toList();
    }

    private List<Double> rates() {
        double saturation = sweep.number("saturation_per_s");
        return options.loads().sweep()
                ? options.loads().percents().stream()
                        .map(percent -> (double) Math.max(1, Math.round(saturation * percent / PERCENT)))
                        .toList()
                : options.loads().rates();
    }

    private Path replay() {
        return Objects.requireNonNull(options.loads().replay()).toAbsolutePath();
    }

    /** Limits what a generator's heap holds in flight: the requests, and the unsent values. */
    private LoadPlan plan(double rate, double seconds) {
        long each = options.target().isRedis() ? options.keys().valueBytes() + COMMAND_BYTES : 1;
        long pending = Math.clamp(LoadProcesses.HEAP_BYTES / 4 / each, PENDING_MIN, PENDING_MAX);
        return new LoadPlan(rate, seconds, DRAIN_SECONDS, pending);
    }

    private LoadSettings settings(LoadPlan plan, long number) {
        Figures workload =
                KeyWorkload.figures(options.keys().count(), options.keys().writesPercent());
        String replay = options.loads().arrivals() == ArrivalKind.REPLAY ? replay().toString() : null;
        return new LoadSettings(
                processes.driver(),
                workload,
                options.loads().arrivals(),
                replay,
                plan,
                options.seed() * SEED_STEP + number,
                Pacer.SPIN_NANOS);
    }

    private List<Figures> load(LoadPlan plan, LoadSettings settings) {
        double window = options.quick() ? 0.5 : 2;
        Figures warmUp = scratch.warmUp(settings, window, window * (options.quick() ? 6 : 10));
        Figures before = processes.used();
        Figures seen = conductor.load(settings, String.valueOf(Math.round(plan.ratePerSecond())));
        seen.putAll(used(before, seen));
        List<Figures> rows = RunRows.of(subject, seen, RunRows.failure(seen));
        rows.getFirst()
                .put("backlog_growth", seen.get("backlog_growth"))
                .put("backlog_max", seen.get("backlog_max"))
                .put("stopped", seen.get("stopped"))
                .putAll(warmUp)
                .put("directory", LOADS + "/" + seen.get("directory"))
                .put("responses_on", processes.generator().host());
        return rows;
    }

    /** Returns the use since then of the servers started for the run. */
    private Figures used(Figures before, Figures load) {
        Figures now = processes.used();
        return now.names().isEmpty()
                ? now
                : new Figures()
                        .put("cpu_cores", Conductor.cores(now.number("cpu_ms") - before.number("cpu_ms"), load))
                        .put("memory_bytes", now.get("memory_bytes"));
    }

    private Figures findSaturation() {
        LoadSettings first = settings(plan(SWEEP_START_PER_SECOND, sweepSeconds()), SEED_OF_SWEEP);
        scratch.warmUp(first, options.quick() ? 0.5 : 2, options.quick() ? 3 : 20);
        SaturationProbe probe =
                new SaturationProbe(scratch, rate -> first.withPlan(plan(rate, sweepSeconds())), context.progress());
        return order.finished()
                .add(probe.sweep(SWEEP_START_PER_SECOND, options.quick() ? 0.1 : 0.02, options.quick() ? 1 : 3)
                        .put("sample", "sweep"));
    }

    private double sweepSeconds() {
        return options.quick()
                ? 1
                : Math.clamp(Objects.requireNonNull(options.loads().seconds()) / 5, 2, 10);
    }
}
