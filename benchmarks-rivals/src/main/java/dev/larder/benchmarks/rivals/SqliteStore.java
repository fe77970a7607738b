package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.database.Durability;
import dev.larder.lab.database.StoreFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * SQLite under test, in either of its two ways to commit.
 *
 * <p>With a write-ahead log every page is written twice: to the log and at a checkpoint. With a rollback journal a new page is
 * written once. So the journal, though older, may be faster if records are only added.
 *
 * <p>Pages have 16 KiB. SQLite's documentation finds 8 or 16 KiB best for large values, and records of 1 KiB waste less of them
 * than of 4 KiB. Reads are mapped as far as SQLite allows.
 */
final class SqliteStore extends SqlStore {

    private static final int PAGE_BYTES = 16 << 10;
    private static final int CACHE_KIBIBYTES = 256 << 10;
    private static final long MAPPED_BYTES = 2_147_418_112; // the largest mapping for which SQLite is built
    private static final int CHECKPOINT_PAGES = (64 << 20) / PAGE_BYTES;

    private final boolean log;
    private Path directory = Path.of("");

    /** Creates a store with a write-ahead log, or else with a rollback journal. */
    SqliteStore(Durability durability, boolean log) {
        super(durability);
        this.log = log;
    }

    @Override
    public Figures create(Path place) throws Exception {
        directory = place;
        Connection opened = DriverManager.getConnection("jdbc:sqlite:" + place.resolve("records.db"));
        execute(
                opened,
                "PRAGMA page_size = " + PAGE_BYTES,
                "PRAGMA locking_mode = EXCLUSIVE",
                "PRAGMA journal_mode = " + (log ? "WAL" : "PERSIST"),
                "PRAGMA synchronous = " + synchronous(),
                "PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES,
                "PRAGMA cache_size = -" + CACHE_KIBIBYTES,
                "PRAGMA mmap_size = " + MAPPED_BYTES,
                "CREATE TABLE " + TABLE + " (id INTEGER PRIMARY KEY, body BLOB NOT NULL)");
        Figures settings = settings(opened);
        use(opened);
        return settings;
    }

    private String synchronous() {
        if (isDurableAtCommit()) {
            return "FULL";
        }
        return log ? "NORMAL" : "OFF";
    }

    private String promise() {
        if (isDurableAtCommit()) {
            return "a commit survives the loss of power";
        }
        return log
                ? "a commit may be lost with the power before the fsync at the end; the file stays sound"
                : "a loss of power before the fsync at the end may damage the file, which is less than the others"
                        + " promise";
    }

    private Figures settings(Connection opened) throws SQLException {
        Figures settings =
                new Figures().put("promise", promise()).put("version", ask(opened, "SELECT sqlite_version()"));
        for (String name : new String[] {
            "journal_mode", "synchronous", "page_size", "cache_size", "mmap_size", "locking_mode", "wal_autocheckpoint"
        }) {
            settings.put(name, ask(opened, "PRAGMA " + name));
        }
        return settings.put("insert", "prepared statement, batches of " + BATCH);
    }

    /**
     * Syncs the writes that no commit has synced. A synced log is as durable as the file, so it is not copied into the file,
     * which would cost SQLite time.
     */
    @Override
    public void finish() throws Exception {
        if (!isDurableAtCommit()) {
            StoreFiles.force(directory);
        }
    }

    @Override
    public long bytesOnDisk() throws Exception {
        return StoreFiles.bytes(directory);
    }
}
