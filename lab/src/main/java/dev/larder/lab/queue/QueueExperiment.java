package dev.larder.lab.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.process.CompressingVolume;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Rows;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import dev.larder.memory.MemoryNodes;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tests the claim that a queue many times larger than memory is as fast as a small one.
 *
 * <p>A child process under a memory limit writes, syncs, reads back and verifies bursts of messages. After each burst, a
 * second child, outside the limit, measures the machine's own times for the same bytes. Only one process works at a
 * time.
 */
public final class QueueExperiment extends DeclaredExperiment<QueueOptions> {

    /** Its declaration. */
    public static final Study<QueueOptions> STUDY = new Study<>(
            "queue",
            QueueOptions.class,
            QueueExperiment::new,
            "A queue many times larger than memory writes and reads as fast as a small one.",
            "Writes, syncs, reads back and verifies bursts of messages in a child process whose memory is limited. "
                    + "Measures the machine's own speed beside each burst.");

    private static final long BASELINE_BUFFER_BYTES = 256L << 20;
    private static final long SEGMENT_BYTES = 256L << 20;

    private static final long VOLUME_BYTES = 1L << 40;
    private static final long ROOM_LEAST_BYTES = 1L << 30;

    /** Forced charges (pages that the kernel cannot do without) may slightly exceed a limit: by 1/256. */
    private static final double LIMIT_TOLERANCE = 1 + 1.0 / 256;

    /** The experiment with its options. */
    public QueueExperiment(QueueOptions options) {
        super(STUDY, options);
    }

    private List<Rival> rivals() {
        String rival = options.rival();
        return rival == null ? List.of() : Rival.named(rival);
    }

    private long bufferBytes() {
        return Math.min(BASELINE_BUFFER_BYTES, Math.max(options.bursts().burstBytes(), 64L << 20));
    }

    private Budget diskBudget() {
        long oneQueue = options.queueBytesOnDisk() + 2 * SEGMENT_BYTES;
        int kept = options.keep()
                ? options.bursts().queues() * options.messages().append().runs().size()
                : 1;
        Budget budget = new Budget()
                .add("queue", kept * oneQueue)
                .add(
                        "warm-up",
                        options.keep()
                                ? 0
                                : Math.max(
                                        0,
                                        options.bursts().warmUpBytes()
                                                - options.bursts().totalBytes()))
                .add(
                        "plain writes",
                        Baselines.keptBytes(options) + options.bursts().burstBytes())
                .add("baselines", bufferBytes() + options.bursts().burstBytes());
        for (Rival rival : rivals()) {
            budget.add(
                    rival.name(),
                    kept * (rival.keepsAll() ? oneQueue : options.bursts().burstBytes() + SEGMENT_BYTES));
        }
        return budget;
    }

    @Override
    public Findings run(RunContext context) {
        checkNodes();
        if (!options.place().rehearsal()) {
            return run(context, null);
        }
        long bytes = Math.max(VOLUME_BYTES, 2 * diskBudget().totalBytes());
        try (CompressingVolume volume = CompressingVolume.mount(context.data(), bytes)) {
            return run(context.on(volume.root()), volume);
        }
    }

    private void checkNodes() {
        if (options.place().placement() != null && MemoryNodes.withMemory().cardinality() < 2) {
            throw new LabException("--numa " + options.place().placement() + ": this machine has only one memory node");
        }
    }

    private Findings run(RunContext context, @Nullable CompressingVolume volume) {
        diskBudget().check(context.data());
        context.progress().line("needs " + ByteSize.format(diskBudget().totalBytes()) + " of disk: " + diskBudget());
        try (QueueRun run = new QueueRun(options, context, volume, rivals(), burst -> invalidReason(burst, volume))) {
            run.start(bufferBytes());
            String reason = context.reasonOf(() -> {
                run.measure();
                return null;
            });
            Figures figures = figures(run);
            if (volume != null) {
                figures.put("rehearsal", volume.figures());
            }
            return new Findings(figures, run.jvm(), reason);
        }
    }

    private @Nullable String invalidReason(Figures burst, @Nullable CompressingVolume volume) {
        String full = tooFull(volume);
        return full == null ? invalidReason(burst) : full;
    }

    /** A full device causes I/O errors in the file system on it: the run ends before that. */
    private @Nullable String tooFull(@Nullable CompressingVolume volume) {
        long needed = ROOM_LEAST_BYTES + 2 * options.bursts().burstBytes();
        return volume == null || volume.roomBytes() >= needed
                ? null
                : "the disk under the compressing file system has " + ByteSize.format(volume.roomBytes())
                        + " left, but needs " + ByteSize.format(needed) + ": the written data does not compress enough";
    }

    private @Nullable String invalidReason(Figures burst) {
        if (!burst.text("subject").equals(QueueRun.LARDER)) {
            return null;
        }
        if (!burst.flag("sum_matches")) {
            return "burst " + burst.get("index")
                    + ": the sum of the read messages differs from the sum of the written ones";
        }
        Long limit = burst.wholeOrNull("limit_bytes");
        if (limit == null) {
            return null;
        }
        for (String name : List.of("cached_bytes", "group_bytes", "group_bytes_max")) {
            if (burst.number(name) > limit * LIMIT_TOLERANCE) {
                return String.format(
                        Locale.ROOT,
                        "burst %s: %s is %s, above the limit of %s",
                        burst.get("index"),
                        name,
                        ByteSize.format(burst.whole(name)),
                        ByteSize.format(limit));
            }
        }
        return null;
    }

    private Figures figures(QueueRun run) {
        Figures rivals = new Figures();
        for (Contender rival : run.rivals()) {
            List<Figures> bursts = run.bursts(rival);
            Figures ratios = new Figures();
            for (AppendMode append : options.messages().append().runs()) {
                ratios.put(append.toString(), ratios(run.bursts(run.larder()), bursts, append));
            }
            rivals.put(rival.name(), new Figures().put("ratios", ratios).put("bursts", bursts));
        }
        return new Figures()
                .put("memory", run.larder().limit().description())
                .put("summary", summary(run, options.messages().append().runs().getFirst()))
                .put("summaries", summaries(run))
                .put("rivals", rivals)
                .put("bursts", run.bursts(run.larder()));
    }

    /** Divides the medians of Larder's bursts of one kind of append by the rival's medians. */
    private static Figures ratios(List<Figures> subject, List<Figures> rival, AppendMode append) {
        Figures ratios = new Figures();
        for (String name : List.of("write_ms", "read_ms", "read_copied_ms")) {
            ratios.put(name.replace("_ms", ""), median(subject, append, name) / median(rival, append, name));
        }
        return ratios;
    }

    private static double median(List<Figures> bursts, AppendMode append, String name) {
        return QueueSummary.sample(Rows.where(bursts, "append", append), QueueSummary.of(name))
                .median();
    }

    private Figures summaries(QueueRun run) {
        Figures summaries = new Figures();
        options.messages().append().runs().forEach(append -> summaries.put(append.toString(), summary(run, append)));
        return summaries;
    }

    private Figures summary(QueueRun run, AppendMode append) {
        List<Figures> bursts = Rows.where(run.bursts(run.larder()), "append", append);
        Long limit = run.larder().limit().bytes();
        return new QueueSummary(bursts, limit == null ? Machine.memoryBytes() : limit).figures(limit);
    }

    @Override
    public Report report(Figures result) {
        return new QueueReport(result).report();
    }
}
