package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.LoadPlan;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.load.SaturationProbe;
import dev.larder.lab.machine.DiskWrites;
import dev.larder.lab.process.Peer;
import dev.larder.lab.redis.RedisServers;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One subject under its loads; use of processors and disk is stated per request. */
final class SubjectLoads {

    private static final long PATIENCE_NANOS = 180_000_000_000L;
    private static final double DRAIN_SECONDS = 10;

    /** A quick run does not wait for all answers when a load exceeds the subject's capacity. */
    private static final double QUICK_DRAIN_SECONDS = 2;

    private static final long PENDING_MAX = 100_000;
    private static final double SWEEP_PRECISION = 0.05;
    private static final double QUICK_PRECISION = 0.2;
    private static final long TRIED_KEYS = 200;

    /** Limit for reads, and for writes, of all clients: nodes at capacity answer so many within a client's timeout. */
    private static final int UNDER_WAY_MOST = 2_000;

    private static final double CALM_SECONDS = 90;
    private static final double FASTER = 1.05;

    private final String name;
    private final RedisServers subject;
    private final long keys;
    private final ArrayOptions options;
    private final RunContext context;
    private final Peer clients;
    private final Conductor conductor;
    private long loads;
    private double warmUpSeconds;

    SubjectLoads(String name, RedisServers subject, long keys, ArrayOptions options, RunContext context, Peer clients) {
        this.name = name;
        this.subject = subject;
        this.keys = keys;
        this.options = options;
        this.context = context;
        this.clients = clients;
        Figures driver = client(keys, subject.isCluster())
                .put("name", "redis")
                .put("connections", options.loads().connections())
                .put("parted", !options.loads().mixed())
                .put("under_way_most", underWayMost(options.loads()));
        conductor = new Conductor(clients, Optional.empty(), driver, context.data());
    }

    private static int underWayMost(ArrayOptions.Loads loads) {
        int closed =
                loads.outstanding().stream().mapToInt(Integer::intValue).max().orElse(0);
        return Math.max(UNDER_WAY_MOST, closed) / loads.clients() + 1;
    }

    /** Returns a client's settings, apart from its connections. */
    private Figures client(long count, boolean isPatient) {
        return new Figures()
                .put("addresses", subject.addresses())
                .put("cluster", subject.isCluster())
                .put("keys", count)
                .put("value_bytes", options.data().valueBytes())
                .put("filled", true)
                .put("shared", true)
                .put("patient", isPatient);
    }

    /** Waits until the subject accepts writes; returns how it names itself. */
    @Nullable
    String awaitServing() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                clients.ask("fill", client(Math.min(TRIED_KEYS, keys), false));
                return clients.ask("server", client(1, false)).get("server") instanceof String text ? text : null;
            } catch (LabException e) {
                if (System.nanoTime() > deadline || context.interruption().isInterrupted()) {
                    throw e;
                }
                Attempt.sleep(0.2, "wait while servers start");
            }
        }
    }

    /** Gives every key a value; returns the row of the load phase. */
    Figures fill() {
        context.progress().line(name + ": " + keys + " keys are written");
        Figures before = use();
        long start = System.nanoTime();
        clients.ask("fill", client(keys, subject.isCluster()));
        double seconds = (System.nanoTime() - start) / 1e9;
        double bytes = (double) keys * options.data().valueBytes();
        return new Figures()
                .put("subject", name)
                .put("keys", keys)
                .put("seconds", seconds)
                .put("keys_per_s", keys / seconds)
                .put("value_bytes_a_second", bytes / seconds)
                .putAll(used(before, keys, seconds))
                .put("disk_per_value_byte", used(before, 1, seconds).number("disk_bytes_per_op") / bytes);
    }

    /**
     * Warms up by the closed loops in turn, until none has got faster for {@link #CALM_SECONDS}. That takes minutes: the nodes'
     * code is compiled on processors that all processes share. Returns the most answers per second.
     */
    double warmUp() {
        List<Integer> loops = options.loads().outstanding().isEmpty()
                ? List.of(options.loads().clients())
                : options.loads().outstanding();
        double window = Math.clamp(options.loads().seconds() / 4, 0.5, 2);
        long start = System.nanoTime();
        long fasterNanos = start;
        double[] best = new double[loops.size()];
        for (int windows = 0;
                isWithin(start, options.loads().warmUpSeconds()) && isWithin(fasterNanos, CALM_SECONDS);
                windows++) {
            int loop = windows % best.length;
            Figures seen = conductor.probe(settings(LoadPlan.closed(loops.get(loop), window)), "warm-up");
            double answered = seen.rows("operations").getFirst().number("answered_per_s");
            if (answered > best[loop] * FASTER) {
                best[loop] = answered;
                fasterNanos = System.nanoTime();
            }
        }
        warmUpSeconds = (System.nanoTime() - start) / 1e9;
        return Arrays.stream(best).max().orElse(0);
    }

    private static boolean isWithin(long startNanos, double seconds) {
        return System.nanoTime() - startNanos < seconds * 1e9;
    }

    /** Keeps so many requests in flight; returns the rows. */
    List<Figures> closed(int outstanding) {
        List<Figures> rows = load(
                LoadPlan.closed(outstanding, options.loads().seconds()),
                new Figures().put("loop", "closed").put("outstanding", outstanding));
        rows.forEach(row -> row.put("rate_per_s", row.get("answered_per_s")));
        tell(outstanding + " out", rows.getFirst());
        return rows;
    }

    /** Sends evenly at a rate, regardless of answers; returns the rows. */
    List<Figures> open(double rate) {
        List<Figures> rows = load(
                open(rate, options.loads().seconds()),
                new Figures().put("loop", "open").put("outstanding", null));
        tell(Unit.PER_SECOND.text(rate), rows.getFirst());
        return rows;
    }

    static LoadPlan open(double rate, double seconds) {
        return open(rate, seconds, DRAIN_SECONDS);
    }

    private static LoadPlan open(double rate, double seconds, double drainSeconds) {
        return new LoadPlan(rate, seconds, drainSeconds, PENDING_MAX);
    }

    private void tell(String load, Figures row) {
        context.progress()
                .line(name + ", " + load + ": " + Unit.PER_SECOND.text(row.number("answered_per_s")) + ", mean "
                        + Unit.MICROSECONDS.text(row.number("mean_us")) + ", 99 % "
                        + Unit.MICROSECONDS.text(row.number("p99_us")));
    }

    private List<Figures> load(LoadPlan plan, Figures kind) {
        return rows(metered(() -> conductor.load(settings(plan), name)), kind);
    }

    /** Returns the rows of a measured load. */
    List<Figures> rows(Figures seen, Figures kind) {
        Figures row = new Figures().put("subject", name).put("collector", null).putAll(kind);
        seen.put(
                "invalid_reason",
                null); // a client is late because it shares the subject's processors; the table says how late
        List<Figures> rows = RunRows.of(row, seen, RunRows.failure(seen));
        List.of("cpu_us_per_op", "disk_bytes_per_op", "loopback_bytes_per_op", "threads", "backlog_growth")
                .forEach(figure -> rows.getFirst().put(figure, seen.get(figure)));
        return rows;
    }

    /** Runs a load, and adds the use of the subject's processes. */
    Figures metered(Supplier<Figures> load) {
        Figures before = use();
        Figures seen = load.get();
        double seconds = (seen.whole("end_nanos") - seen.whole("start_nanos")) / 1e9;
        return seen.putAll(used(before, seen.whole("sent"), seconds));
    }

    private Figures use() {
        return subject.used().put("disk_bytes", DiskWrites.bytes(context.data()));
    }

    private Figures used(Figures before, long requests, double seconds) {
        Figures now = use();
        double cpuMillis = now.number("cpu_ms") - before.number("cpu_ms");
        return new Figures()
                .put("cpu_cores", cpuMillis / 1e3 / seconds)
                .put("cpu_us_per_op", cpuMillis * 1e3 / requests)
                .put("disk_bytes_per_op", (now.number("disk_bytes") - before.number("disk_bytes")) / requests)
                .put(
                        "loopback_bytes_per_op",
                        (now.number("loopback_bytes") - before.number("loopback_bytes")) / requests)
                .put("memory_bytes", now.get("memory_bytes"))
                .put("threads", now.get("threads"));
    }

    /** Returns a load of the keys by all clients. */
    LoadSettings settings(LoadPlan plan) {
        Figures workload = KeyWorkload.figures(keys, options.data().writesPercent());
        long seed = options.seed() * 1_000_000 + ++loads;
        return conductor.settings(workload, ArrivalKind.CONSTANT, plan, seed).withoutSpin();
    }

    /** Returns the rate at which the subject saturates, and every rate tried; the search starts at a safe one. */
    private Figures sweep(double start) {
        double seconds = Math.clamp(options.loads().seconds() / 4, 1, 10);
        SaturationProbe probe = new SaturationProbe(
                        conductor,
                        rate -> settings(open(rate, seconds, options.quick() ? QUICK_DRAIN_SECONDS : DRAIN_SECONDS)),
                        context.progress())
                .byBacklogAlone();
        return probe.sweep(start, options.quick() ? QUICK_PRECISION : SWEEP_PRECISION, 1)
                .put("subject", name);
    }

    /** Runs all requested loads, with the sweep. */
    Figures all() {
        List<Figures> runs = new ArrayList<>();
        fill();
        double warm = warmUp();
        Figures result =
                new Figures().put("filled", fill().put("warm_up_seconds", warmUpSeconds)); // again, by warm processes
        options.loads().outstanding().forEach(out -> runs.addAll(closed(out)));
        if (!options.loads().percents().isEmpty() || options.failoverSeconds() > 0) {
            Figures sweep = sweep(Math.max(1, warm / 2));
            result.put("sweep", sweep);
            options.loads()
                    .percents()
                    .forEach(percent -> runs.addAll(open(sweep.number("saturation_per_s") * percent / 100)));
        }
        return result.put("runs", runs);
    }

    Conductor conductor() {
        return conductor;
    }
}
