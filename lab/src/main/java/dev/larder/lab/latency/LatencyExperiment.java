package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.Experiment;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.DiskBudget;
import dev.larder.lab.result.ResultFolder;
import dev.larder.lab.study.Settings;
import dev.larder.lab.study.Study;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What each option of a queue does to the time of an append, and to the time from an append to a tailer in another
 * process, at a fixed rate.
 *
 * <p>Messages leave at moments that were drawn before, and every time is counted from these. A row of the table changes
 * one option; a queue opened without options is the first.
 */
public final class LatencyExperiment implements Experiment {

    /** Its declaration. */
    public static final Study<LatencyOptions> STUDY = new Study<>(
            "latency",
            LatencyOptions.class,
            LatencyExperiment::new,
            "What each option does to the time of an append, and from an append to a tailer in another process.",
            "Messages leave at moments that are drawn before, and times count from these; each row changes one option:"
                    + " how the tailer waits, pinned threads, locked pages, syncs, preparation.");

    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long RECORD_HEADER_BYTES = 8;

    private final LatencyOptions options;

    /** The experiment with its options. */
    public LatencyExperiment(LatencyOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return STUDY.name();
    }

    @Override
    public Figures options() {
        return Settings.figures(options);
    }

    @Override
    public long seed() {
        return options.seed();
    }

    @Override
    public @Nullable Path directory() {
        return options.directory();
    }

    private DiskBudget diskBudget() {
        double seconds = options.duration().plus(options.warmUp()).toMillis() / 1e3;
        double messages = seconds * Math.max(options.ratePerSecond(), options.syncedRatePerSecond());
        long queue = (long) (messages * (options.messageBytes() + RECORD_HEADER_BYTES)) + 2 * SEGMENT_BYTES;
        int queues = options.keep() ? options.chosenRows().size() : 1;
        return new DiskBudget().add(queues == 1 ? "queue" : "queues", queues * queue);
    }

    @Override
    public Findings run(RunContext context) {
        diskBudget().check(context.data());
        LatencyRun run = new LatencyRun(options, context);
        String reason = invalidReason(run, context);
        return new Findings(LatencyResult.figures(run.rows()), run.jvm(), reason);
    }

    private static @Nullable String invalidReason(LatencyRun run, RunContext context) {
        try {
            return run.run();
        } catch (LarderException e) {
            if (context.interruption().isInterrupted()) {
                return null;
            }
            return e.getMessage();
        }
    }

    @Override
    public void present(Figures result, ResultFolder folder) {
        new LatencyReport(result).write(folder);
    }

    @Override
    public String table(Figures result) {
        return new LatencyReport(result).text();
    }
}
