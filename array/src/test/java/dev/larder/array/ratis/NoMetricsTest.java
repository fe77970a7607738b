package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.metrics.MetricRegistries;
import org.junit.jupiter.api.Test;

/** Ratis uses the metrics that keep nothing. Only this test shows that. */
final class NoMetricsTest {

    @Test
    void ratisFindsThem() {
        assertThat(MetricRegistries.global()).isInstanceOf(NoMetrics.class);
    }
}
