package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapSummaryTest {

    private static final long GIB = 1L << 30;

    private static Figures row(
            String subject, Collector collector, double pauseMillis, double cores, double gibibytes) {
        return Figures.parse("""
            {"phase": "steady", "operation": "all", "requests": 1000, "offered_per_s": 20000,
             "answered_per_s": 14000, "p99_us": 500, "saturated": false, "valid": true}
            """)
                .put("subject", subject)
                .put("collector", collector)
                .put("live_bytes", GIB)
                .put("p999_us", pauseMillis * 1000)
                .put("max_us", pauseMillis * 2000)
                .put("longest_pause_ms", pauseMillis)
                .put("cpu_cores", cores)
                .put("memory_bytes", (long) (gibibytes * GIB));
    }

    private static HeapSummary summary(Figures... rows) {
        return new HeapSummary(List.of(rows));
    }

    /** Compares in both directions, whichever subject is better. */
    @Test
    void comparesWithWhatIsOutsideTheHeap() {
        HeapSummary summary = summary(
                row("concurrent-hash-map", Collector.G1, 40, 1.5, 2),
                row("concurrent-hash-map", Collector.ZGC, 5, 0.375, 1.1),
                row("region", Collector.G1, 10, 0.75, 1));
        List<Figures> multiples = summary.multiples(summary.parts().getFirst());
        assertThat(multiples)
                .extracting(row -> row.get("candidate"))
                .containsExactly("ConcurrentHashMap, G1", "ConcurrentHashMap, ZGC", "off-heap region, G1");
        assertThat(multiples)
                .extracting(row -> row.number("longest_pause_ms_over_off_heap"))
                .containsExactly(4.0, 0.5, Double.NaN);
        assertThat(multiples)
                .extracting(row -> row.number("cpu_cores_over_off_heap"))
                .containsExactly(2.0, 0.5, Double.NaN);
    }

    @Test
    void whatIsVoidIsNamedAndNotCompared() {
        Figures late = row("concurrent-hash-map", Collector.ZGC, 0.1, 0.1, 0.1)
                .put("valid", false)
                .put("invalid_reason", "the generator was late");
        HeapSummary summary = summary(late, row("region", Collector.G1, 10, 0.75, 1.1));
        Figures part = summary.parts().getFirst();
        assertThat(summary.voids(part))
                .containsExactly("ConcurrentHashMap, ZGC: the row is void: the generator was late.");
        assertThat(summary.multiples(part)).hasSize(1);
    }

    @Test
    void figuresAreNamedBySizePhaseAndCandidate() {
        Figures figures = new HeapSummary(List.of(
                        row("concurrent-hash-map", Collector.G1, 40, 1, 2), row("region", Collector.G1, 10, 0.5, 1)))
                .figures();
        Figures steady = figures.part("1024MiB").part("steady");
        assertThat(steady.part("concurrent-hash-map-g1").number("cpu_cores_over_off_heap"))
                .isEqualTo(2);
        assertThat(steady.part("concurrent-hash-map-g1").number("memory_over_live"))
                .isEqualTo(2);
        assertThat(steady.part("region-g1").has("cpu_cores_over_off_heap")).isFalse();
    }
}
