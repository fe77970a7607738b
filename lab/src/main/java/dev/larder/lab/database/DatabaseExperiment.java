package dev.larder.lab.database;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.RivalClassPath;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.LabException;
import dev.larder.lab.run.Matrix;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares a mapped log with databases: a million records are inserted, made durable, scanned and looked up.
 *
 * <p>Each store runs in its own child process, with the settings that its documentation recommends. Each gets the same
 * durability, returns every byte, and is checked. Only one works at a time.
 */
public final class DatabaseExperiment extends DeclaredExperiment<DatabaseOptions> {

    /** Its declaration. */
    public static final Study<DatabaseOptions> STUDY = new Study<>(
            "database",
            DatabaseOptions.class,
            DatabaseExperiment::new,
            "A mapped log beside databases, for a million records.",
            "Inserts records of 1 KiB into a Larder queue and map, SQLite, H2 and PostgreSQL. Makes them durable, "
                    + "reads all of them back and looks some up. Each store has a child process, the settings that "
                    + "its documentation recommends, and the same durability.");

    /** Limit for a queue's reserved segments that are not full, and for a database's own log. */
    private static final long ROOM_BYTES = 512L << 20;

    /** Most space of a store, as a multiple of its records: H2 keeps old chunks for a while. */
    private static final int LARGEST_STORE = 3;

    private final List<StoreKind> kinds;
    private final List<Figures> skipped = new ArrayList<>();

    /** The experiment with its options, and each available store that they name. */
    public DatabaseExperiment(DatabaseOptions options) {
        super(STUDY, options);
        kinds = new ArrayList<>();
        StoreKind.STORES.stream()
                .filter(store -> options.stores().isEmpty() || options.stores().contains(store))
                .forEach(this::addOrSkip);
    }

    /** The experiment with the caller's stores. */
    DatabaseExperiment(DatabaseOptions options, List<StoreKind> kinds) {
        super(STUDY, options);
        this.kinds = List.copyOf(kinds);
    }

    private void addOrSkip(String store) {
        String reason = reasonToSkip(store);
        if (reason == null) {
            kinds.addAll(StoreKind.named(store, options));
        } else if (options.stores().contains(store)) {
            throw new LabException("--stores " + store + ": " + reason);
        } else {
            skipped.add(new Figures().put("store", store).put("reason", reason));
        }
    }

    private @Nullable String reasonToSkip(String store) {
        if (!StoreKind.isDatabase(store)) {
            return null;
        }
        if (store.equals(StoreKind.POSTGRES) && options.postgres() == null) {
            return "name a server: --postgres start starts a private one (PostgreSQL is "
                    + (PostgresServer.isInstalled() ? "" : "not ")
                    + "installed here), --postgres jdbc:postgresql://HOST/DATABASE uses a running one";
        }
        try {
            RivalClassPath.find();
            return null;
        } catch (LarderException e) {
            return e.getMessage();
        }
    }

    @Override
    public Figures options() {
        return options.figures();
    }

    private Budget diskBudget() {
        int kept = options.keep() ? (kinds.size() - 1) * options.durabilities().size() : 0;
        Budget budget = new Budget()
                .add("largest store", LARGEST_STORE * options.queueBytes() + ROOM_BYTES)
                .add("kept stores", kept * (LARGEST_STORE * options.queueBytes() + ROOM_BYTES));
        if (DatabaseOptions.START.equals(options.postgres())) {
            budget.add("PostgreSQL's log", PostgresServer.logBytes(options.queueBytes()));
        }
        return budget;
    }

    @Override
    public Findings run(RunContext context) {
        diskBudget().check(context.data());
        context.progress().line("needs " + ByteSize.format(diskBudget().totalBytes()) + " of disk: " + diskBudget());
        skipped.forEach(
                store -> context.progress().line("skipped " + store.text("store") + ": " + store.text("reason")));
        List<StoreContender> contenders = new ArrayList<>();
        List<Figures> generator = new ArrayList<>();
        Matrix<StoreContender, Durability> matrix = new Matrix<>(
                        context,
                        contenders,
                        options.durabilities(),
                        (contender, durability, round) -> round(contender, durability, round, generator))
                .rounds(0, options.rounds())
                .told(DatabaseExperiment::words);
        try (PostgresServer server = server(context)) {
            for (StoreKind kind : kinds) {
                ChildProcess child =
                        context.start(kind.toString(), kind.command().get());
                PostgresServer own = kind.needsServer() ? server : null;
                contenders.add(new StoreContender(kind, child, context.data(), options, own));
            }
            String reason = context.reasonOf(() -> {
                warmUp(contenders, context);
                matrix.run();
                return null;
            });
            Figures jvm = contenders.getFirst().jvm();
            contenders.forEach(StoreContender::close); // before their server
            return new Findings(figures(matrix.samples(), generator), jvm, reason);
        } finally {
            contenders.forEach(StoreContender::close);
        }
    }

    /** Starts a private server if the options say so. */
    private @Nullable PostgresServer server(RunContext context) {
        if (!DatabaseOptions.START.equals(options.postgres()) || kinds.stream().noneMatch(StoreKind::needsServer)) {
            return null;
        }
        context.progress().line("starting a PostgreSQL server");
        PostgresServer server = PostgresServer.create(
                context.data().resolve("postgres-server"),
                context.folder().file("postgres-server.log"),
                options.queueBytes());
        server.start();
        return server;
    }

    private void warmUp(List<StoreContender> contenders, RunContext context) {
        for (StoreContender contender : contenders) {
            if (!context.interruption().isInterrupted()) {
                context.progress().line("warming up " + contender.kind());
                options.durabilities().forEach(contender::warmUp);
            }
        }
    }

    private static Figures round(StoreContender contender, Durability durability, int round, List<Figures> generator) {
        Figures figures = contender.round(durability, round);
        if (contender.kind().store().equals(StoreKind.FILE)) {
            generator.add(contender.generator());
        }
        return figures;
    }

    private static String words(String name, Figures figures) {
        return String.format(
                Locale.ROOT,
                "%s: insert %.0f, scan %.0f, query %.0f ms",
                name,
                figures.number("insert_ms"),
                figures.number("scan_ms"),
                figures.number("query_ms"));
    }

    private Figures figures(List<Figures> runs, List<Figures> generator) {
        DatabaseSummary summary = new DatabaseSummary(runs);
        return new Figures()
                .put("rows", summary.rows())
                .put("summary", summary.figures())
                .put("generator", generator)
                .put("skipped", skipped)
                .put("runs", runs);
    }

    @Override
    public Report report(Figures result) {
        return new DatabaseReport(result).report();
    }
}
