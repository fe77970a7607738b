package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Rows;
import dev.larder.lab.run.Matrix;
import dev.larder.lab.run.Summary;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures which kind of buffer is fast to create and fill.
 *
 * <p>Each kind has its own child process, which creates blocks, writes ints into them in order and releases them. Kinds
 * take turns, so that a noisy moment does not hit one alone. At the end each kind proves its purpose: another process
 * finds its region, the region outlives its creator, and it moves into a file without a copy through the heap. All of
 * this uses the public classes of {@code dev.larder.memory}.
 */
public final class BuffersExperiment extends DeclaredExperiment<BuffersOptions> {

    /** Its declaration. */
    public static final Study<BuffersOptions> STUDY = new Study<>(
            "buffers",
            BuffersOptions.class,
            BuffersExperiment::new,
            "Which kind of buffer is fast to create and fill.",
            "Creates blocks of each kind in a child process, fills them with ints in order and releases them. The "
                    + "kinds are heap, direct, mapped file, /dev/shm, POSIX, System V and APR shared memory, and "
                    + "huge pages. Then proves that other processes attach to a region, that the region outlives its "
                    + "creator, and that its bytes move into a file without a copy through the heap.");

    /** The figures of a round. */
    static final List<String> FIGURES =
            Rows.names("create_ms write_ms create_write_ms release_ms total_ms heap_bytes heap_allocated_bytes "
                    + "cpu_ms faults context_switches gc_count");

    private static final long PROOF_BYTES = 64L << 20;
    private static final long NEIGHBOUR_HEAP_BYTES = 64L << 20;

    /** Measures the live heap to the byte, if it keeps no dead object in place; a small heap takes no time. */
    private static final List<String> EXACT_COLLECTOR =
            List.of("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1");

    private final Class<?> main;
    private final Map<BufferKind, ChildProcess> children = new EnumMap<>(BufferKind.class);
    private final List<MemoryLimit> limits = new ArrayList<>();
    private final List<Figures> proofs = new ArrayList<>();

    /** The reasons of skipped rows: determined once, so that later changes of the machine have no effect. */
    private final Map<List<Object>, String> skipped = new HashMap<>();

    private Figures jvm = JavaProcess.facts();

    /** The experiment with its options. */
    public BuffersExperiment(BuffersOptions options) {
        this(options, BuffersChild.class);
    }

    /** The experiment with another child. */
    BuffersExperiment(BuffersOptions options, Class<?> child) {
        super(STUDY, options);
        main = child;
        for (BufferKind kind : options.kinds()) {
            for (Long block : options.blockBytes()) {
                String reason = kind.reasonToSkip(block, options.totalBytes());
                if (reason != null) {
                    skipped.put(List.of(kind, block), reason);
                }
            }
        }
    }

    private @Nullable String reasonToSkip(BufferKind kind, Long block) {
        return skipped.get(List.of(kind, block));
    }

    @Override
    public Findings run(RunContext context) {
        Budget budget = new Budget().add("mapped file", options.totalBytes()).add("proofs", PROOF_BYTES);
        budget.check(context.data());
        context.progress().line("needs " + ByteSize.format(budget.totalBytes()) + " of disk: " + budget);
        List<BufferKind> kinds = options.kinds().stream()
                .filter(kind -> options.blockBytes().stream().anyMatch(block -> reasonToSkip(kind, block) == null))
                .toList();
        BlockNames names = new BlockNames(
                context.data(), "larder-lab-" + ProcessHandle.current().pid());
        Matrix<BufferKind, Long> matrix = new Matrix<>(context, kinds, options.blockBytes(), this::round)
                .rounds(options.warmUpRounds(), options.rounds())
                .within(options.seconds())
                .where((kind, block) -> reasonToSkip(kind, block) == null)
                .told(BuffersExperiment::words);
        try {
            kinds.forEach(kind -> children.put(
                    kind,
                    start(
                            kind.toString(),
                            MemoryLimit.of(options.memoryLimitBytes()),
                            options.heapBytes(),
                            names,
                            context)));
            context.progress()
                    .line("each kind in a child of its own: heap " + ByteSize.format(options.heapBytes()) + ", "
                            + memory());
            String reason = context.reasonOf(() -> {
                matrix.run();
                prove(names, context);
                return BufferProofs.failure(proofs);
            });
            return new Findings(figures(matrix.samples()), jvm, reason);
        } finally {
            children.values().forEach(ChildProcess::close);
            limits.forEach(MemoryLimit::close);
            children.keySet().forEach(names::deleteAll);
        }
    }

    private ChildProcess start(String name, MemoryLimit limit, long heapBytes, BlockNames names, RunContext context) {
        limits.add(limit);
        List<String> command = new ArrayList<>(JavaProcess.command(heapBytes, main));
        if (command.stream().noneMatch(JavaProcess::choosesCollector)) {
            command.addAll(1, EXACT_COLLECTOR);
        }
        command.addAll(List.of(names.directory().toString(), names.prefix()));
        ChildProcess child = context.start(name, command, limit);
        jvm = child.facts();
        return child;
    }

    /** Returns how the children's memory is limited. */
    private String memory() {
        return limits.isEmpty() ? "no child" : limits.getFirst().description();
    }

    private Figures round(BufferKind kind, Long block, int round) {
        long total = round < 0 ? options.warmUpBytes(block) : options.totalBytes();
        Figures cell = new Figures().put("kind", kind).put("block_bytes", block).put("round", round);
        Figures question = new Figures()
                .putAll(cell)
                .put("total_bytes", total)
                .put("seed", options.seed())
                .put("check_all", round <= 0);
        Figures answer = cell.putAll(Objects.requireNonNull(children.get(kind)).ask("round", question));
        requireWhole(answer, total / block);
        return answer;
    }

    /** Fails if blocks are missing, or do not hold what was written. */
    private static void requireWhole(Figures round, long blocks) {
        if (round.whole("blocks") != blocks || round.whole("wrong") != 0) {
            throw new LabException(round.get("kind") + " in blocks of " + round.get("block_bytes") + " bytes, round "
                    + round.get("round") + ": " + round.get("blocks") + " of " + blocks + " blocks were written, and "
                    + round.get("wrong") + " of the checked numbers differ from the written ones");
        }
    }

    private static String words(String name, Figures answer) {
        return String.format(
                Locale.ROOT,
                "%s, blocks of %s: create %.0f, write %.0f, release %.0f ms",
                answer.get("kind"),
                ByteSize.format(answer.whole("block_bytes")),
                answer.number("create_ms"),
                answer.number("write_ms"),
                answer.number("release_ms"));
    }

    /** Makes the proofs; kills the children whose regions must outlive them. */
    private void prove(BlockNames names, RunContext context) {
        context.progress()
                .line("proving that other processes attach, that it outlives its creator, and the cost of a transfer");
        Figures facts = jvm;
        try (ChildProcess neighbour = start("neighbour", MemoryLimit.none(), NEIGHBOUR_HEAP_BYTES, names, context)) {
            for (BufferKind kind : options.kinds()) {
                if (kind.isProven() && !context.interruption().isInterrupted()) {
                    BufferProofs each = new BufferProofs(kind, options.seed());
                    ChildProcess child = children.get(kind);
                    proofs.addAll(
                            child == null
                                    ? each.skipped(String.valueOf(reasonToSkip(
                                            kind, options.blockBytes().getFirst())))
                                    : each.make(child, neighbour));
                }
            }
        }
        jvm = facts;
    }

    private Figures figures(List<Figures> rounds) {
        List<Figures> rows = new ArrayList<>();
        for (BufferKind kind : options.kinds()) {
            options.blockBytes().forEach(block -> rows.add(row(kind, block, rounds)));
        }
        return new Figures()
                .put("memory", memory())
                .put("rows", rows)
                .put("proofs", proofs)
                .put("descriptions", descriptions(rounds));
    }

    private Figures row(BufferKind kind, long block, List<Figures> rounds) {
        List<Figures> own = Rows.where(Rows.where(rounds, "kind", kind), "block_bytes", block);
        Figures row = new Figures().put("kind", kind).put("block_bytes", block).put("rounds", own.size());
        FIGURES.forEach(figure -> Summary.add(row, figure, own));
        return row.put("skipped_reason", reasonToSkip(kind, block));
    }

    /** Returns how each kind works here, if it has several ways. */
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
