package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.machine.DirtyPages;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.run.Matrix;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Measures the effect of each queue option on two times at a fixed rate: an append, and the way from an append to a
 * tailer in another process.
 *
 * <p>Messages leave at moments drawn in advance, from which all times count. The first row of the table is a queue
 * opened without options; each further row changes one.
 */
public final class LatencyExperiment extends DeclaredExperiment<LatencyOptions> {

    /** Its declaration. */
    public static final Study<LatencyOptions> STUDY = new Study<>(
            "latency",
            LatencyOptions.class,
            LatencyExperiment::new,
            "The effect of each option on the time of an append, and on the time until a tailer in another process "
                    + "has the message.",
            "Messages leave at times planned in advance, and times count from these. Each row changes one option: how "
                    + "the tailer waits, bound threads, locked pages, syncs, preparation.");

    /** The times of a row: an append from its moment on, the call alone, and the way to the tailer. */
    static final List<String> OPERATIONS = List.of("append", "append_call", "to_tailer");

    private static final long HEAP_BYTES = 64L << 20;
    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long RECORD_HEADER_BYTES = 8;

    private Figures jvm = JavaProcess.facts();

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

    /** Runs row after row, each in a new queue, with writer and tailer in separate JVMs. */
    @Override
    public Findings run(RunContext context) {
        diskBudget().check(context.data());
        Matrix<LatencyRow, Duration> matrix = new Matrix<>(
                        context,
                        options.chosenRows(),
                        List.of(options.duration()),
                        (row, duration, round) -> measure(context, row))
                .checked(RowCheck::invalidReason)
                .told((name, row) -> words(row));
        String reason = context.reasonOf(() -> {
            matrix.run();
            boolean isFruitless = matrix.samples().stream().noneMatch(row -> row.flag("valid"));
            return isFruitless && !context.interruption().isInterrupted()
                    ? "no row is valid: " + matrix.samples().getFirst().get("void_reason")
                    : null;
        });
        return new Findings(figures(matrix.samples()), jvm, reason);
    }

    private Figures measure(RunContext context, LatencyRow row) {
        DirtyPages.settle();
        Path queue = context.data().resolve(row.name());
        CompletableFuture<ChildProcess> starting =
                CompletableFuture.supplyAsync(() -> start(context, "tailer", row), Exchange::beside);
        try (ChildProcess writer = start(context, "writer", row);
                ChildProcess tailer = Attempt.await("start a tailer", starting)) {
            jvm = writer.facts();
            return measure(row, queue, new Exchange(writer, tailer));
        } catch (RuntimeException e) {
            var _ = starting.thenAccept(ChildProcess::close); // also if the writer has not started
            throw e;
        } finally {
            if (!options.keep()) {
                Directories.delete(queue);
            }
        }
    }

    private static ChildProcess start(RunContext context, String role, LatencyRow row) {
        return context.start(role + "-" + row.name(), JavaProcess.command(HEAP_BYTES, LatencyChild.class));
    }

    private Figures measure(LatencyRow row, Path queue, Exchange exchange) {
        Figures figures = new Figures().putAll(row.figures()).put("processors_wanted", row.processorsWanted());
        Figures opening = new Figures().putAll(row.figures()).put("directory", queue);
        Figures writing = exchange.sender().ask("append", opening.putAll(Binding.wish(row.figures(), 0)));
        Figures reading = exchange.receiver().ask("tail", opening.putAll(Binding.wish(row.figures(), 1)));
        if (writing.has("refusal")) {
            return figures.put("skipped_reason", writing.get("refusal"));
        }
        figures.put("writer_processor", writing.get("processor")).put("tailer_processor", reading.get("processor"));
        double rate = row.figures().number("rate_per_s");
        figures.putAll(exchange.run(new Figures()
                .put("message_bytes", options.messageBytes())
                .put("seed", options.seed())
                .put("arrivals", options.arrivals())
                .put("rate_per_s", rate)
                .put("warm_up", Math.round(rate * options.warmUp().toNanos() / 1e9))
                .put("count", Math.max(1, Math.round(rate * options.duration().toNanos() / 1e9)))));
        exchange.receiver().ask("close", new Figures());
        exchange.sender().ask("close", new Figures());
        Long locked = figures.wholeOrNull("locked_bytes");
        if (figures.flag("locked") && (locked == null || locked == 0)) {
            return figures.put(
                    "skipped_reason", "no page could be locked in memory; the writer's log says why (ulimit -l)");
        }
        String reason = RowCheck.voidReason(figures);
        return figures.put("valid", reason == null).put("void_reason", reason);
    }

    private static String words(Figures row) {
        return row.has("skipped_reason")
                ? row.get("name") + ": left out, " + row.get("skipped_reason")
                : String.format(
                        Locale.ROOT,
                        "%s: append p99 %.1f us, to the tailer p99 %.1f us",
                        row.get("name"),
                        row.part("append").number("p99_us"),
                        row.part("to_tailer").number("p99_us"));
    }

    /**
     * Returns the rows for a result: {@code configurations}, the settings of each and whether it counts, and
     * {@code runs}, the times of each, as in other experiments.
     */
    private static Figures figures(List<Figures> rows) {
        List<Figures> runs = new ArrayList<>();
        List<Figures> configurations = new ArrayList<>();
        for (Figures row : rows) {
            Figures configuration = new Figures();
            row.names().stream()
                    .filter(name -> !OPERATIONS.contains(name))
                    .forEach(name -> configuration.put(name, row.get(name)));
            configurations.add(configuration);
            if (!row.has("skipped_reason")) {
                OPERATIONS.forEach(operation -> runs.add(run(row, operation)));
            }
        }
        return new Figures()
                .put("late_bound_us", RowCheck.LATE_NANOS / 1e3)
                .put("configurations", configurations)
                .put("runs", runs);
    }

    private static Figures run(Figures row, String operation) {
        return new Figures()
                .put("subject", row.get("name"))
                .put("operation", operation)
                .put("offered_per_s", row.get("rate_per_s"))
                .put("cpu_cores", row.get(operation.equals("to_tailer") ? "tailer_cores" : "writer_cores"))
                .put("late_sends", row.get("late_sends"))
                .put("valid", row.flag("valid"))
                .putAll(row.part(operation));
    }

    @Override
    public Report report(Figures result) {
        return new LatencyReport(result).report();
    }
}
