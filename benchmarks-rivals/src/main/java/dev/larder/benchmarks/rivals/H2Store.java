package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.database.Durability;
import dev.larder.lab.database.StoreFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;

/**
 * H2 under test, embedded, in a file (its MVStore).
 *
 * <p>A commit of H2 is not durable. Its documentation says that a power loss may take the last commits, and a commit calls no
 * fsync, whatever WRITE_DELAY is. {@code CHECKPOINT SYNC} writes pending changes and forces them to the disk, so this test uses
 * it to make a commit durable.
 *
 * <p>Of the documentation's advice for fast imports, a large cache and prepared statements apply; LOG and UNDO_LOG belong to
 * the storage engine of versions before 2. Results are streamed (LAZY_QUERY_EXECUTION): otherwise H2 first copies a large
 * result to a temporary file.
 */
final class H2Store extends SqlStore {

    private Path directory = Path.of("");

    H2Store(Durability durability) {
        super(durability);
    }

    @Override
    public Figures create(Path place) throws Exception {
        directory = place;
        long cacheKibibytes = (Runtime.getRuntime().maxMemory() >> 10) * 6 / 10;
        String settings = ";CACHE_SIZE=" + cacheKibibytes + ";LAZY_QUERY_EXECUTION=1;DB_CLOSE_ON_EXIT=FALSE";
        Connection opened = DriverManager.getConnection(
                "jdbc:h2:file:" + place.resolve("records").toAbsolutePath() + settings);
        execute(opened, "CREATE TABLE " + TABLE + " (id BIGINT PRIMARY KEY, body VARBINARY(65536) NOT NULL)");
        use(opened);
        return new Figures()
                .put(
                        "promise",
                        isDurableAtCommit()
                                ? "H2's own commit promises no durability; CHECKPOINT SYNC after each one does"
                                : "commits are written within WRITE_DELAY; CHECKPOINT SYNC once at the end")
                .put("version", opened.getMetaData().getDatabaseProductVersion())
                .put("url_settings", settings.substring(1))
                .put("write_delay_ms", ask(opened, setting("WRITE_DELAY")))
                .put("cache_size_kib", ask(opened, setting("CACHE_SIZE")))
                .put("insert", "prepared statement, batches of " + BATCH);
    }

    private static String setting(String name) {
        return "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = '" + name + "'";
    }

    @Override
    public void commit() throws Exception {
        super.commit();
        if (isDurableAtCommit()) {
            execute(connection(), "CHECKPOINT SYNC");
        }
    }

    @Override
    public void finish() throws Exception {
        execute(connection(), "CHECKPOINT SYNC");
    }

    @Override
    public long bytesOnDisk() throws Exception {
        return StoreFiles.bytes(directory);
    }
}
