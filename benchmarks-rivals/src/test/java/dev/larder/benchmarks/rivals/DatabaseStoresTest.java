package dev.larder.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.lab.database.Durability;
import dev.larder.lab.database.PostgresServer;
import dev.larder.lab.database.RecordStore;
import dev.larder.lab.result.LabException;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each database takes records, gives every one of them back, and runs with the settings that it was given. */
class DatabaseStoresTest {

    private static final int RECORDS = 2_500;
    private static final int COMMIT_EVERY = 1_000;

    @TempDir
    Path directory;

    private final Records records = new Records(1024, 1, 0);

    /** Fills a store, reads everything back, and returns its settings. */
    private Figures use(RecordStore store) throws Exception {
        Figures settings = store.create(directory);
        for (int first = 0; first < RECORDS; first += COMMIT_EVERY) {
            store.insert(records, first, Math.min(COMMIT_EVERY, RECORDS - first));
            store.commit();
        }
        store.finish();
        RecordScan scan = new RecordScan(records, RECORDS);
        store.scan(scan);
        scan.finish();
        store.query(records, new long[] {0, 999, 1000, 2499, 7});
        assertThat(store.bytesOnDisk()).isGreaterThan(RECORDS * 1024 - 1);
        assertThatThrownBy(() -> store.query(records, new long[] {RECORDS}))
                .isInstanceOf(LabException.class)
                .hasMessage("record 2500 was not found");
        store.close();
        return settings;
    }

    @ParameterizedTest
    @CsvSource({"COMMIT, true, wal, 2", "COMMIT, false, persist, 2", "END, true, wal, 1", "END, false, persist, 0"})
    void sqlite(Durability durability, boolean log, String journal, String synchronous) throws Exception {
        Figures settings = use(new SqliteStore(durability, log));
        assertThat(settings.text("journal_mode")).isEqualTo(journal);
        assertThat(settings.text("synchronous")).isEqualTo(synchronous);
        assertThat(settings.text("page_size")).isEqualTo("16384");
        assertThat(settings.text("locking_mode")).isEqualTo("exclusive");
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void h2(Durability durability) throws Exception {
        Figures settings = use(new H2Store(durability));
        assertThat(Long.parseLong(settings.text("cache_size_kib"))).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void postgres(Durability durability) throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "PostgreSQL is not installed");
        // where we are root, the server is another user, who must be able to come here
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (PostgresServer server =
                PostgresServer.create(directory.resolve("server"), directory.resolve("server.log"), RECORDS * 1024L)) {
            server.start();
            for (RecordStore store : List.of(
                    new PostgresCopyStore(durability, server.url()),
                    new PostgresInsertStore(durability, server.url()))) {
                Figures settings = use(store);
                assertThat(settings.text("fsync")).isEqualTo("on");
                assertThat(settings.text("synchronous_commit"))
                        .isEqualTo(durability == Durability.COMMIT ? "on" : "off");
            }
        }
    }

    @Test
    void aServerEndsWithItsRun() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "PostgreSQL is not installed");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        PostgresServer server =
                PostgresServer.create(directory.resolve("server"), directory.resolve("server.log"), 1 << 20);
        try {
            server.start();
            Path pid = directory.resolve("server/cluster/postmaster.pid");
            assertThat(pid).exists();
            long id = Long.parseLong(Files.readAllLines(pid).getFirst());
            assertThat(ProcessHandle.of(id)).isPresent();
            server.close();
            assertThat(ProcessHandle.of(id).filter(ProcessHandle::isAlive)).isEmpty();
            server.start(); // and again
        } finally {
            server.close();
        }
    }
}
