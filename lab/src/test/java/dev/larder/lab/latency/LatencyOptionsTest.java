package dev.larder.lab.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.WaitStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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

    /**
     * Each row changes one option at a time; otherwise it could not show the cause of a difference. Interval and rate belong to
     * it.
     */
    @Test
    void eachRowButTheLastChangesOneOption() {
        Figures base = row("default").figures();
        assertThat(LatencyRow.strategy(base)).isEqualTo(WaitStrategy.futex());
        assertThat(LatencyRow.options(base)).isEqualTo(LogOptions.defaults());
        assertThat(all().chosenRows()).hasSize(LatencyRow.NAMES.size()).allSatisfy(row -> {
            long changes = base.names().stream()
                    .filter(name -> !List.of("name", "park_us", "rate_per_s").contains(name))
                    .filter(name ->
                            !Objects.equals(base.get(name), row.figures().get(name)))
                    .count();
            int expected = row.name().equals("default") ? 0 : row.name().equals("combined") ? 4 : 1;
            assertThat(changes).as(row.name()).isEqualTo(expected);
        });
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
        assertThat(row("sync-every-append").figures().number("rate_per_s")).isEqualTo(50);
        assertThat(row("no-sync").figures().number("rate_per_s")).isEqualTo(10_000);
    }

    @Test
    void childrenReadARowAsItWasWritten() {
        assertThat(LatencyRow.strategy(row("park").figures()))
                .isEqualTo(WaitStrategy.parking(Duration.ofNanos(50_000)));
        assertThat(LatencyRow.strategy(row("combined").figures())).isEqualTo(WaitStrategy.busySpin());
        assertThat(options("sync-every-append").durability().sync()).isEqualTo(SyncPolicy.everyAppend());
        assertThat(options("no-early-writeback").durability().earlyWriteback()).isFalse();
        assertThat(options("checked").durability().integrity()).isPresent();
        assertThat(options("locked").layout().lockPages()).isTrue();
        assertThat(options("huge-pages").layout().hugePages()).isTrue();
        assertThat(options("unprepared").layout().prepareBytes()).isZero();
    }

    private static LogOptions options(String row) {
        return LatencyRow.options(row(row).figures());
    }

    @Test
    void runsTheRowsThatWereAskedFor() {
        LatencyOptions options = options(16, 1, Duration.ofSeconds(1), List.of("park", "default"));
        assertThat(options.chosenRows().stream().map(LatencyRow::name)).containsExactly("default", "park");
    }
}
