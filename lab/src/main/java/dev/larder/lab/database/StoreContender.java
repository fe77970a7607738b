package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.DirtyPages;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A store in its child process. */
final class StoreContender implements AutoCloseable {

    private final StoreKind kind;
    private final ChildProcess child;
    private final Path home;
    private final DatabaseOptions options;
    private final @Nullable PostgresServer server;

    /** A contender; {@code server} is the run's own, null if it has none. */
    StoreContender(
            StoreKind kind, ChildProcess child, Path data, DatabaseOptions options, @Nullable PostgresServer server) {
        this.kind = kind;
        this.child = child;
        this.options = options;
        this.server = server;
        home = data.resolve(kind.toString());
    }

    StoreKind kind() {
        return kind;
    }

    /** Returns the facts of the child's JVM. */
    Figures jvm() {
        return child.facts();
    }

    /** Inserts into, scans and queries a small store, which is then dropped. */
    void warmUp(Durability durability) {
        if (options.inserts().warmUpRecords() > 0) {
            measure(cell(durability, 0), options.inserts().warmUpRecords(), false);
        }
    }

    /** Runs one round: insert, scan, index, query; the page cache holds the new records. */
    Figures round(Durability durability, int round) {
        boolean keep = options.keep() && round == options.rounds() - 1;
        return measure(cell(durability, round), options.inserts().records(), keep);
    }

    /** Returns the cost of the records alone, with the last round's plan. */
    Figures generator() {
        return child.ask("generate", new Figures());
    }

    private Figures cell(Durability durability, int round) {
        return new Figures()
                .put("store", kind.store())
                .put("variant", kind.variant())
                .put("durability", durability)
                .put("round", round);
    }

    private Figures measure(Figures cell, long records, boolean keep) {
        Path directory = Directories.create(home.resolve(cell.text("durability") + "-" + cell.whole("round")));
        try {
            DirtyPages.settle();
            Figures question = options.figures()
                    .putAll(cell)
                    .put("records", records)
                    .put("seed", options.seed())
                    .put("directory", directory)
                    .put("url", url());
            Figures figures = cell.put("settings", child.ask("create", question));
            for (String step : new String[] {"insert", "scan", "index", "query"}) {
                figures.putAll(child.ask(step, new Figures()));
            }
            for (int percent : options.queries().writesPercent()) {
                figures.putAll(child.ask("mix", new Figures().put("writes_percent", percent)));
            }
            figures.putAll(child.ask("look", new Figures()));
            return figures.putAll(child.ask("close", new Figures()));
        } finally {
            if (!keep) {
                Directories.delete(directory);
            }
        }
    }

    /** Only of a server, as it may hold a password. */
    private @Nullable String url() {
        if (!kind.needsServer()) {
            return null;
        }
        return server == null ? options.postgres() : server.url();
    }

    @Override
    public void close() {
        child.close();
    }

    @Override
    public String toString() {
        return kind.toString();
    }
}
