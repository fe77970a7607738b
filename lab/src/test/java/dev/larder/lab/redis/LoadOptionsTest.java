package dev.larder.lab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    /** A change of options. */
    @FunctionalInterface
    private interface Change {
        void to(Builder builder);
    }

    private static void assertRefused(String reason, Change change) {
        Builder builder = new Builder();
        change.to(builder);
        assertThatThrownBy(builder::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void rangesAreChecked() {
        assertRefused("--keys 0", builder -> builder.keys = 0);
        assertRefused("--value 15 B", builder -> builder.valueBytes = 15);
        assertRefused("--writes 101", builder -> builder.writesPercent = 101);
        assertRefused("--rate 0", builder -> builder.rates = List.of(0.0));
        assertRefused("--seconds 0", builder -> builder.seconds = 0.0);
        assertRefused("--connections 0", builder -> builder.connections = 0);
        assertRefused("give --rate or --sweep", builder -> builder.rates = List.of());
    }

    @Test
    void whatExcludesEachOtherIsRefused() {
        assertRefused("exclude each other", builder -> builder.sweep = true);
        assertRefused("--cluster needs a Redis", builder -> builder.cluster = true);
        assertRefused("give --cluster", builder -> builder.target = "a:1,b:2");
        assertRefused("go together", builder -> builder.arrivals = ArrivalKind.REPLAY);
        assertRefused("go together", builder -> builder.replay = Path.of("x"));
        assertRefused("--target-on starts known", builder -> builder.targetOn = "ssh a larder lab play");
        assertRefused("none of", builder -> builder.target = "known:capacity=0");
        assertRefused("none of", builder -> builder.target = "nowhere");
        assertRefused("no such port", builder -> builder.target = "a:70000");
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
