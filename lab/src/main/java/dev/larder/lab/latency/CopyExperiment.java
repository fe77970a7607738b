package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.machine.DirtyPages;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.Rows;
import dev.larder.lab.run.Matrix;
import dev.larder.lab.run.Summary;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Setting;
import dev.larder.lab.study.Study;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures how fast a queue is copied to another process, and the copy's lag at a fixed rate; plain and by TLS. */
public final class CopyExperiment extends DeclaredExperiment<CopyExperiment.Options> {

    /** The options of a run. */
    public record Options(
            @Setting("--message SIZE=256B [16B..1MiB x 8B] The size of a message")
            int messageBytes,

            @Setting("--messages COUNT=4M|200k [1..1G] Messages in the queue when the copy begins, which"
                    + " show its rate")
            long messages,

            @Setting("--rate RATE=10k [1..1M] Messages a second to append, which show the lag")
            double ratePerSecond,

            @Setting("--duration TIME=20s|2s [100ms..1h] How long to append them")
            Duration duration,

            @Setting("--warm-up TIME=5s|1s [0s..1h] The warm-up before")
            Duration warmUp,

            @Setting("--rounds COUNT=3|1 [1..99] Rounds, in which plain and TLS connections take turns")
            int rounds) {}

    /** Its declaration. */
    public static final Study<Options> STUDY = new Study<>(
            "copy",
            Options.class,
            CopyExperiment::new,
            "A queue copied to another process: its rate, and its lag.",
            "One process serves a queue over loopback, and another replicates it: first the stored messages, "
                    + "then messages at a fixed rate. The lag is the time from a message's planned time until a "
                    + "tailer of the copy has it.");

    private static final double LATE_LEAST_US = 200;
    private static final List<String> KEYS = Rows.names("subject rate_per_s");
    private static final List<String> FIGURES =
            Rows.names("copied_per_s copied_bytes_per_s writer_cores tailer_cores p50_us p90_us p99_us p999_us max_us");
    private static final String COPIED =
            "connection=subject | rounds | messages=copied_per_s | bytes a second=copied_bytes_per_s";
    private static final String LAG =
            "connection=subject | offered=rate_per_s | 50 %=p50_us | 90 %=p90_us | 99 %=p99_us | "
                    + "99.9 %=p999_us | max=max_us | cores of the source=writer_cores | cores of the copy=tailer_cores";

    private Figures jvm = JavaProcess.facts();

    /** The experiment with its options. */
    public CopyExperiment(Options options) {
        super(STUDY, options);
    }

    @Override
    public Findings run(RunContext context) {
        double sent = options.ratePerSecond()
                * options.duration().plus(options.warmUp()).toMillis()
                / 1e3;
        long queue = (options.messages() + (long) sent) * (options.messageBytes() + Long.BYTES);
        new Budget().add("source and copy", 2 * queue + (1L << 30)).check(context.data());
        Matrix<String, Double> matrix = new Matrix<>(
                        context,
                        List.of("plain", "tls"),
                        List.of(options.ratePerSecond()),
                        (subject, rate, round) -> measure(context, subject, rate))
                .rounds(0, options.rounds())
                .checked(RowCheck::invalidReason)
                .told((name, sample) -> name + ": copied " + Unit.PER_SECOND.text(sample.number("copied_per_s"))
                        + ", lag p99 " + Unit.MICROSECONDS.text(sample.number("p99_us")));
        String reason = context.reasonOf(() -> {
            matrix.run();
            return matrix.samples().stream().anyMatch(sample -> sample.flag("valid")) ? null : "no round is valid";
        });
        List<Figures> counted =
                matrix.samples().stream().filter(sample -> sample.flag("valid")).toList();
        List<Figures> rows = Summary.rows(counted, KEYS, FIGURES);
        return new Findings(new Figures().put("rows", rows).put("runs", matrix.samples()), jvm, reason);
    }

    private Figures measure(RunContext context, String subject, double rate) {
        DirtyPages.settle();
        try (ChildProcess source = start(context, "source-" + subject);
                ChildProcess copy = start(context, "copy-" + subject)) {
            jvm = copy.facts();
            Figures plan = options()
                    .put("tls", subject.equals("tls"))
                    .put("seed", 1)
                    .put("arrivals", ArrivalKind.CONSTANT)
                    .put("warm_up", Math.round(rate * options.warmUp().toNanos() / 1e9))
                    .put(
                            "count",
                            Math.max(1, Math.round(rate * options.duration().toNanos() / 1e9)));
            return measure(context.data(), subject, plan, new Exchange(source, copy));
        } finally {
            Directories.delete(context.data().resolve("source"));
            Directories.delete(context.data().resolve("copy"));
        }
    }

    private static Figures measure(Path data, String subject, Figures plan, Exchange exchange) {
        Figures sample =
                new Figures().put("name", subject).put("subject", subject).put("rate_per_s", plan.get("rate_per_s"));
        plan.putAll(exchange.sender().ask("serve", plan.put("directory", data.resolve("source"))));
        sample.putAll(exchange.receiver().ask("follow", plan.put("directory", data.resolve("copy"))));
        sample.putAll(exchange.run(plan));
        sample.putAll(sample.part("to_tailer"));
        String reason = voidReason(sample);
        return sample.put("valid", reason == null).put("void_reason", reason);
    }

    /** Returns why a sample does not measure the copy; null if it does. */
    static @Nullable String voidReason(Figures sample) {
        double late = sample.part("sender_late").number("p99_us");
        double lag = sample.number("p99_us");
        if (Double.isNaN(late) || Double.isNaN(lag)) {
            return "too few messages for a 99th percentile: " + sample.get("received")
                    + " with the warm-up; give a higher --rate, or a longer --duration";
        }
        return sample.flag("saturated") || late > Math.max(LATE_LEAST_US, lag / 4)
                ? "the sender fell behind, or was late by a quarter of the lag"
                : null;
    }

    private static ChildProcess start(RunContext context, String name) {
        return context.start(name, JavaProcess.command(128L << 20, LatencyChild.class));
    }

    @Override
    public Report report(Figures result) {
        List<Figures> runs = result.rows("runs");
        List<Plot.Curve> curves = Summary.groups(runs, KEYS).stream()
                .map(own -> Plot.Curve.ofPercentiles(own.getFirst().text("subject"), own.getLast()))
                .toList();
        return new Report(
                        result,
                        "A queue copied to another process",
                        "A replication over loopback, in plain and by TLS 1.3 with a shared secret. Both processes"
                                + " share the processors of one host.")
                .judged(runs)
                .table("Copy of the stored messages", TextTable.of(result.rows("rows"), COPIED))
                .table("Lag of the copy, from the moment a message was due", TextTable.of(result.rows("rows"), LAG))
                .charts(List.of(new Plot(
                        "copy-lag",
                        "Lag of the copy by percentile, last round",
                        Axis.nines(),
                        Axis.of("lag", Unit.MICROSECONDS).logarithmic(),
                        curves)));
    }
}
