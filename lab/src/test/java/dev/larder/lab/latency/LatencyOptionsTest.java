package dev.larder.lab.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.load.ArrivalKind;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.WaitStrategy;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatencyOptionsTest {

    static LatencyOptions options(int message, double rate, Duration duration, List<String> rows) {
        return new LatencyOptions(
                message,
                rate,
                50,
                ArrivalKind.POISSON,
                duration,
                Duration.ofMillis(100),
                Duration.ofNanos(50_000),
                rows,
                null,
                1,
                false);
    }

    private static LatencyOptions all() {
        return options(256, 10_000, Duration.ofSeconds(1), List.of());
    }

    private static LatencyRow row(String name) {
        return all().chosenRows().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** One at a time: else a row could not say what made the difference. */
    @Test
    void eachRowButTheLastChangesOneOption() {
        LatencyRow base = row("default");
        assertThat(base.strategy()).isEqualTo(WaitStrategy.futex());
        assertThat(base.disk().sync()).isEqualTo(SyncPolicy.every(Duration.ofSeconds(1)));
        for (LatencyRow row : all().chosenRows()) {
            int expected = row.name().equals("default") ? 0 : row.name().equals("combined") ? 4 : 1;
            assertThat(changes(base, row)).as(row.name()).isEqualTo(expected);
        }
        assertThat(all().chosenRows()).hasSize(LatencyRow.NAMES.size());
    }

    private static int changes(LatencyRow base, LatencyRow row) {
        return (int) IntStream.of(
                        row.strategy().equals(base.strategy()) ? 0 : 1,
                        row.pinned() ? 1 : 0,
                        row.memory().locked() ? 1 : 0,
                        row.memory().huge() ? 1 : 0,
                        row.memory().prepared() ? 0 : 1,
                        row.disk().sync().equals(base.disk().sync()) ? 0 : 1,
                        row.disk().early() ? 0 : 1,
                        row.disk().checked() ? 1 : 0)
                .filter(change -> change == 1)
                .count();
    }

    @Test
    void aRowThatSpinsWantsAProcessorMore() {
        assertThat(row("default").processorsWanted()).isEqualTo(2);
        assertThat(row("park").processorsWanted()).isEqualTo(2);
        assertThat(row("busy-spin").processorsWanted()).isEqualTo(3);
        assertThat(row("yield").processorsWanted()).isEqualTo(3);
    }

    @Test
    void syncedAppendsHaveARateOfTheirOwn() {
        assertThat(row("sync-every-append").ratePerSecond()).isEqualTo(50);
        assertThat(row("no-sync").ratePerSecond()).isEqualTo(10_000);
    }

    @Test
    void childrenReadARowAsItWasWritten() {
        for (LatencyRow row : all().chosenRows()) {
            assertThat(LatencyRow.strategy(row.figures())).isEqualTo(row.strategy());
            LogOptions options = LatencyRow.options(row.figures());
            assertThat(options.durability().sync()).isEqualTo(row.disk().sync());
            assertThat(options.durability().earlyWriteback())
                    .isEqualTo(row.disk().early());
            assertThat(options.durability().integrity().isPresent())
                    .isEqualTo(row.disk().checked());
            assertThat(options.layout().lockPages()).isEqualTo(row.memory().locked());
            assertThat(options.layout().hugePages()).isEqualTo(row.memory().huge());
            assertThat(options.layout().prepareBytes() > 0)
                    .isEqualTo(row.memory().prepared());
        }
    }

    @Test
    void runsTheRowsThatWereAskedFor() {
        LatencyOptions options = options(16, 1, Duration.ofSeconds(1), List.of("park", "default"));
        assertThat(options.chosenRows().stream().map(LatencyRow::name)).containsExactly("default", "park");
    }
}
