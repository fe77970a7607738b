package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.report.Report;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;

/**
 * What each option of a queue does to the time of an append, and to the time from an append to a tailer in another
 * process, at a fixed rate.
 *
 * <p>Messages leave at moments that were drawn before, and every time is counted from these. A row of the table changes
 * one option; a queue opened without options is the first.
 */
public final class LatencyExperiment extends DeclaredExperiment<LatencyOptions> {

    /** Its declaration. */
    public static final Study<LatencyOptions> STUDY = new Study<>(
            "latency",
            LatencyOptions.class,
            LatencyExperiment::new,
            "The effect of each option on the time of an append, and from an append to a tailer in another process.",
            "Messages leave at moments that are drawn before, and times count from these; each row changes one option:"
                    + " how the tailer waits, pinned threads, locked pages, syncs, preparation.");

    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long RECORD_HEADER_BYTES = 8;

    /** The experiment with its options. */
    public LatencyExperiment(LatencyOptions options) {
        super(STUDY, options);
    }

    private Budget diskBudget() {
        double seconds = options.duration().plus(options.warmUp()).toMillis() / 1e3;
        double messages = seconds * Math.max(options.ratePerSecond(), options.syncedRatePerSecond());
        long queue = (long) (messages * (options.messageBytes() + RECORD_HEADER_BYTES)) + 2 * SEGMENT_BYTES;
        int queues = options.keep() ? options.chosenRows().size() : 1;
        return new Budget().add(queues == 1 ? "queue" : "queues", queues * queue);
    }

    @Override
    public Findings run(RunContext context) {
        diskBudget().check(context.data());
        LatencyRun run = new LatencyRun(options, context);
        String reason = context.reasonOf(run::run);
        return new Findings(LatencyResult.figures(run.rows()), run.jvm(), reason);
    }

    @Override
    public Report report(Figures result) {
        return new LatencyReport(result).report();
    }
}
