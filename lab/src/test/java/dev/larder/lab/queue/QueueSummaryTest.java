package dev.larder.lab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class QueueSummaryTest {

    private static final long GIB = 1L << 30;
    private static final long BURST = GIB / 8;
    private static final Offset<Double> CLOSE = within(0.001);

    /** Sixteen GiB in bursts of 128 MiB, as in the claim; the times give each figure another value. */
    private static List<Figures> bursts() {
        List<Figures> bursts = new ArrayList<>();
        for (int index = 0; index < 128; index++) {
            boolean beyond = index * BURST >= 2 * GIB;
            bursts.add(new Figures()
                    .put("begin_bytes", index * BURST)
                    .put("bytes", BURST)
                    .put("messages", BURST / 1024)
                    .put("write_ms", beyond ? 55 : 50)
                    .put("sync_ms", beyond ? 11 : 10)
                    .put("read_ms", 12)
                    .put("copy_ms", 40)
                    .put("sum_ms", 10)
                    .put("pwrite_ms", 100)
                    .put("pwrite_limited_ms", 60)
                    .put("allocated_bytes", BURST / 1024));
        }
        return bursts;
    }

    @Test
    void scalesToOneGibAndComparesBelowWithBeyond() {
        Figures summary = new QueueSummary(bursts(), GIB).figures(GIB);
        assertThat(summary.part("below").part("write_ms").number("mean")).isCloseTo(400, CLOSE);
        assertThat(summary.part("beyond").part("write_sync_ms").number("max")).isCloseTo(528, CLOSE);
        assertThat(summary.number("write_sync_beyond_over_below")).isCloseTo(1.1, CLOSE);
        assertThat(summary.number("read_beyond_over_below")).isCloseTo(1, CLOSE);
        assertThat(summary.number("write_sync_over_pwrite")).isCloseTo(1.1, CLOSE);
        assertThat(summary.number("read_over_sum")).isCloseTo(1.2, CLOSE);
        assertThat(summary.number("allocated_bytes_per_message")).isCloseTo(1, CLOSE);
        assertThat(summary.number("write_over_copy")).isCloseTo(1.375, CLOSE);
    }

    @Test
    void comparesTheLastTenthWithTheSecond() {
        List<Figures> bursts = bursts();
        int last = bursts.size() - 1;
        bursts.get(last).put("write_ms", 110);
        double lastTenth = bursts.subList((9 * bursts.size() + 9) / 10, bursts.size()).stream()
                .mapToDouble(burst -> burst.number("write_ms"))
                .average()
                .orElseThrow();
        double secondTenth = bursts.subList((bursts.size() + 9) / 10, (2 * bursts.size() + 9) / 10).stream()
                .mapToDouble(burst -> burst.number("write_ms"))
                .average()
                .orElseThrow();
        assertThat(new QueueSummary(bursts, GIB).figures(GIB).number("write_rate_last_over_second_tenth"))
                .isCloseTo(secondTenth / lastTenth, CLOSE)
                .isLessThan(1);
    }

    /** The first tenth is left out: no file can be reused yet. */
    @Test
    void tellsHowManySegmentsWereOthersBefore() {
        List<Figures> bursts = bursts();
        for (int index = 0; index < bursts.size(); index++) {
            boolean first = index < (bursts.size() + 9) / 10;
            bursts.get(index).put("segments_entered", 4).put("segments_recycled", first ? 0 : 3);
        }
        assertThat(new QueueSummary(bursts, GIB).figures(GIB).number("recycled_over_entered"))
                .isCloseTo(0.75, CLOSE);
        assertThat(new QueueSummary(bursts(), GIB).figures(GIB).get("recycled_over_entered"))
                .isNull();
    }

    @Test
    void takesOnlyBurstsThatEndBeforeHalfTheLimitAsBelow() {
        List<Figures> bursts = bursts();
        bursts.get(3).put("write_ms", 5000); // ends exactly at half the limit
        assertThat(new QueueSummary(bursts, GIB)
                        .figures(GIB)
                        .part("below")
                        .part("write_ms")
                        .number("max"))
                .isCloseTo(400, CLOSE);
        bursts.get(2).put("write_ms", 5000);
        assertThat(new QueueSummary(bursts, GIB)
                        .figures(GIB)
                        .part("below")
                        .part("write_ms")
                        .number("max"))
                .isCloseTo(40_000, CLOSE);
    }

    @Test
    void takesOnlyBurstsThatBeginAtTwiceTheLimitAsBeyond() {
        List<Figures> bursts = bursts();
        bursts.get(15).put("write_ms", 5000); // ends at twice the limit
        assertThat(new QueueSummary(bursts, GIB)
                        .figures(GIB)
                        .part("beyond")
                        .part("write_ms")
                        .number("max"))
                .isCloseTo(440, CLOSE);
    }

    @Test
    void hasNoValueWhereThereAreNoBursts() {
        Figures summary = new QueueSummary(bursts().subList(0, 3), GIB).figures(null);
        assertThat(summary.get("write_sync_beyond_over_below")).isNull();
        assertThat(summary.part("beyond").part("read_ms").get("p95")).isNull();
        assertThat(summary.get("memory_limit_bytes")).isNull();
    }

    @Test
    void quantilesAreValuesThatWereMeasured() {
        List<Double> values = new ArrayList<>();
        for (int value = 1; value <= 20; value++) {
            values.add((double) value);
        }
        values.add(Double.NaN);
        Sample sample = new Sample(values);
        assertThat(sample.quantile(0.95)).isEqualTo(19);
        assertThat(sample.max()).isEqualTo(20);
        assertThat(sample.min()).isEqualTo(1);
        assertThat(sample.median()).isEqualTo(10.5);
        assertThat(sample.mean()).isEqualTo(10.5);
        assertThat(new Sample(List.of(7.0)).quantile(0.95)).isEqualTo(7);
    }
}
