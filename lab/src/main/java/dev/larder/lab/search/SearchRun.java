package dev.larder.lab.search;

import dev.larder.lab.RunContext;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.GeneratorProcess;
import dev.larder.lab.load.LoadPair;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.load.SaturationProbe;
import dev.larder.lab.load.Sweep;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.Figures;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts loads on one candidate after another: each a server of its own, none beside another, all with the same generator
 * and, at the same rate, the same requests at the same moments.
 */
final class SearchRun implements AutoCloseable {

    private static final double PERCENT = 100;
    private static final double DRAIN_SECONDS = 10;
    private static final long PENDING_MAX = 100_000;
    private static final long SEED_STEP = 1_000_000;
    private static final long SEED_OF_SWEEP = 500_000;
    private static final double HALF = 0.5;
    private static final double ECHO_PER_SECOND = 20_000;
    private static final double ECHO_SECONDS = 1;

    private final SearchOptions options;
    private final SearchFiles files;
    private final Class<?> main;
    private final RunContext context;
    private final FinishedSearches finished;
    private final Answers answers = new Answers();
    private final List<Figures> rows = new ArrayList<>();
    private final List<Figures> openings = new ArrayList<>();
    private final Figures saturations = new Figures();
    private final List<Figures> sweeps = new ArrayList<>();
    private @Nullable GeneratorProcess generator;
    private int done;
    private int steps = 1;

    SearchRun(SearchOptions options, SearchFiles files, Class<?> main, RunContext context) {
        this.options = options;
        this.files = files;
        this.main = main;
        this.context = context;
        finished = new FinishedSearches(context.finished());
    }

    /** Returns its part of the result, as far as it has come. */
    Figures figures() {
        return new Figures()
                .put("generator_niceness", generator == null ? null : Integer.valueOf(generator.niceness()))
                .put("saturation_per_s", options.loads().sweep() ? saturations : null)
                .put("sweeps", options.loads().sweep() ? sweeps : null)
                .put("openings", openings)
                .put("runs", rows);
    }

    List<Figures> rows() {
        return rows;
    }

    /** Looks for the saturation of each where no rates were given, then puts the loads on each. */
    void run(List<SearchCandidate> candidates) {
        List<SearchCandidate> serving = new ArrayList<>(candidates);
        if (options.loads().sweep()) {
            steps = candidates.size() * (1 + 2 * options.loads().percents().size());
            serving.removeIf(candidate -> !succeeds(candidate, this::saturation));
        } else {
            steps = candidates.size() * options.loads().ratesPerSecond().size();
        }
        for (SearchCandidate candidate : serving) {
            succeeds(candidate, this::loads);
        }
    }

    private interface Part {
        void run(SearchCandidate candidate);
    }

    /** A candidate that ends before its time, or cannot be served here, leaves a row that says so; the next one begins. */
    private boolean succeeds(SearchCandidate candidate, Part part) {
        if (context.interruption().isInterrupted()) {
            return false;
        }
        try {
            part.run(candidate);
            return true;
        } catch (SkippedException e) {
            notMeasured(candidate, "skipped", "skipped_reason", e);
        } catch (LabException e) {
            if (!context.interruption().isInterrupted()) {
                notMeasured(candidate, "failed", "failed_reason", e);
            }
        }
        return false;
    }

    private void notMeasured(SearchCandidate candidate, String word, String why, LabException e) {
        context.progress().line(candidate.title() + " " + word + ": " + e.getMessage());
        rows.add(notMeasured(candidate, why, String.valueOf(e.getMessage())));
    }

    /** Returns the row of what was not measured. */
    static Figures notMeasured(SearchCandidate candidate, String why, String reason) {
        return candidate
                .figures()
                .put("operation", "all")
                .put(why, reason)
                .put("valid", false);
    }

    private void saturation(SearchCandidate candidate) {
        Figures sweep = finished.of("sweep", candidate).orElse(null);
        if (sweep == null) {
            sweep = sweep(candidate);
            add(sweep);
        }
        sweeps.add(sweep);
        saturations.put(candidate.name(), sweep.get("saturation_per_s"));
        step(candidate.title() + " saturates at " + Unit.PER_SECOND.text(sweep.number("saturation_per_s")));
    }

    private Figures sweep(SearchCandidate candidate) {
        context.progress().step(done, steps, candidate.title() + ", sweep");
        try (SearchServer server = open(candidate)) {
            double startRate = HALF * server.ask("estimate", new Figures().put("seconds", quickOr(1, 10)))
                    .number("per_s") * options.threads();
            Conductor conductor = listen(server).conductor();
            double window = windowSeconds();
            conductor.warmUp(settings(server, startRate, window, SEED_OF_SWEEP), window, warmUpSeconds());
            SaturationProbe probe = new SaturationProbe(
                    conductor, rate -> settings(server, rate, sweepSeconds(), SEED_OF_SWEEP), context.progress());
            List<Sweep.Edge> edges =
                    new Sweep(probe::saturates, quickOr(0.2, 0.03), isShort() ? 1 : 3).run(startRate);
            return candidate.figures().put("sample", "sweep").putAll(probe.figures(edges));
        }
    }

    private void loads(SearchCandidate candidate) {
        List<Double> missing = new ArrayList<>();
        for (double rate : rates(candidate)) {
            Figures sample = finished.load(candidate, rate).orElse(null);
            if (sample == null) {
                missing.add(rate);
            } else {
                rows.addAll(sample.rows("rows"));
                done++;
            }
        }
        if (missing.isEmpty()) {
            finished.of("opening", candidate).ifPresent(openings::add);
            return;
        }
        try (SearchServer server = open(candidate)) {
            listen(server);
            for (double rate : missing) {
                if (context.interruption().isInterrupted()) {
                    return;
                }
                context.progress()
                        .step(done, steps, candidate.title() + " at " + Unit.PER_SECOND.text(rate));
                Figures sample = load(candidate, server, rate);
                add(sample);
                rows.addAll(sample.rows("rows"));
                step(words(candidate, sample.rows("rows").get(1)));
            }
            openings.add(finished.of("opening", candidate).orElseThrow());
        }
    }

    /** Returns the rates of a candidate: those given, or shares of its own saturation and of the first candidate's. */
    private Set<Double> rates(SearchCandidate candidate) {
        Set<Double> rates = new LinkedHashSet<>(options.loads().ratesPerSecond());
        if (options.loads().sweep()) {
            rates.addAll(shares(saturations.number(candidate.name())));
            rates.addAll(commonRates());
        }
        return rates;
    }

    /** Returns the rates that every candidate is put under. */
    private List<Double> commonRates() {
        return options.loads().sweep()
                ? shares(saturations.number(saturations.names().iterator().next()))
                : options.loads().ratesPerSecond();
    }

    private List<Double> shares(double saturation) {
        return options.loads().percents().stream()
                .map(percent -> Math.max(1.0, Math.rint(saturation * percent / PERCENT)))
                .toList();
    }

    private SearchServer open(SearchCandidate candidate) {
        SearchServer server = SearchServer.start(candidate, main, options, files, context);
        try {
            String skipped = server.skippedReason();
            if (skipped != null) {
                throw new SkippedException(skipped);
            }
            String wrong = answers.invalidReason(candidate.name(), server.ask("answers", new Figures()));
            if (wrong != null) {
                throw new LabException(wrong);
            }
            if (options.beside().pressure()) {
                server.press(
                        options.beside().pressureBytesPerSecond(),
                        context.folder().directory(),
                        context.interruption());
            }
            add(candidate.figures().put("sample", "opening").putAll(server.opened()));
            return server;
        } catch (LabException e) {
            server.close();
            throw e;
        }
    }

    private LoadPair listen(SearchServer server) {
        return server.listen(generator(), options.threads(), responses());
    }

    private Path responses() {
        return Directories.create(context.data().resolve("responses"));
    }

    private GeneratorProcess generator() {
        GeneratorProcess running = generator;
        if (running == null) {
            running = GeneratorProcess.startRaised(
                    context.folder().directory(), SearchGenerator.HEAP_BYTES, SearchGenerator.class);
            context.interruption().guard(running.process());
            compile(running);
            generator = running;
        }
        return running;
    }

    /** At some searches a second the generator would run for minutes before it is compiled: so it sends many to nobody. */
    private void compile(GeneratorProcess running) {
        LoadPlan many = LoadPlan.of(ECHO_PER_SECOND, ECHO_SECONDS);
        Figures nobody = new Figures().put("name", "echo");
        new Conductor(running.process(), Optional.empty(), responses())
                .probe(LoadSettings.of(nobody, workload(HALF), many, options.seed()), "echo");
    }

    private Figures workload(double updatesShare) {
        return new Figures()
                .put("workload", SearchWorkload.NAME)
                .put("queries", files.queries().toAbsolutePath())
                .put("documents", files.documents())
                .put("updates_share", updatesShare);
    }

    /** Searches and updates are two Poisson processes; together they are one, in which each is an update by chance. */
    private LoadSettings settings(SearchServer server, double rate, double seconds, long seed) {
        double updates = options.beside().updatesPerSecond();
        Figures workload = workload(updates / (rate + updates));
        LoadPlan plan = new LoadPlan(rate + updates, seconds, DRAIN_SECONDS, PENDING_MAX);
        return listen(server).settings(workload, plan, options.seed() * SEED_STEP + seed);
    }

    private Figures load(SearchCandidate candidate, SearchServer server, double rate) {
        LoadSettings settings = settings(server, rate, options.loads().seconds(), Math.round(rate));
        Figures beside = warmUp(server, settings);
        Figures moved = server.moved();
        server.ask("reopened", new Figures());
        Figures load = listen(server).conductor().load(settings, candidate.name() + "-" + Math.round(rate));
        Figures reopened = server.ask("reopened", new Figures());
        beside.putAll(reopened.part("summary")).putAll(sincePressure(moved, server.moved()));
        keepHistograms(candidate, rate, responses().resolve(load.text("directory")));
        long documents = server.ask("state", new Figures()).whole("documents");
        String reason = SearchChecks.invalidReason(load, files.documents(), documents);
        Figures subject = subject(candidate, rate)
                .put("index_cached_bytes", server.cachedBytes())
                .put("generator_late", reason == null && load.get("invalid_reason") != null)
                .putAll(beside);
        List<Figures> measured = RunRows.of(subject, load.put("rate_per_s", rate), reason);
        measured.getFirst().put("reopens", within(reopened.rows("reopens"), load.whole("start_nanos")));
        return candidate.figures().put("sample", "load").put("rate_per_s", rate).put("rows", measured);
    }

    /** Gives each reopening the second within the load at which it began. */
    private static List<Figures> within(List<Figures> reopens, long start) {
        return reopens.stream()
                .filter(reopen -> reopen.whole("start_nanos") >= start)
                .map(reopen -> new Figures()
                        .put("second", (reopen.whole("start_nanos") - start) / 1e9)
                        .put("ms", reopen.get("ms"))
                        .put("updates", reopen.get("updates"))
                        .put("visible_ms_max", reopen.get("visible_ms_max")))
                .toList();
    }

    private Figures subject(SearchCandidate candidate, double rate) {
        return candidate
                .figures()
                .put("common", commonRates().contains(rate))
                .put("percent_of_saturation", PERCENT * rate / saturations.number(candidate.name()))
                .put("updates_per_s", options.beside().updatesPerSecond())
                .put("index_bytes", files.bytes());
    }

    private Figures warmUp(SearchServer server, LoadSettings settings) {
        double window = windowSeconds();
        Figures warmUp = warmUpSeconds() < window
                ? new Figures().put("seconds", 0).put("converged", false)
                : listen(server).conductor().warmUp(settings, window, warmUpSeconds());
        return new Figures()
                .put("warm_up_seconds", warmUp.get("seconds"))
                .put("warm_up_converged", warmUp.get("converged"));
    }

    private static Figures sincePressure(Figures before, Figures after) {
        Figures since = new Figures();
        after.names().forEach(name -> since.put(
                "pressure_" + name,
                name.startsWith("group") ? after.get(name) : Double.valueOf(after.number(name) - before.number(name))));
        return since;
    }

    /** The responses go with the data; their histograms stay. */
    private void keepHistograms(SearchCandidate candidate, double rate, Path load) {
        Path histograms = Directories.create(context.folder().file("histograms"));
        try {
            Files.copy(
                    load.resolve("responses.hlog"),
                    histograms.resolve(candidate.name() + "-" + Math.round(rate) + ".hlog"),
                    StandardCopyOption.REPLACE_EXISTING);
            if (!options.keep()) {
                Directories.delete(load);
            }
        } catch (IOException e) {
            throw new LabException("cannot keep the histograms in " + histograms + ": " + e.getMessage(), e);
        }
    }

    private boolean isShort() {
        return options.loads().seconds() < 5;
    }

    private double quickOr(double quick, double full) {
        return isShort() ? quick : full;
    }

    private double windowSeconds() {
        return quickOr(HALF, 5);
    }

    private double warmUpSeconds() {
        return options.loads().warmUpSeconds();
    }

    private double sweepSeconds() {
        return isShort() ? 1 : Math.clamp(options.loads().seconds() / 3, 3, 15);
    }

    private void add(Figures sample) {
        finished.add(sample);
        context.folder().addSample(sample);
    }

    private void step(String text) {
        context.progress().step(++done, steps, text);
    }

    private static String words(SearchCandidate candidate, Figures row) {
        return String.format(
                Locale.ROOT,
                "%s at %s: p50 %s, p99 %s",
                candidate.title(),
                Unit.PER_SECOND.text(row.number("rate_per_s")),
                Unit.MICROSECONDS.text(row.number("p50_us")),
                Unit.MICROSECONDS.text(row.number("p99_us")));
    }

    @Override
    public void close() {
        if (generator != null) {
            generator.close();
        }
    }
}
