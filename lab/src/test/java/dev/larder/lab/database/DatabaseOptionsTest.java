package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DatabaseOptionsTest {

    static DatabaseOptions options(
            long records, int recordBytes, List<String> stores, @Nullable String postgres, @Nullable Path directory) {
        return new DatabaseOptions(
                new DatabaseOptions.Inserts(records, recordBytes, 1000, 100),
                List.of(Durability.COMMIT, Durability.END),
                new DatabaseOptions.Queries(500, List.of(0, 50, 100)),
                1,
                stores,
                postgres,
                directory,
                1,
                false);
    }

    private static DatabaseOptions withPostgres(String postgres) {
        return options(1000, 1024, List.of(), postgres, null);
    }

    @Test
    void keepsSecretsOutOfTheResult() {
        assertThat(withPostgres("jdbc:postgresql://db:5432/lab?user=me&password=secret")
                        .figures()
                        .get("postgres"))
                .isEqualTo("jdbc:postgresql://db:5432/lab");
        assertThat(withPostgres("jdbc:postgresql://me:secret@db/lab").figures().get("postgres"))
                .isEqualTo("jdbc:postgresql://db/lab");
        assertThat(withPostgres("start").figures().get("postgres")).isEqualTo("start");
    }

    @Test
    void knowsWhatTheRecordsTakeInAQueue() {
        assertThat(options(1000, 1024, List.of(), null, null).queueBytes()).isEqualTo(1000 * 1032);
    }
}
