package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.database.Durability;
import java.nio.file.Path;

/** PostgreSQL filled by batches of INSERT, which the driver merges into statements of many rows; read by a cursor. */
final class PostgresInsertStore extends PostgresStore {

    PostgresInsertStore(Durability durability, String url) {
        super(durability, url);
    }

    @Override
    public Figures create(Path directory) throws Exception {
        createTable("&reWriteBatchedInserts=true");
        connection().commit();
        return settings(
                isDurableAtCommit()
                        ? "a commit survives the loss of power"
                        : "a commit may be lost with the power; the last one waits for the disk and for all before it",
                "prepared statement, batches of " + BATCH + ", reWriteBatchedInserts=true");
    }
}
