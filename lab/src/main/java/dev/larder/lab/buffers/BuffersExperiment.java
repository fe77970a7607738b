package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.Rows;
import dev.larder.lab.run.Summary;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import java.util.ArrayList;
import java.util.List;

/**
 * Which kind of buffer is fast to create and fill.
 *
 * <p>Each kind lives in a child process of its own, which creates blocks, writes ints into them in order and releases
 * them; kinds take turns, so that a noisy moment does not hit one alone. At the end each kind proves what it is for:
 * that another process finds what was left behind, that it outlives its maker, that it moves into a file without a copy
 * through the heap. All of it goes through the public classes of {@code dev.larder.memory}.
 */
public final class BuffersExperiment extends DeclaredExperiment<BuffersOptions> {

    /** Its declaration. */
    public static final Study<BuffersOptions> STUDY = new Study<>(
            "buffers",
            BuffersOptions.class,
            BuffersExperiment::new,
            "Which kind of buffer is fast to create and fill.",
            "Heap, direct, mapped file, /dev/shm, POSIX, System V and APR shared memory, huge pages: each in a child"
                    + " process of its own creates blocks, fills them with ints in order and releases them; then"
                    + " proves that others attach to it, that it outlives its maker, and that it moves into a file"
                    + " without a copy through the heap.");

    /** What a round measures. */
    static final List<String> FIGURES =
            Rows.names("create_ms write_ms create_write_ms release_ms total_ms heap_bytes heap_allocated_bytes "
                    + "cpu_ms faults context_switches gc_count");

    private static final long PROOF_BYTES = 64L << 20;

    private final Class<?> child;

    /** The experiment with its options. */
    public BuffersExperiment(BuffersOptions options) {
        this(options, BuffersChild.class);
    }

    /** The experiment with another child. */
    BuffersExperiment(BuffersOptions options, Class<?> child) {
        super(STUDY, options);
        this.child = child;
    }

    @Override
    public Findings run(RunContext context) {
        Budget budget = new Budget().add("mapped file", options.totalBytes()).add("proofs", PROOF_BYTES);
        budget.check(context.data());
        context.progress().line("needs " + ByteSize.format(budget.totalBytes()) + " of disk: " + budget);
        BuffersPlan plan = new BuffersPlan(options);
        try (BuffersRun run = new BuffersRun(options, plan, context, child)) {
            run.start();
            String reason = context.reasonOf(run::measure);
            return new Findings(figures(run, plan), run.jvm(), reason);
        }
    }

    private Figures figures(BuffersRun run, BuffersPlan plan) {
        List<Figures> rows = new ArrayList<>();
        for (BufferKind kind : options.kinds()) {
            options.blockBytes()
                    .forEach(block -> rows.add(
                            row(kind, block, run.rounds()).put("skipped_reason", plan.reasonToSkip(kind, block))));
        }
        return new Figures()
                .put("memory", run.memory())
                .put("rows", rows)
                .put("proofs", run.proofs())
                .put("descriptions", descriptions(run.rounds()));
    }

    private static Figures row(BufferKind kind, long block, List<Figures> rounds) {
        List<Figures> own = Rows.where(Rows.where(rounds, "kind", kind), "block_bytes", block);
        Figures row = new Figures().put("kind", kind).put("block_bytes", block).put("rounds", own.size());
        FIGURES.forEach(figure -> Summary.add(row, figure, own));
        return row;
    }

    /** Returns what each kind is here, where it has several ways. */
    private static List<Figures> descriptions(List<Figures> rounds) {
        return rounds.stream()
                .filter(round ->
                        round.whole("round") == 0 && !round.text("description").isEmpty())
                .map(round -> new Figures()
                        .put("kind", round.text("kind"))
                        .put("block_bytes", round.whole("block_bytes"))
                        .put("description", round.text("description")))
                .toList();
    }

    @Override
    public Report report(Figures result) {
        return new BuffersReport(result).report();
    }
}
