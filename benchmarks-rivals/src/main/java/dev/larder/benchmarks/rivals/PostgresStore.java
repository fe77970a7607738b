package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.database.Durability;
import dev.larder.lab.result.LabException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * PostgreSQL under test, through its own driver, over TCP. As its documentation advises for populating a database, the index is
 * made after the records are loaded.
 */
abstract class PostgresStore extends SqlStore {

    private static final String CREATE = "CREATE TABLE " + TABLE + " (id bigint NOT NULL, body bytea NOT NULL)";

    /** Values are sent as bytes, not as text, from the first query on. */
    private static final String BINARY = "prepareThreshold=-1&binaryTransfer=true";

    private final String url;

    PostgresStore(Durability durability, String url) {
        super(durability);
        this.url = url;
    }

    /** Connects, and makes the table in a transaction that stays open. */
    void createTable(String driverSettings) throws SQLException {
        Connection opened =
                DriverManager.getConnection(url + (url.contains("?") ? "&" : "?") + BINARY + driverSettings);
        execute(
                opened,
                "SET synchronous_commit = " + (isDurableAtCommit() ? "on" : "off"),
                "SET enable_sort = off", // a scan in the order of insertion walks the index: the table has no order
                "SET maintenance_work_mem = '256MB'",
                "DROP TABLE IF EXISTS " + TABLE);
        checkSyncs(opened);
        checkpoint(opened);
        use(opened);
        execute(opened, CREATE);
    }

    private static void checkSyncs(Connection opened) throws SQLException {
        if (!ask(opened, "SHOW fsync").equals("on")) {
            throw new LabException("this PostgreSQL runs with fsync off: nothing that it says of durability holds");
        }
    }

    /**
     * Requests a checkpoint, so that earlier entries of the server's log do not count for this store. Not every user may do
     * that.
     */
    private static void checkpoint(Connection opened) {
        try {
            execute(opened, "CHECKPOINT");
        } catch (SQLException e) {
            // then the server's own checkpoints run at any time
        }
    }

    Figures settings(String promise, String insert) throws SQLException {
        Figures settings =
                new Figures().put("promise", promise).put("version", ask(connection(), "SHOW server_version"));
        for (String name : new String[] {
            "fsync",
            "synchronous_commit",
            "wal_level",
            "wal_sync_method",
            "full_page_writes",
            "max_wal_size",
            "checkpoint_timeout",
            "shared_buffers",
            "maintenance_work_mem",
            "enable_sort"
        }) {
            settings.put(name, ask(connection(), "SHOW " + name));
        }
        return settings.put("insert", insert).put("index", "primary key made after the last record, within the time");
    }

    /** Ends with a synchronous commit, which makes all earlier commits durable. */
    @Override
    public void finish() throws Exception {
        execute(connection(), "SET LOCAL synchronous_commit = on", "ALTER TABLE " + TABLE + " ADD PRIMARY KEY (id)");
        connection().commit();
    }

    /** Returns the size of the table with its index. The server's log is reused, and not counted. */
    @Override
    public long bytesOnDisk() throws Exception {
        long bytes = Long.parseLong(ask(connection(), "SELECT pg_total_relation_size('" + TABLE + "')"));
        connection().commit();
        return bytes;
    }

    @Override
    public void close() throws Exception {
        execute(connection(), "DROP TABLE " + TABLE);
        connection().commit();
        super.close();
    }
}
