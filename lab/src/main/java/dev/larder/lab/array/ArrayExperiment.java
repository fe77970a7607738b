package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.GeneratorGroup;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.Peer;
import dev.larder.lab.process.ProcessPriority;
import dev.larder.lab.redis.RedisGenerator;
import dev.larder.lab.redis.RedisServer;
import dev.larder.lab.redis.RedisServers;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compares an array of servers with a single Redis on the same processors. */
public final class ArrayExperiment extends DeclaredExperiment<ArrayOptions> {

    /** Its declaration. */
    public static final Study<ArrayOptions> STUDY = new Study<>(
            "array",
            ArrayOptions.class,
            ArrayExperiment::new,
            "An array of servers beside a single Redis, on the same processors.",
            "Loads keys. Then several clients read and write random ones, in closed and in open loops, up to "
                    + "saturation. Kills a node under load and restarts it. Then measures arrays of other numbers of "
                    + "stripes.");

    private static final long CLIENT_HEAP_BYTES = 96L << 20;

    /** Heap of all clients for waiting requests: each holds a value. */
    private static final long PENDING_HEAP_BYTES = 512L << 20;

    private static final double FAILOVER_SHARE = 0.4;
    private static final long SCALING_KEYS_MOST = 20_000;

    /** After a load, compilers, collectors and syncs of the JVMs still work for a while: they are not at rest. */
    private static final double CALM_SECONDS = 60;

    private static final double RESTING_SECONDS = 30;

    private final List<Figures> filled = new ArrayList<>();
    private final List<Figures> runs = new ArrayList<>();
    private final List<Figures> scaling = new ArrayList<>();
    private final Figures sweeps = new Figures();
    private final Figures saturations = new Figures();
    private final Figures servers = new Figures();

    /** The experiment with its options. */
    public ArrayExperiment(ArrayOptions options) {
        super(STUDY, options);
    }

    /** Measures subject after subject, then the numbers of stripes. */
    @Override
    public Findings run(RunContext context) {
        String reason = context.reasonOf(() -> {
            try (Peer clients = startClients(context)) {
                context.interruption().guard(clients);
                options.subjects().forEach(name -> measure(name, clients, context));
                options.scaling().stream()
                        .filter(stripes -> stripes > 0)
                        .forEach(stripes -> scale(stripes, clients, context));
            }
            return RunRows.invalidReason(
                    Stream.concat(runs.stream(), scaling.stream()).toList(), (row, all) -> !row.flag("saturated"));
        });
        Figures figures = new Figures()
                .put("servers", servers)
                .put("filled", filled)
                .put("saturation_per_s", saturations)
                .put("sweeps", sweeps)
                .put("runs", runs)
                .put("scaling", scaling);
        return new Findings(figures, JavaProcess.facts(), reason);
    }

    private Peer startClients(RunContext context) {
        List<ChildProcess> members = new ArrayList<>();
        ProcessPriority priority = ProcessPriority.RAISED.possible();
        long heapBytes =
                CLIENT_HEAP_BYTES + PENDING_HEAP_BYTES / options.loads().clients();
        for (int client = 0; client < options.loads().clients(); client++) {
            Path logs = Directories.create(context.folder().file("client-" + client));
            members.add(LoadGenerator.start(priority, logs, heapBytes, RedisGenerator.class));
        }
        return new GeneratorGroup(members);
    }

    private ArrayNodes startNodes(int stripes, RunContext context) {
        context.progress().line("starting an array of " + stripes + " stripes");
        return new ArrayNodes(
                options.shape(),
                stripes,
                context.data().resolve("array-" + stripes),
                context.folder().directory());
    }

    private void measure(String name, Peer clients, RunContext context) {
        if (name.equals(ArrayOptions.ARRAY)) {
            try (ArrayNodes nodes = startNodes(options.shape().stripes(), context)) {
                SubjectLoads loads = measure(name, nodes, clients, context);
                failOver(nodes, loads, context);
                nodes.requireRunning();
            }
        } else {
            try (RedisServer redis = RedisServer.start(context.data().resolve(name))) {
                measure(name, redis, clients, context);
            }
        }
    }

    private SubjectLoads measure(String name, RedisServers subject, Peer clients, RunContext context) {
        SubjectLoads loads = new SubjectLoads(name, subject, options.data().keys(), options, context, clients);
        servers.put(name, loads.awaitServing());
        Figures all = loads.all();
        filled.add(all.part("filled"));
        runs.addAll(all.rows("runs"));
        sweeps.put(name, all.part("sweep"));
        saturations.put(name, all.part("sweep").get("saturation_per_s"));
        return loads;
    }

    private void failOver(ArrayNodes nodes, SubjectLoads loads, RunContext context) {
        if (options.failoverSeconds() > 0) {
            context.progress().line("killing a node under load, and restarting it");
            double rate = FAILOVER_SHARE * saturations.number(ArrayOptions.ARRAY);
            runs.addAll(new Failover(nodes, loads).run(rate, options.failoverSeconds()));
        }
    }

    /** Measures an array of so many stripes under a load, and its use when idle. */
    private void scale(int stripes, Peer clients, RunContext context) {
        try (ArrayNodes nodes = startNodes(stripes, context)) {
            long keys = Math.min(options.data().keys(), SCALING_KEYS_MOST);
            SubjectLoads loads = new SubjectLoads("array of " + stripes, nodes, keys, options, context, clients);
            loads.awaitServing();
            loads.fill();
            loads.warmUp();
            Figures resting = resting(nodes);
            for (int out : ends(options.loads().outstanding())) {
                Figures row = loads.closed(out).getFirst();
                scaling.add(row.put("stripes", stripes).putAll(resting).put("timeline", null));
            }
            nodes.requireRunning();
        }
    }

    private static List<Integer> ends(List<Integer> values) {
        return Stream.of(values.getFirst(), values.getLast()).distinct().toList();
    }

    private Figures resting(ArrayNodes nodes) {
        double seconds = options.quick() ? 1 : RESTING_SECONDS;
        Attempt.sleep(options.quick() ? 1 : CALM_SECONDS, "wait until an array rests");
        Figures before = nodes.used();
        Attempt.sleep(seconds, "wait while an array rests");
        Figures now = nodes.used();
        return new Figures()
                .put("resting_cores", (now.number("cpu_ms") - before.number("cpu_ms")) / 1e3 / seconds)
                .put("resting_memory_bytes", now.get("memory_bytes"))
                .put("resting_threads", now.get("threads"));
    }

    @Override
    public Report report(Figures result) {
        return new ArrayReport(result).report();
    }
}
