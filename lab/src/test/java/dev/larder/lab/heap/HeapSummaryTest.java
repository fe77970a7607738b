package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sentences follow the figures, whichever way these point. */
final class HeapSummaryTest {

    private static final long GIB = 1L << 30;

    private static Figures row(
            String subject, Collector collector, double pauseMillis, double cores, double gibibytes) {
        return new Figures()
                .put("subject", subject)
                .put("collector", collector)
                .put("live_bytes", GIB)
                .put("phase", "steady")
                .put("operation", "all")
                .put("requests", 1000)
                .put("offered_per_s", 20_000)
                .put("answered_per_s", 14_000)
                .put("p99_us", 500)
                .put("p999_us", pauseMillis * 1000)
                .put("max_us", pauseMillis * 2000)
                .put("longest_pause_ms", pauseMillis)
                .put("cpu_cores", cores)
                .put("memory_bytes", (long) (gibibytes * GIB))
                .put("saturated", false)
                .put("valid", true);
    }

    private static List<String> sentences(Figures... rows) {
        HeapSummary summary = new HeapSummary(List.of(rows));
        return summary.sentences(summary.parts().getFirst());
    }

    @Test
    void tellsWhatEachCollectorTakes() {
        List<String> sentences = sentences(
                row("concurrent-hash-map", Collector.G1, 40, 1, 2),
                row("concurrent-hash-map", Collector.ZGC, 0.4, 1.5, 2.2),
                row("region", Collector.G1, 10, 0.75, 1.1));
        assertThat(sentences)
                .contains(
                        "ConcurrentHashMap, G1: the longest pause was 40 ms, 99.9 % of the answers came within 40 ms,"
                                + " all within 80 ms; it took 1.00 processors, and 2 GiB of memory, 2.00 times the"
                                + " values.",
                        "ConcurrentHashMap, ZGC, beside the same with G1: 0.010 x the longest pause, 0.010 x the"
                                + " response time at 99.9 %, 1.50 x the processor time, 1.10 x the memory.",
                        "ConcurrentHashMap, ZGC, the fastest on the heap at 99.9 %, beside off-heap region, G1: 0.040"
                            + " x the longest pause, 0.040 x the response time at 99.9 %, 2.00 x the processor time,"
                            + " 2.00 x the memory.",
                        "Of all: shortest longest pause: ConcurrentHashMap, ZGC; shortest response time at 99.9 %:"
                                + " ConcurrentHashMap, ZGC; least processor time: off-heap region, G1; least memory:"
                                + " off-heap region, G1.");
    }

    @Test
    void tellsWhenTheHeapDoesBetter() {
        List<String> sentences =
                sentences(row("caffeine", Collector.PARALLEL, 5, 0.5, 1), row("region", Collector.ZGC, 10, 1, 2));
        assertThat(sentences)
                .contains("Caffeine, Parallel, the fastest on the heap at 99.9 %, beside off-heap region, ZGC: 0.50 x"
                        + " the longest pause, 0.50 x the response time at 99.9 %, 0.50 x the processor time, 0.50"
                        + " x the memory.")
                .anyMatch(sentence -> sentence.contains("least memory: Caffeine, Parallel"));
    }

    @Test
    void whatIsVoidIsNamedAndNotCompared() {
        Figures late = row("concurrent-hash-map", Collector.ZGC, 0.1, 0.1, 0.1)
                .put("valid", false)
                .put("invalid_reason", "the generator was late");
        Figures slow = row("concurrent-hash-map", Collector.G1, 40, 1, 2).put("saturated", true);
        assertThat(sentences(slow, late, row("region", Collector.G1, 10, 0.75, 1.1)))
                .contains("ConcurrentHashMap, ZGC: cannot be told, the row is void: the generator was late.")
                .anyMatch(sentence -> sentence.endsWith("It did not keep up: 14 k/s answered of 20 k/s."))
                .noneMatch(sentence -> sentence.contains("shortest longest pause: ConcurrentHashMap, ZGC"))
                .noneMatch(sentence -> sentence.startsWith("ConcurrentHashMap, ZGC, beside"));
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

    @Test
    void whatWasNotMeasuredIsNamedWithItsReason() {
        Figures skipped = HeapRun.notMeasured(
                new Candidate(HeapSubject.CAFFEINE, Collector.SHENANDOAH, GIB, 2 * GIB, Puts.alone(10)).figures(),
                "skipped_reason",
                "not in this JVM");
        HeapSummary summary = new HeapSummary(List.of(skipped));
        assertThat(summary.parts()).isEmpty();
        assertThat(summary.notMeasured())
                .containsExactly("Caffeine, Shenandoah with 1 GiB of values: skipped, not in this JVM");
    }
}
