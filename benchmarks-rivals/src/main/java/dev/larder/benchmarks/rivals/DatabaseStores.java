package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.database.RecordStore;
import dev.larder.lab.database.StoreChild;
import dev.larder.lab.result.LabException;
import java.io.IOException;

/** The databases of {@code larder lab database}, each in its own child process. */
public final class DatabaseStores {

    private DatabaseStores() {}

    /** Serves the lab. */
    public static void main(String[] arguments) throws IOException {
        StoreChild.serve(DatabaseStores::of);
    }

    private static RecordStore of(Figures plan) {
        String name = plan.text("store") + " " + plan.text("variant");
        return switch (name.strip()) {
            case "sqlite wal" -> new SqliteStore(StoreChild.durability(plan), true);
            case "sqlite journal" -> new SqliteStore(StoreChild.durability(plan), false);
            case "h2" -> new H2Store(StoreChild.durability(plan));
            case "postgres copy" -> new PostgresCopyStore(StoreChild.durability(plan), plan.text("url"));
            case "postgres insert" -> new PostgresInsertStore(StoreChild.durability(plan), plan.text("url"));
            default -> throw new LabException("unknown store '" + name + "'");
        };
    }
}
