package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.load.LoadOrder;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.process.Peer;
import dev.larder.lab.process.ProcessPriority;
import dev.larder.lab.report.Unit;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Loads one candidate after another. Each is a server that runs alone, with the same generator and, at the same rate, the
 * same requests at the same moments.
 */
final class SearchRun implements AutoCloseable {

    /** The generator's part on another host. */
    static final String PART = "search-generator";

    private static final double PERCENT = 100;
    private static final double ECHO_PER_SECOND = 20_000;
    private static final double ECHO_SECONDS = 1;
    private static final double ECHO_UPDATES_SHARE = 0.5;

    private final SearchConditions conditions;
    private final SearchOptions.Loads loads;
    private final LoadOrder order;
    private final LoadGenerator generator;
    private final Answers answers = new Answers();
    private final List<Figures> openings = new ArrayList<>();
    private final Figures saturations = new Figures();
    private final List<Figures> sweeps = new ArrayList<>();

    SearchRun(SearchConditions conditions, int candidates) {
        this.conditions = conditions;
        loads = conditions.options().loads();
        int each = loads.sweep()
                ? 1 + 2 * loads.percents().size()
                : loads.ratesPerSecond().size();
        order = new LoadOrder(conditions.context(), candidates * each);
        String command = conditions.options().hosts().generator();
        LoadGenerator.Where where = new LoadGenerator.Where(
                command, PART, SearchGenerator.HEAP_BYTES, SearchGenerator.class, ProcessPriority.REAL_TIME);
        generator = new LoadGenerator(conditions.context(), where, this::prepare);
    }

    /**
     * Sends the tasks to the generator. At a few searches a second its code would stay uncompiled for minutes, so it first
     * sends many to an echo.
     */
    private void prepare(Peer running) {
        SearchFiles files = conditions.files();
        running.ask(
                "tasks",
                new Figures().put("text", SearchTasks.read(files.queries()).text()));
        Figures nobody = new Figures().put("name", "echo");
        Figures workload = SearchWorkload.figures(files.documents(), ECHO_UPDATES_SHARE);
        LoadPlan many = LoadPlan.of(ECHO_PER_SECOND, ECHO_SECONDS);
        Conductor alone = new Conductor(running, Optional.empty(), nobody, conditions.responses());
        alone.probe(alone.settings(workload, many, conditions.options().seed()), "echo");
    }

    /** Returns its part of the result so far. */
    Figures figures() {
        return new Figures()
                .put("generator_priority", generator.priority())
                .put("saturation_per_s", loads.sweep() ? saturations : null)
                .put("sweeps", loads.sweep() ? sweeps : null)
                .put("openings", openings);
    }

    /** Finds the saturation of each if no rates were given, and loads each; returns the rows. */
    List<Figures> run(List<SearchCandidate> candidates) {
        candidates.forEach(
                candidate -> order.subject(candidate.title(), candidate.figures(), () -> measure(candidate)));
        return order.rows();
    }

    /** Uses one server for all missing loads. */
    private void measure(SearchCandidate candidate) {
        Figures key = candidate.sample("sweep");
        order.finished().find(key).ifPresent(sweep -> saturates(candidate, sweep));
        boolean known = !loads.sweep() || saturations.has(candidate.name());
        if (!known || !order.takesAll(keys(candidate))) {
            try (SearchServer server = open(candidate)) {
                ServerLoads under = new ServerLoads(conditions, generator.peer(), candidate, server);
                double searchesPerSecond = under.warm();
                if (!known) {
                    order.begin(candidate.title() + ", sweep");
                    saturates(candidate, order.finished().add(under.sweep(searchesPerSecond)));
                }
                rates(candidate).forEach(rate -> load(candidate, under, rate));
            }
        }
        order.finished().find(candidate.sample("opening")).ifPresent(openings::add);
    }

    private void saturates(SearchCandidate candidate, Figures sweep) {
        sweeps.add(sweep);
        saturations.put(candidate.name(), sweep.get("saturation_per_s"));
        order.step(candidate.title() + " saturates at " + Unit.PER_SECOND.text(sweep.number("saturation_per_s")));
    }

    private List<Figures> keys(SearchCandidate candidate) {
        return rates(candidate).stream().map(rate -> key(candidate, rate)).toList();
    }

    private static Figures key(SearchCandidate candidate, double rate) {
        return candidate.figures().put("sample", "load").put("rate_per_s", rate);
    }

    private void load(SearchCandidate candidate, ServerLoads under, double rate) {
        Figures about = new Figures()
                .put("common", commonRates().contains(rate))
                .put("percent_of_saturation", PERCENT * rate / saturations.number(candidate.name()));
        order.load(
                candidate.title() + " at " + Unit.PER_SECOND.text(rate),
                key(candidate, rate),
                () -> under.load(rate, about));
    }

    /**
     * Returns the rates of a candidate, ascending, so that an overload comes last. They are the given rates, or shares of
     * its own saturation and of the first measured candidate's.
     */
    private Set<Double> rates(SearchCandidate candidate) {
        Set<Double> rates = new TreeSet<>();
        if (loads.sweep()) {
            rates.addAll(shares(saturations.number(candidate.name())));
        }
        rates.addAll(commonRates());
        return rates;
    }

    /** Returns the rates for every candidate. */
    private List<Double> commonRates() {
        return loads.sweep()
                ? shares(saturations.number(saturations.names().iterator().next()))
                : loads.ratesPerSecond();
    }

    private List<Double> shares(double saturation) {
        return loads.percents().stream()
                .map(percent -> Math.max(1.0, Math.rint(saturation * percent / PERCENT)))
                .toList();
    }

    /** Opens a server and checks its answers. */
    private SearchServer open(SearchCandidate candidate) {
        SearchServer server = SearchServer.start(candidate, conditions);
        try {
            server.check(answers);
            SearchOptions.Beside beside = conditions.options().beside();
            if (beside.pressure()) {
                server.press(beside.companionBytesPerSecond(), conditions.context());
            }
            order.finished().add(candidate.figures().put("sample", "opening").putAll(server.opened()));
            return server;
        } catch (LarderException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Returns why a whole run is void; null if everything that this machine can serve was measured, and no answer was
     * wrong.
     */
    static @Nullable String invalidReason(List<Figures> rows) {
        return RunRows.invalidReason(rows, SearchRun::voidsTheRun);
    }

    /** A load with a late generator voids only itself, if the same server has a valid load. */
    private static boolean voidsTheRun(Figures row, List<Figures> measured) {
        return !row.flag("generator_late")
                || measured.stream().noneMatch(other -> other.flag("valid") && isSameServer(row, other));
    }

    private static boolean isSameServer(Figures row, Figures other) {
        return Objects.equals(row.get("subject"), other.get("subject"))
                && Objects.equals(row.get("collector"), other.get("collector"));
    }

    @Override
    public void close() {
        generator.close();
    }
}
