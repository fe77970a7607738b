package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.run.Matrix;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The processes of one run of the experiment {@code buffers}, and what they are asked. */
final class BuffersRun implements AutoCloseable {

    private static final long NEIGHBOUR_HEAP_BYTES = 64L << 20;

    /** Tells to the byte what lives on the heap, if it leaves no dead object where it is; a small heap takes no time. */
    private static final List<String> EXACT_COLLECTOR =
            List.of("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");

    private final BuffersOptions options;
    private final BuffersPlan plan;
    private final RunContext context;
    private final Class<?> main;
    private final BlockNames names;
    private final Map<BufferKind, ChildProcess> children = new EnumMap<>(BufferKind.class);
    private final List<MemoryLimit> limits = new ArrayList<>();
    private final List<Figures> proofs = new ArrayList<>();
    private final Matrix<BufferKind, Long> matrix;
    private Figures jvm = JavaProcess.facts();

    BuffersRun(BuffersOptions options, BuffersPlan plan, RunContext context, Class<?> main) {
        this.options = options;
        this.plan = plan;
        this.context = context;
        this.main = main;
        names = new BlockNames(
                context.data(), "larder-lab-" + ProcessHandle.current().pid());
        matrix = new Matrix<>(context, plan.measuredKinds(), options.blockBytes(), this::round)
                .rounds(options.warmUpRounds(), options.rounds())
                .within(options.seconds())
                .where(plan::isMeasured)
                .told(BuffersRun::words);
    }

    /** Starts a child for each kind that this machine has, at some size. */
    void start() {
        for (BufferKind kind : plan.measuredKinds()) {
            MemoryLimit limit = MemoryLimit.of(options.memoryLimitBytes());
            ChildProcess child = start(kind.toString(), limit, options.heapBytes());
            children.put(kind, child);
            jvm = child.ask("facts", new Figures());
        }
        context.progress()
                .line("each kind in a child of its own: heap " + ByteSize.format(options.heapBytes()) + ", "
                        + memory());
    }

    private ChildProcess start(String name, MemoryLimit limit, long heapBytes) {
        limits.add(limit);
        List<String> command = new ArrayList<>(JavaProcess.command(heapBytes, main));
        if (command.stream().noneMatch(flag -> COLLECTOR.matcher(flag).matches())) {
            command.addAll(1, EXACT_COLLECTOR);
        }
        command.addAll(List.of(names.directory().toString(), names.prefix()));
        return context.start(name, command, limit);
    }

    /** Returns the facts of the JVM of a child. */
    Figures jvm() {
        return jvm;
    }

    /** Returns how the memory of the children is limited. */
    String memory() {
        return limits.isEmpty() ? "no child" : limits.getFirst().description();
    }

    List<Figures> rounds() {
        return matrix.samples();
    }

    List<Figures> proofs() {
        return proofs;
    }

    /** Runs all rounds, or as many as there is time for, then the proofs; returns why they prove nothing, or null. */
    @Nullable
    String measure() {
        matrix.run();
        prove();
        return BufferProofs.failure(proofs);
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
        BufferChecks.requireWhole(answer, total / block);
        return answer;
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

    /** Makes the proofs; the children whose regions are to outlive them are killed. */
    private void prove() {
        context.progress().line("proving that others attach, that it outlives its maker, and what a transfer costs");
        try (ChildProcess neighbour = start("neighbour", MemoryLimit.none(), NEIGHBOUR_HEAP_BYTES)) {
            for (BufferKind kind : options.kinds()) {
                if (kind.isProven() && !context.interruption().isInterrupted()) {
                    BufferProofs each = new BufferProofs(kind, options.seed());
                    ChildProcess child = children.get(kind);
                    proofs.addAll(child == null ? each.skipped(plan.reasonToSkip(kind)) : each.make(child, neighbour));
                }
            }
        }
    }

    @Override
    public void close() {
        children.values().forEach(ChildProcess::close);
        limits.forEach(MemoryLimit::close);
        children.keySet().forEach(names::deleteAll);
    }
}
