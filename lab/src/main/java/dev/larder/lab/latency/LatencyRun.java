package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.DirtyPages;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.run.Matrix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The rows of one run, one after the other: each in a new queue, with a writer and a tailer in JVMs of their own. */
final class LatencyRun {

    private static final long HEAP_BYTES = 64L << 20;
    private static final double NANOS = 1e9;

    private final LatencyOptions options;
    private final RunContext context;
    private final Matrix<LatencyRow, Duration> matrix;
    private Figures jvm = JavaProcess.facts();

    LatencyRun(LatencyOptions options, RunContext context) {
        this.options = options;
        this.context = context;
        matrix = new Matrix<>(context, options.chosenRows(), List.of(options.duration()), this::measure)
                .checked(RowCheck::invalidReason)
                .told((name, row) -> words(row));
    }

    List<Figures> rows() {
        return matrix.samples();
    }

    Figures jvm() {
        return jvm;
    }

    /** Runs the rows; returns why the run is void, or null. It ends at the first row that makes it so. */
    @Nullable
    String run() {
        matrix.run();
        boolean isFruitless = rows().stream().noneMatch(row -> row.flag("valid"));
        return isFruitless && !context.interruption().isInterrupted()
                ? "no row is valid: " + rows().getFirst().get("void_reason")
                : null;
    }

    private Figures measure(LatencyRow row, Duration duration, int round) {
        DirtyPages.settle();
        Path queue = context.data().resolve(row.name());
        CompletableFuture<ChildProcess> starting =
                CompletableFuture.supplyAsync(() -> start("tailer", row, TailerChild.class), LatencyRun::beside);
        try (ChildProcess writer = start("writer", row, WriterChild.class);
                ChildProcess tailer = starting.join()) {
            jvm = writer.ask("facts", new Figures());
            return measure(row, queue, writer, tailer);
        } finally {
            if (!options.keep()) {
                Directories.delete(queue);
            }
        }
    }

    /** A thread of its own: the common pool's only one on a small machine may be busy. */
    private static void beside(Runnable task) {
        Thread.ofPlatform().daemon().name("tailer").start(task);
    }

    private ChildProcess start(String role, LatencyRow row, Class<?> main) {
        return context.start(role + "-" + row.name(), JavaProcess.command(HEAP_BYTES, main), MemoryLimit.none());
    }

    private Figures measure(LatencyRow row, Path queue, ChildProcess writer, ChildProcess tailer) {
        Figures figures = row.figures().put("processors_wanted", row.processorsWanted());
        Figures opening = row.figures().put("directory", queue);
        Figures writing = writer.ask("open", opening.putAll(Binding.wish(row, 0)));
        Figures reading = tailer.ask("open", opening.putAll(Binding.wish(row, 1)));
        if (writing.has("refusal")) {
            return figures.put("skipped_reason", writing.get("refusal"));
        }
        boolean comparable = Clock.isComparable(writer) && Clock.isComparable(tailer);
        figures.put("writer_processor", writing.get("processor")).put("tailer_processor", reading.get("processor"));
        figures.putAll(exchange(row, writer, tailer));
        comparable &= Clock.isComparable(writer) && Clock.isComparable(tailer);
        tailer.ask("close", new Figures());
        writer.ask("close", new Figures());
        return judged(row, figures.put("clocks_comparable", comparable));
    }

    private Figures exchange(LatencyRow row, ChildProcess writer, ChildProcess tailer) {
        double rate = row.ratePerSecond();
        Figures plan = new Figures()
                .put("message_bytes", options.messageBytes())
                .put("seed", options.seed())
                .put("arrivals", options.arrivals())
                .put("rate_per_s", rate)
                .put("warm_up", Math.round(rate * options.warmUp().toNanos() / NANOS))
                .put("count", Math.max(1, Math.round(rate * options.duration().toNanos() / NANOS)));
        CompletableFuture<Figures> receiving =
                CompletableFuture.supplyAsync(() -> tailer.ask("receive", plan), LatencyRun::beside);
        Figures sent = writer.ask("send", plan);
        return sent.putAll(receiving.join());
    }

    private static Figures judged(LatencyRow row, Figures figures) {
        Long locked = figures.wholeOrNull("locked_bytes");
        if (row.memory().locked() && (locked == null || locked == 0)) {
            return figures.put(
                    "skipped_reason", "no page could be locked in memory; the writer's log says why (ulimit -l)");
        }
        String reason = RowCheck.voidReason(figures);
        return figures.put("valid", reason == null).put("void_reason", reason);
    }

    private static String words(Figures row) {
        if (row.has("skipped_reason")) {
            return row.get("name") + ": left out, " + row.get("skipped_reason");
        }
        return String.format(
                Locale.ROOT,
                "%s: append p99 %.1f us, to the tailer p99 %.1f us",
                row.get("name"),
                row.part("append").number("p99_us"),
                row.part("to_tailer").number("p99_us"));
    }
}
