package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.run.Matrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The processes of one run of the experiment {@code database}, and the order in which they are asked to work. */
final class DatabaseRun implements AutoCloseable {

    private final DatabaseOptions options;
    private final RunContext context;
    private final List<StoreContender> contenders = new ArrayList<>();
    private final List<Figures> generator = new ArrayList<>();
    private final Matrix<StoreContender, Durability> matrix;
    private @Nullable PostgresServer server;

    /** Starts a child for each store, and makes the private server's files if one is asked for. */
    DatabaseRun(DatabaseOptions options, RunContext context, List<StoreKind> kinds) {
        this.options = options;
        this.context = context;
        if (DatabaseOptions.START.equals(options.postgres()) && kinds.stream().anyMatch(StoreKind::needsServer)) {
            context.progress().line("starting a PostgreSQL server");
            server = PostgresServer.create(
                    context.data().resolve("postgres-server"),
                    context.folder().file("postgres-server.log"),
                    options.queueBytes());
            server.start();
        }
        kinds.forEach(this::start);
        matrix = new Matrix<>(context, contenders, options.durabilities(), this::round)
                .rounds(0, options.rounds())
                .told(DatabaseRun::words);
    }

    private void start(StoreKind kind) {
        ChildProcess child = context.start(kind.toString(), kind.command().get(), MemoryLimit.none());
        contenders.add(new StoreContender(kind, child, context.data(), options, kind.needsServer() ? server : null));
    }

    Figures jvm() {
        return context.interruption().isInterrupted()
                ? JavaProcess.facts()
                : contenders.getFirst().jvm();
    }

    /** Returns the figures of every round of every store so far. */
    List<Figures> runs() {
        return matrix.samples();
    }

    /** Returns what the records alone cost, of each round so far. */
    List<Figures> generator() {
        return generator;
    }

    /** Warms every store up, and runs all rounds. */
    void measure() {
        for (StoreContender contender : contenders) {
            if (!context.interruption().isInterrupted()) {
                context.progress().line("warming up " + contender.kind());
                options.durabilities().forEach(contender::warmUp);
            }
        }
        matrix.run();
    }

    private Figures round(StoreContender contender, Durability durability, int round) {
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

    @Override
    public void close() {
        contenders.forEach(StoreContender::close);
        if (server != null) {
            server.close();
        }
    }
}
