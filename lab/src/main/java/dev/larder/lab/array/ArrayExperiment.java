package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.report.Report;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;

/** Several servers as one, beside a single Redis on the same processors. */
public final class ArrayExperiment extends DeclaredExperiment<ArrayOptions> {

    /** Its declaration. */
    public static final Study<ArrayOptions> STUDY = new Study<>(
            "array",
            ArrayOptions.class,
            ArrayExperiment::new,
            "An array of servers beside a single Redis, on the same processors.",
            "Keys are loaded; then several clients read and write random ones, in closed and in open loops, up to"
                + " saturation. A node is killed under load and comes back. Then arrays of other numbers of stripes.");

    /** The experiment with its options. */
    public ArrayExperiment(ArrayOptions options) {
        super(STUDY, options);
    }

    @Override
    public Findings run(RunContext context) {
        ArrayRun run = new ArrayRun(options, context);
        String reason = context.reasonOf(run::run);
        return new Findings(run.figures(), JavaProcess.facts(), reason);
    }

    @Override
    public Report report(Figures result) {
        return new ArrayReport(result).report();
    }
}
