package dev.larder.lab.map;

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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures single random accesses to a map larger than any cache: gets with a copy, reads in place, puts, mixes of them, and
 * also loading, memory and opening. It compares Larder, a map on the heap and rivals, each beside plain memory.
 */
public final class MapExperiment extends DeclaredExperiment<MapOptions> {

    /** Its declaration. */
    public static final Study<MapOptions> STUDY = new Study<>(
            "map",
            MapOptions.class,
            MapExperiment::new,
            "Gets, reads, puts and mixes at random keys of a map.",
            "Measures LarderMap, ConcurrentHashMap and other libraries, each in its own process. Each operation runs "
                    + "right after the same one on plain memory. Answers are checked before anything is timed.");

    private static final List<String> OPERATION =
            List.of("subject", "shape", "entries", "value_bytes", "operation", "threads");
    private static final List<String> LOAD = List.of("subject", "shape", "entries", "value_bytes");

    private static final List<String> OF_OPERATION =
            Rows.names("answered_per_s p50_us p90_us p99_us p999_us time_over_plain p50_over_plain time_over_larder "
                    + "cpu_cores written_for_one least_for_one alive_of_used alive_of_files entries_start "
                    + "entries_end safepoints safepoint_p50_us safepoint_p99_us safepoint_p999_us safepoint_max_us");
    private static final List<String> OF_LOAD =
            Rows.names("load_per_s sync_ms memory_bytes heap_bytes outside_bytes cached_file_bytes "
                    + "overhead_bytes_per_entry entries_end memory_end_bytes overhead_end_bytes_per_entry close_ms "
                    + "reopen_ms");

    private static final long MIB = 1L << 20;

    /** The experiment with its options. */
    public MapExperiment(MapOptions options) {
        super(STUDY, options);
    }

    /** Returns the largest size of a subject's files. A map's are at most 2.5 times its entries, however long puts last. */
    long diskBytes(MapShape shape) {
        boolean isLog = options.kinds().stream().anyMatch(kind -> kind.name().equals(MapKind.LOG));
        return Math.max(5 * shape.mostBytes() / 2 + 512 * MIB, isLog ? LogSubject.filesBytes(shape) : 0);
    }

    private long outsideBytes(MapShape shape) {
        Long limit = options.memoryLimitBytes();
        return limit == null ? 2 * shape.mostBytes() : Math.min(limit, 2 * shape.mostBytes());
    }

    private void checkRoom(RunContext context) {
        for (MapShape shape : options.shapes()) {
            tellGrowth(context, shape);
            new Budget()
                    .add("files of a map of " + what(shape), diskBytes(shape))
                    .check(context.data());
            for (MapKind kind : options.kinds()) {
                Budget budget = new Budget()
                        .add("heap", kind.heapBytes(shape, options.memoryLimitBytes()))
                        .add("entries outside the heap", kind.onHeap() ? 0 : outsideBytes(shape))
                        .add("plain records", options.plain() ? shape.entries() * (shape.valueBytes() + 64L) : 0)
                        .add("the rest of three processes", 600 * MIB);
                budget.check(kind.name() + " with " + what(shape), remedy());
            }
        }
    }

    private static String what(MapShape shape) {
        return shape
                + (shape.newEntries() == 0
                        ? ""
                        : String.format(Locale.ROOT, " and room for %,d new ones", shape.newEntries()));
    }

    private String remedy() {
        return "Use fewer --entries, or other --subjects"
                + (options.plain() ? ", or --no-plain" : "")
                + (options.mix().newKeysPercent() == 0
                        ? ""
                        : ", or fewer new entries: fewer --new-keys, --seconds, --threads or --writes, a shorter"
                                + " --warm-up");
    }

    private static void tellGrowth(RunContext context, MapShape shape) {
        if (shape.newEntries() > 0) {
            context.progress().line("each map has " + what(shape));
        }
    }

    @Override
    public Findings run(RunContext context) {
        checkRoom(context);
        List<MapKind> kinds = new ArrayList<>();
        List<Figures> skipped = new ArrayList<>();
        for (MapKind kind : options.kinds()) {
            String reason = kind.missingReason();
            if (reason == null) {
                kinds.add(kind);
            } else {
                context.progress().line("skipped " + kind.name() + ": " + reason);
                skipped.add(new Figures().put("subject", kind.name()).put("skipped_reason", reason));
            }
        }
        try (MapRun run = new MapRun(options, context, kinds)) {
            String reason = run.run();
            compareWithLarder(run.runs());
            skipped.addAll(run.failures());
            boolean interrupted = context.interruption().isInterrupted();
            return new Findings(figures(run, skipped), run.jvm(), interrupted ? null : invalidReason(run, reason));
        }
    }

    /** Adds to each run its time divided by Larder's in the same round. */
    static void compareWithLarder(List<Figures> runs) {
        Map<List<Object>, Double> larder = new HashMap<>();
        Rows.where(runs, "subject", MapKind.LARDER)
                .forEach(run -> larder.put(place(run), run.number("answered_per_s")));
        runs.forEach(run -> {
            Double ours = larder.get(place(run));
            run.put("time_over_larder", ours == null ? null : ours / run.number("answered_per_s"));
        });
    }

    private static List<Object> place(Figures run) {
        return List.of(run.text("shape"), run.whole("round"), run.text("operation"), run.whole("threads"));
    }

    private static List<Figures> rows(List<Figures> runs) {
        return Summary.groups(runs, OPERATION).stream()
                .map(own -> Summary.row(own, OPERATION, OF_OPERATION)
                        .put(
                                "errors",
                                own.stream()
                                        .mapToLong(run -> run.whole("errors"))
                                        .sum()))
                .toList();
    }

    private static Figures figures(MapRun run, List<Figures> skipped) {
        return new Figures()
                .put("rows", rows(run.runs()))
                .put("loads", Summary.rows(run.loads(), LOAD, OF_LOAD))
                .put("settings", settings(run))
                .put("not_measured", skipped)
                .put("runs", run.runs())
                .put("load_runs", run.loads());
    }

    private static List<Figures> settings(MapRun run) {
        return run.loads().stream()
                .filter(load -> load.whole("round") == 0)
                .map(load -> new Figures()
                        .put("subject", load.text("subject"))
                        .put("flags", load.get("flags"))
                        .putAll(load.part("settings")))
                .distinct()
                .toList();
    }

    /** A rival may fail or lose entries; Larder must do neither. */
    private static @Nullable String invalidReason(MapRun run, @Nullable String reason) {
        for (Figures row : run.failures()) {
            if (MapKind.isOurs(row.text("subject"))) {
                return row.text("subject") + ": " + row.text("failed_reason");
            }
        }
        long wrong = run.runs().stream()
                .filter(row -> MapKind.isOurs(row.text("subject")))
                .mapToLong(row -> row.whole("errors"))
                .sum();
        return wrong > 0 ? "larder: " + wrong + " operations found another value than was put" : reason;
    }

    @Override
    public Report report(Figures result) {
        return new MapReport(result).report();
    }
}
