package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

    /** Version 9.6 is older than 17, and the folder lib64 is no version. */
    @Test
    void knowsTheVersionOfAFolder() {
        List<Path> newestFirst = Stream.of(
                        "/usr/lib/postgresql/9.6/bin",
                        "/usr/lib64/pgsql/bin",
                        "/opt/homebrew/opt/postgresql@16/bin",
                        "/usr/pgsql-17/bin")
                .map(Path::of)
                .sorted(Comparator.comparingInt(PostgresServer::version).reversed())
                .toList();
        assertThat(newestFirst).extracting(PostgresServer::version).containsExactly(17, 16, 9, 0);
    }
}
