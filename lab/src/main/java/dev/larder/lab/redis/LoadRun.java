package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.Pacer;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.load.SaturationProbe;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.run.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The loads of one run, in their order; those that an interrupted run has finished are taken over. */
final class LoadRun {

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
    private final Finished finished;
    private final List<Figures> runs = new ArrayList<>();
    private Figures sweep = new Figures();

    LoadRun(LoadOptions options, RunContext context, LoadProcesses processes) {
        this.options = options;
        this.context = context;
        this.processes = processes;
        finished = new Finished(context.folder(), context.finished());
        directory = Directories.create(context.folder().file("loads"));
        forgetUnfinished();
        conductor = new Conductor(processes.generator(), processes.target(), directory);
        scratch = new Conductor(processes.generator(), processes.target(), context.data());
    }

    /** Removes the responses of loads that were not finished. */
    private void forgetUnfinished() {
        Set<String> finished = new HashSet<>();
        context.finished().stream()
                .flatMap(sample -> sample.rows("rows").stream())
                .map(row -> row.get("directory"))
                .filter(Objects::nonNull)
                .forEach(name -> finished.add(name.toString()));
        Attempt.to("read " + directory, () -> {
            try (Stream<Path> places = Files.list(directory)) {
                places.filter(place -> !finished.contains("loads/" + place.getFileName()))
                        .forEach(Directories::delete);
            }
        });
    }

    List<Figures> runs() {
        return runs;
    }

    /** Returns {@code saturation_per_s}, {@code edges}, {@code tried}; nothing without a sweep. */
    Figures sweep() {
        return sweep;
    }

    /** Runs them all, or as far as the user lets it; returns why what was found proves nothing, or null. */
    @Nullable
    String run() {
        if (options.loads().sweep()) {
            sweep = finished.find(new Figures().put("sample", "sweep")).orElseGet(this::findSaturation);
        }
        List<LoadPlan> plans = plans();
        for (int index = 0; index < plans.size() && !context.interruption().isInterrupted(); index++) {
            LoadPlan plan = plans.get(index);
            Figures key =
                    new Figures().put("sample", "load").put("index", index).put("rate_per_s", plan.ratePerSecond());
            Figures sample = finished.findValid(key).orElse(null);
            sample = sample == null ? load(index, plan, key) : sample;
            runs.addAll(sample.rows("rows"));
            context.progress()
                    .step(
                            index + 1,
                            plans.size(),
                            RunRows.words(sample.rows("rows").getFirst()));
        }
        return invalidReason();
    }

    private @Nullable String invalidReason() {
        if (sweep.flag("generator_limited") && options.target().kind() != LoadTarget.Kind.ECHO) {
            return "the sweep ended at " + Unit.PER_SECOND.text(sweep.number("saturation_per_s"))
                    + " because the generator fell behind, not the target";
        }
        return runs.stream()
                .filter(row -> !row.flag("valid"))
                .map(row -> "at " + Unit.PER_SECOND.text(row.number("rate_per_s")) + ": " + row.get("invalid_reason"))
                .findFirst()
                .orElse(null);
    }

    private List<LoadPlan> plans() {
        if (options.loads().arrivals() == ArrivalKind.REPLAY) {
            RecordedArrivals recorded =
                    RecordedArrivals.of(replay(), options.loads().seconds());
            return List.of(plan(recorded.ratePerSecond(), recorded.seconds()));
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

    /** What a generator's heap can hold in flight: what was asked, and the values that were not sent yet. */
    private LoadPlan plan(double rate, double seconds) {
        long each = options.target().isRedis() ? options.keys().valueBytes() + COMMAND_BYTES : 1;
        long pending = Math.clamp(LoadProcesses.HEAP_BYTES / 4 / each, PENDING_MIN, PENDING_MAX);
        return new LoadPlan(rate, seconds, DRAIN_SECONDS, pending);
    }

    private LoadSettings settings(LoadPlan plan, long seed) {
        Figures workload = new Figures()
                .put("workload", "keys")
                .put("keys", options.keys().count())
                .put("writes_percent", options.keys().writesPercent());
        String replay = options.loads().arrivals() == ArrivalKind.REPLAY ? replay().toString() : null;
        return new LoadSettings(
                processes.driver(), workload, options.loads().arrivals(), replay, plan, seed, Pacer.SPIN_NANOS);
    }

    private long seed(long number) {
        return options.seed() * SEED_STEP + number;
    }

    private Figures load(int index, LoadPlan plan, Figures key) {
        LoadSettings settings = settings(plan, seed(index));
        double window = options.quick() ? 0.5 : 2;
        Figures warmUp = scratch.warmUp(settings, window, window * (options.quick() ? 6 : 10));
        Figures before = RedisServer.used(processes.servers());
        long start = System.nanoTime();
        Figures seen = conductor.load(settings, String.valueOf(Math.round(plan.ratePerSecond())));
        seen.putAll(used(before, (System.nanoTime() - start) / 1e9));
        return finished.add(key.put("rows", rows(seen, warmUp)));
    }

    private List<Figures> rows(Figures seen, Figures warmUp) {
        Figures subject = new Figures()
                .put("subject", options.target().subject())
                .put("collector", null)
                .put("rate_per_s", seen.get("rate_per_s"));
        List<Figures> rows = RunRows.of(subject, seen, RunRows.failure(seen));
        rows.getFirst()
                .put("backlog_growth", seen.get("backlog_growth"))
                .put("backlog_max", seen.get("backlog_max"))
                .put("stopped", seen.get("stopped"))
                .put("warm_up", warmUp)
                .put("directory", "loads/" + seen.get("directory"))
                .put("responses_on", processes.generator().host());
        return rows;
    }

    /** Returns what the servers that were started for the run have used since. */
    private Figures used(Figures before, double seconds) {
        if (processes.servers().isEmpty()) {
            return new Figures();
        }
        Figures now = RedisServer.used(processes.servers());
        return new Figures()
                .put("cpu_cores", (now.number("cpu_ms") - before.number("cpu_ms")) / 1e3 / seconds)
                .put("memory_bytes", now.get("memory_bytes"));
    }

    private Figures findSaturation() {
        LoadSettings first = settings(plan(SWEEP_START_PER_SECOND, sweepSeconds()), seed(SEED_OF_SWEEP));
        scratch.warmUp(first, options.quick() ? 0.5 : 2, options.quick() ? 3 : 20);
        SaturationProbe probe =
                new SaturationProbe(scratch, rate -> first.withPlan(plan(rate, sweepSeconds())), context.progress());
        return finished.add(probe.sweep(SWEEP_START_PER_SECOND, options.quick() ? 0.1 : 0.02, options.quick() ? 1 : 3)
                .put("sample", "sweep"));
    }

    private double sweepSeconds() {
        return options.quick()
                ? 1
                : Math.clamp(Objects.requireNonNull(options.loads().seconds()) / 5, 2, 10);
    }
}
