package dev.larder.lab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.load.ArrivalKind;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LoadOptionsTest {

    /** Small options, to be changed one by one. */
    static final class Builder {
        String target = "echo";
        boolean cluster;
        List<Double> rates = List.of(500.0);
        boolean sweep;
        long keys = 100;
        int valueBytes = 100;
        double writesPercent = 10;
        ArrivalKind arrivals = ArrivalKind.POISSON;

        @Nullable
        Path replay;

        @Nullable
        Double seconds = 1.0;

        int connections = 2;
        boolean fill = true;
        boolean keep;

        @Nullable
        String generator;

        @Nullable
        String targetOn;

        LoadOptions options() {
            return new LoadOptions(
                    LoadTarget.parse(List.of(target.split(",", -1))),
                    cluster,
                    new LoadOptions.Hosts(generator, targetOn, "b"),
                    new LoadOptions.Loads(rates, sweep, List.of(50.0, 100.0), arrivals, replay, seconds),
                    new LoadOptions.Keys(keys, valueBytes, writesPercent, fill, keep),
                    connections,
                    true,
                    1);
        }
    }

    @Test
    void aResultSaysWhereItRanAndHoldsNoPaths() {
        Builder builder = new Builder();
        builder.target = "known:capacity=2000";
        builder.generator = "ssh a larder lab play";
        assertThat(builder.options().figures().toJson())
                .contains("\"generator\":\"ssh a larder lab play\"")
                .contains("known:capacity=2000");
        Builder replayed = new Builder();
        replayed.arrivals = ArrivalKind.REPLAY;
        replayed.replay = Path.of("/some/where/arrivals.txt");
        replayed.rates = List.of();
        assertThat(replayed.options().figures().toJson())
                .doesNotContain("/some")
                .contains("arrivals.txt");
    }
}
