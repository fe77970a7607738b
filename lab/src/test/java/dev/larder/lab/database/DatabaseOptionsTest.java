package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.study.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseOptionsTest {

    /** Returns the small options of tests, followed by those of a test. */
    static DatabaseOptions options(String arguments) {
        String small = "--records 5000 --commit-every 1000 --warm-up 100 --queries 500 --writes 0,50,100 --rounds 1 ";
        return Settings.parse(DatabaseOptions.class, (small + arguments).split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/lab?user=me&password=secret, jdbc:postgresql://db:5432/lab",
        "jdbc:postgresql://me:secret@db/lab, jdbc:postgresql://db/lab",
        "start, start",
    })
    void keepsSecretsOutOfTheResult(String url, String told) {
        assertThat(options("--postgres " + url).figures().get("postgres")).isEqualTo(told);
    }

    @Test
    void knowsWhatTheRecordsTakeInAQueue() {
        assertThat(options("--records 1000").queueBytes()).isEqualTo(1000 * 1032);
    }
}
