package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.Experiment;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.result.ResultFolder;
import dev.larder.lab.study.Study;
import dev.larder.memory.LarderException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Open-loop load on whatever speaks the Redis protocol; or, to try the instrument, on a target whose behaviour is known. */
public final class LoadExperiment implements Experiment {

    /** Its declaration. */
    public static final Study<LoadOptions> STUDY = new Study<>(
            "load",
            LoadOptions.class,
            LoadExperiment::new,
            "Response times of whatever speaks the Redis protocol, under open-loop load.",
            "Requests leave in their time, however late the target is; every response time is kept, and counts from"
                    + " when its request was to leave. A sweep finds the rate at which the target saturates.");

    private final LoadOptions options;

    /** The experiment with its options. */
    public LoadExperiment(LoadOptions options) {
        this.options = options;
    }

    /** Returns the main classes that an agent may start for it, by what they play. */
    public static Map<String, Class<?>> parts() {
        return LoadProcesses.parts();
    }

    @Override
    public String name() {
        return STUDY.name();
    }

    @Override
    public Figures options() {
        return options.figures();
    }

    @Override
    public long seed() {
        return options.seed();
    }

    @Override
    public boolean continues() {
        return true;
    }

    @Override
    public Findings run(RunContext context) {
        try (LoadProcesses processes = new LoadProcesses(options, context)) {
            String server = processes.start();
            Figures jvm = processes.generator().ask("facts", new Figures());
            LoadRun run = new LoadRun(options, context, processes);
            String reason = invalidReason(run, context);
            return new Findings(figures(run, server), jvm, reason);
        } catch (LarderException e) {
            if (context.interruption().isInterrupted()) { // before the first load
                return new Findings(new Figures(), JavaProcess.facts(), null);
            }
            throw e;
        }
    }

    /** Runs to the end, or to where it broke off; returns why what was found proves nothing, or null. */
    private static @Nullable String invalidReason(LoadRun run, RunContext context) {
        try {
            return run.run();
        } catch (LarderException e) {
            if (context.interruption().isInterrupted()) {
                return null;
            }
            return e.getMessage();
        }
    }

    private Figures figures(LoadRun run, @Nullable String server) {
        String subject = options.target().subject();
        return new Figures()
                .put("server", server)
                .put(
                        "saturation_per_s",
                        options.loads().sweep()
                                ? new Figures().put(subject, run.sweep().get("saturation_per_s"))
                                : null)
                .put("sweep", options.loads().sweep() ? run.sweep() : null)
                .put("theory", options.target().theory())
                .put("runs", run.runs());
    }

    @Override
    public void present(Figures result, ResultFolder folder) {
        new LoadReport(result).write(folder);
    }

    @Override
    public String table(Figures result) {
        return new LoadReport(result).text();
    }
}
