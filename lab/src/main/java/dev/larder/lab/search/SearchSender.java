package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.load.LoadPair;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.process.Peer;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The generator of a run, which loads one server after another, and what it is told to send. */
final class SearchSender implements AutoCloseable {

    /** What the generator plays on another host. */
    static final String PART = "search-generator";

    private static final double ECHO_PER_SECOND = 20_000;
    private static final double ECHO_SECONDS = 1;
    private static final double ECHO_UPDATES_SHARE = 0.5;
    private static final double DRAIN_SECONDS = 10;
    private static final long PENDING_MAX = 100_000;
    private static final long SEED_STEP = 1_000_000;

    private final SearchOptions options;
    private final SearchFiles files;
    private final RunContext context;
    private final LoadGenerator generator;

    SearchSender(SearchConditions conditions) {
        options = conditions.options();
        files = conditions.files();
        context = conditions.context();
        LoadGenerator.Where where = new LoadGenerator.Where(
                options.hosts().generator(), PART, SearchGenerator.HEAP_BYTES, SearchGenerator.class);
        generator = new LoadGenerator(context, where, this::prepare);
    }

    /**
     * Tells it the tasks. At some searches a second the generator would run for minutes before it is compiled: so it sends many
     * to nobody.
     */
    private void prepare(Peer running) {
        running.ask(
                "tasks",
                new Figures().put("text", SearchTasks.read(files.queries()).text()));
        LoadPlan many = LoadPlan.of(ECHO_PER_SECOND, ECHO_SECONDS);
        Figures nobody = new Figures().put("name", "echo");
        new Conductor(running, Optional.empty(), responses())
                .probe(LoadSettings.of(nobody, workload(ECHO_UPDATES_SHARE), many, options.seed()), "echo");
    }

    /** Returns how nice the process is to others; null when none was needed on this host. */
    @Nullable
    Integer niceness() {
        return generator.niceness();
    }

    /** Returns the directory that responses go to. */
    Path responses() {
        return Directories.create(context.data().resolve("responses"));
    }

    private Figures workload(double updatesShare) {
        return new Figures()
                .put("workload", SearchWorkload.NAME)
                .put("documents", files.documents())
                .put("updates_share", updatesShare);
    }

    /** Returns the load of so many searches a second on a server, with the updates of the options beside them. */
    LoadSettings settings(SearchServer server, double rate, double seconds, long seed) {
        double updates = options.beside().updatesPerSecond();
        LoadPlan plan = new LoadPlan(rate + updates, seconds, DRAIN_SECONDS, PENDING_MAX);
        return pair(server).settings(workload(updates / (rate + updates)), plan, options.seed() * SEED_STEP + seed);
    }

    /** Returns who runs loads on a server. */
    Conductor conductor(SearchServer server) {
        return pair(server).conductor();
    }

    private LoadPair pair(SearchServer server) {
        Figures configuration = new Figures()
                .put("threads", options.threads())
                .put("host", options.hosts().listen());
        return server.listen(generator.peer(), configuration, responses());
    }

    @Override
    public void close() {
        generator.close();
    }
}
