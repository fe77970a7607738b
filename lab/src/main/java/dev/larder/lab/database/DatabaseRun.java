package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The processes of one run of the experiment {@code database}, and the order in which they are asked to work. */
final class DatabaseRun implements AutoCloseable {

    private final DatabaseOptions options;
    private final RunContext context;
    private final List<StoreContender> contenders = new ArrayList<>();
    private final List<Figures> runs = new ArrayList<>();
    private final List<Figures> generator = new ArrayList<>();
    private @Nullable PostgresServer server;

    DatabaseRun(DatabaseOptions options, RunContext context) {
        this.options = options;
        this.context = context;
    }

    /** Starts a child for each store, and makes the private server's files if one is asked for. */
    void start(List<StoreKind> kinds) {
        if (DatabaseOptions.START.equals(options.postgres()) && kinds.stream().anyMatch(StoreKind::needsServer)) {
            context.progress().line("starting a PostgreSQL server");
            server = PostgresServer.create(
                    context.data().resolve("postgres-server"),
                    context.folder().file("postgres-server.log"),
                    options.queueBytes());
            server.start();
        }
        kinds.forEach(this::start);
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
        return runs;
    }

    /** Returns what the records alone cost, of each round so far. */
    List<Figures> generator() {
        return generator;
    }

    /** Runs all rounds; stores take turns, and each round begins with another one. */
    void rounds() {
        warmUp();
        for (int round = 0; round < options.rounds(); round++) {
            for (Durability durability : options.durabilities()) {
                for (int turn = 0; turn < contenders.size() && !isInterrupted(); turn++) {
                    measure(contenders.get((turn + round) % contenders.size()), durability, round);
                }
            }
        }
    }

    private boolean isInterrupted() {
        return context.interruption().isInterrupted();
    }

    private void warmUp() {
        for (StoreContender contender : contenders) {
            if (!isInterrupted()) {
                context.progress().line("warming up " + contender.kind());
                options.durabilities().forEach(contender::warmUp);
            }
        }
    }

    private void measure(StoreContender contender, Durability durability, int round) {
        Figures figures = new Figures()
                .put("store", contender.kind().store())
                .put("variant", contender.kind().variant())
                .put("durability", durability)
                .put("round", round)
                .putAll(contender.round(durability, round));
        runs.add(figures);
        context.folder().addSample(figures);
        if (contender.kind().store().equals(StoreKind.FILE)) {
            generator.add(contender.generator());
        }
        int all = options.rounds() * options.durabilities().size() * contenders.size();
        context.progress().step(runs.size(), all, words(contender, durability, figures));
    }

    private static String words(StoreContender contender, Durability durability, Figures figures) {
        return String.format(
                Locale.ROOT,
                "%s, durable at %s: insert %.0f, scan %.0f, query %.0f ms",
                contender.kind(),
                durability,
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
