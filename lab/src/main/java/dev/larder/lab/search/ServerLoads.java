package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.load.SaturationProbe;
import dev.larder.lab.process.Peer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The loads of one server, and their figures. */
final class ServerLoads {

    private static final double WINDOW_SECONDS = 5;
    private static final long SEED_OF_SWEEP = 500_000;
    private static final long SEED_STEP = 1_000_000;
    private static final double HALF = 0.5;
    private static final double DRAIN_SECONDS = 10;
    private static final long PENDING_MAX = 100_000;

    /** A server is warm after so many windows without that gain. */
    private static final int WARM_WINDOWS_LEVEL = 3;

    private static final double FASTER = 1.03;
    private static final int WARM_WINDOWS_MAX = 24;

    private final SearchConditions conditions;
    private final SearchOptions options;
    private final SearchCandidate candidate;
    private final SearchServer server;
    private final Conductor conductor;

    /** Makes a server listen for a generator. */
    ServerLoads(SearchConditions conditions, Peer generator, SearchCandidate candidate, SearchServer server) {
        this.conditions = conditions;
        options = conditions.options();
        this.candidate = candidate;
        this.server = server;
        Figures configuration = new Figures()
                .put("threads", options.threads())
                .put("host", options.hosts().listen());
        conductor = Conductor.of(generator, server.process(), configuration, conditions.responses());
    }

    /** Returns the load of so many searches a second, beside the updates of the options. */
    private LoadSettings settings(double rate, double seconds, long seed) {
        double updates = options.beside().updatesPerSecond();
        Figures workload = SearchWorkload.figures(conditions.files().documents(), updates / (rate + updates));
        LoadPlan plan = new LoadPlan(rate + updates, seconds, DRAIN_SECONDS, PENDING_MAX);
        return conductor.settings(workload, plan, options.seed() * SEED_STEP + seed);
    }

    /**
     * Finds the saturation, from half of the rate of successive searches; returns the sample.
     *
     * @param searchesPerSecond of a thread without other work
     */
    Figures sweep(double searchesPerSecond) {
        double startRate = HALF * options.threads() * searchesPerSecond;
        warmUp(settings(startRate, options.loads().seconds(), SEED_OF_SWEEP));
        SaturationProbe probe = new SaturationProbe(
                conductor,
                rate -> settings(rate, sweepSeconds(), SEED_OF_SWEEP),
                conditions.context().progress());
        return candidate
                .figures()
                .put("sample", "sweep")
                .putAll(probe.sweep(startRate, options.isShort() ? 0.2 : 0.03, options.isShort() ? 1 : 3));
    }

    /**
     * Makes the server run one search after the other until it gets no faster: a load well below its capacity would leave
     * code uncompiled for minutes. Returns the final searches per second.
     */
    double warm() {
        double best = 0;
        double last = window(0);
        int level = options.isShort() ? WARM_WINDOWS_LEVEL : 0;
        for (int i = 1; level < WARM_WINDOWS_LEVEL && i < WARM_WINDOWS_MAX; i++) {
            best = Math.max(best, last);
            last = window(i);
            level = last > best * FASTER ? 0 : level + 1;
        }
        return last;
    }

    /** Each window starts at other tasks. */
    private double window(int seed) {
        Figures window = new Figures()
                .put("seconds", options.isShort() ? 1 : WINDOW_SECONDS)
                .put("seed", seed);
        return server.ask("estimate", window).number("per_s");
    }

    /**
     * Warms the server up and loads it at a rate; returns the rows.
     *
     * @param about more figures for the rows
     */
    List<Figures> load(double rate, Figures about) {
        LoadSettings settings = settings(rate, options.loads().seconds(), Math.round(rate));
        Figures beside = warmUp(settings);
        Figures moved = server.moved();
        server.ask("reopened", new Figures());
        String name = candidate.name() + "-" + Math.round(rate);
        Figures load = conductor.load(settings, name);
        Figures reopened = server.ask("reopened", new Figures());
        beside.putAll(reopened.part("summary")).putAll(sincePressure(moved, server.moved()));
        conductor.keepHistograms(load, conditions.context().folder(), name);
        if (!options.keep()) {
            conductor.forget(load);
        }
        List<Figures> rows = rows(load.put("rate_per_s", rate), about, beside);
        rows.getFirst().put("reopens", Conductor.within(reopened.rows("reopens"), load.whole("target_start_nanos")));
        return rows;
    }

    private List<Figures> rows(Figures load, Figures about, Figures beside) {
        long documents = server.ask("state", new Figures()).whole("documents");
        String reason = invalidReason(load, conditions.files().documents(), documents);
        Figures subject = candidate
                .figures()
                .putAll(about)
                .put("updates_per_s", options.beside().updatesPerSecond())
                .put("index_bytes", conditions.files().bytes())
                .put("index_cached_bytes", server.cachedBytes())
                .put("generator_late", reason == null && load.get("invalid_reason") != null)
                .putAll(beside);
        return RunRows.of(subject, load, reason);
    }

    private Figures warmUp(LoadSettings settings) {
        double window = options.isShort() ? HALF : WINDOW_SECONDS;
        return conductor.warmUp(settings, window, options.loads().warmUpSeconds());
    }

    /**
     * Returns why the load of a server is void, other than by a late generator; null if it is not.
     *
     * @param load the conductor's answer
     * @param documents of the index, before and after all updates
     * @param found documents after the load
     */
    static @Nullable String invalidReason(Figures load, long documents, long found) {
        boolean isAnswered = load.rows("operations").getFirst().whole("errors") == 0;
        String failure = isAnswered && load.flag("saturated") ? null : RunRows.failure(load);
        if (failure != null) {
            return failure;
        }
        return found == documents
                ? null
                : "the index has " + found + " documents after the updates, expected " + documents;
    }

    /** Counts moved bytes from before the load; reads the group's use after it. */
    private static Figures sincePressure(Figures before, Figures after) {
        Figures since = new Figures();
        after.names()
                .forEach(name -> since.put(
                        "pressure_" + name,
                        name.startsWith("group")
                                ? after.get(name)
                                : Double.valueOf(after.number(name) - before.number(name))));
        return since;
    }

    private double sweepSeconds() {
        return options.isShort() ? 1 : Math.clamp(options.loads().seconds() / 3, 3, 15);
    }
}
