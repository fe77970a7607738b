package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.report.Report;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import dev.larder.memory.LarderException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Open-loop load on a server of the Redis protocol or, to test the instrument, on a target of known behaviour. */
public final class LoadExperiment extends DeclaredExperiment<LoadOptions> {

    /** Its declaration. */
    public static final Study<LoadOptions> STUDY = new Study<>(
            "load",
            LoadOptions.class,
            LoadExperiment::new,
            "Response times of a server that speaks the Redis protocol, under open-loop load.",
            "Each request leaves at its planned time, however late the target is. Every response time counts from "
                    + "that time, and is kept. A sweep finds the rate at which the target saturates.");

    /** The experiment with its options. */
    public LoadExperiment(LoadOptions options) {
        super(STUDY, options);
    }

    /** Returns its main classes that may run on another host, by part. */
    public static Map<String, Class<?>> parts() {
        return LoadProcesses.parts();
    }

    @Override
    public Figures options() {
        return options.figures();
    }

    @Override
    public boolean continues() {
        return true;
    }

    @Override
    public Findings run(RunContext context) {
        context.folder().claim(LoadRun.LOADS); // before anything is started
        try (LoadProcesses processes = new LoadProcesses(options, context)) {
            String server = processes.start();
            Figures jvm = processes.generator().ask("facts", new Figures());
            LoadRun run = new LoadRun(options, context, processes);
            String reason = context.reasonOf(run::run);
            return new Findings(figures(run, server), jvm, reason);
        } catch (LarderException e) {
            if (context.interruption().isInterrupted()) { // before the first load
                return new Findings(new Figures(), JavaProcess.facts(), null);
            }
            throw e;
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
    public Report report(Figures result) {
        return new LoadReport(result).report();
    }
}
