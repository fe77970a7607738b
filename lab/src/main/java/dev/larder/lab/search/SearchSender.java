package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.GeneratorProcess;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The generator of a run, which loads one server after another, and what it is told to send. */
final class SearchSender implements AutoCloseable {

    private static final double ECHO_PER_SECOND = 20_000;
    private static final double ECHO_SECONDS = 1;
    private static final double ECHO_UPDATES_SHARE = 0.5;
    private static final double DRAIN_SECONDS = 10;
    private static final long PENDING_MAX = 100_000;
    private static final long SEED_STEP = 1_000_000;

    private final SearchOptions options;
    private final SearchFiles files;
    private final RunContext context;
    private @Nullable GeneratorProcess process;

    SearchSender(SearchOptions options, SearchFiles files, RunContext context) {
        this.options = options;
        this.files = files;
        this.context = context;
    }

    /** Returns the process, which is started when it is first needed. */
    GeneratorProcess process() {
        GeneratorProcess running = process;
        if (running == null) {
            running = GeneratorProcess.startRaised(
                    context.folder().directory(), SearchGenerator.HEAP_BYTES, SearchGenerator.class);
            context.interruption().guard(running.process());
            process = running;
            compile(running);
        }
        return running;
    }

    /**
     * At some searches a second the generator would run for minutes before it is compiled: so it sends many to nobody.
     */
    private void compile(GeneratorProcess running) {
        LoadPlan many = LoadPlan.of(ECHO_PER_SECOND, ECHO_SECONDS);
        Figures nobody = new Figures().put("name", "echo");
        new Conductor(running.process(), Optional.empty(), responses())
                .probe(LoadSettings.of(nobody, workload(ECHO_UPDATES_SHARE), many, options.seed()), "echo");
    }

    /** Returns how nice the process is to others; null when it was not needed. */
    @Nullable
    Integer niceness() {
        return process == null ? null : Integer.valueOf(process.niceness());
    }

    /** Returns the directory that responses go to. */
    Path responses() {
        return Directories.create(context.data().resolve("responses"));
    }

    private Figures workload(double updatesShare) {
        return new Figures()
                .put("workload", SearchWorkload.NAME)
                .put("queries", files.queries().toAbsolutePath())
                .put("documents", files.documents())
                .put("updates_share", updatesShare);
    }

    /** Returns the load of so many searches a second on a server, with the updates of the options beside them. */
    LoadSettings settings(SearchServer server, double rate, double seconds, long seed) {
        double updates = options.beside().updatesPerSecond();
        LoadPlan plan = new LoadPlan(rate + updates, seconds, DRAIN_SECONDS, PENDING_MAX);
        return server.listen(process(), options.threads(), responses())
                .settings(workload(updates / (rate + updates)), plan, options.seed() * SEED_STEP + seed);
    }

    /** Returns who runs loads on a server. */
    Conductor conductor(SearchServer server) {
        return server.listen(process(), options.threads(), responses()).conductor();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
