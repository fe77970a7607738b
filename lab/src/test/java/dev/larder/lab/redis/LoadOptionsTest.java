package dev.larder.lab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.study.Settings;
import org.junit.jupiter.api.Test;

final class LoadOptionsTest {

    /** Returns small options, followed by those of a test. */
    static LoadOptions options(String arguments) {
        String small = "--quick --keys 100 --value 100 --percent 50,100 --seconds 1 --target-host b ";
        return Settings.parse(LoadOptions.class, (small + arguments).split(" ", -1));
    }

    @Test
    void aResultSaysWhereItRanAndHoldsNoPaths() {
        LoadOptions there = Settings.parse(
                LoadOptions.class, "--target", "known:capacity=2000", "--generator", "ssh a larder lab play");
        assertThat(there.figures().toJson())
                .contains("\"generator\":\"ssh a larder lab play\"")
                .contains("known:capacity=2000");
        assertThat(Settings.parse(LoadOptions.class, "--arrivals", "replay", "--replay", "/some/where/arrivals.txt")
                        .figures()
                        .toJson())
                .doesNotContain("/some")
                .contains("arrivals.txt");
    }
}
