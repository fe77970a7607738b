package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ThroughputSummaryTest {

    private static Figures fork(String subject, int fork, double term, double fetch, double control) {
        return new Figures()
                .put("subject", subject)
                .put("collector", "g1")
                .put("fork", fork)
                .put(
                        "kinds",
                        new Figures()
                                .put("term", term)
                                .put("stored-fields", fetch)
                                .put(ProcessorControl.KIND, control));
    }

    private static Figures row(List<Figures> rows, String subject, String over, String kind) {
        return rows.stream()
                .filter(row -> subject.equals(row.get("subject")) && over.equals(row.get("over")))
                .filter(row -> kind.equals(row.get("kind")))
                .findFirst()
                .orElseThrow();
    }

    /** A fork that is faster as a whole shows nothing about its directory. */
    @Test
    void whatSpeedsUpAWholeForkIsLeftOut() {
        List<Figures> forks = List.of(
                fork("mmap", 0, 100, 400, 1000),
                fork("larder", 0, 50, 100, 500),
                fork("mmap", 1, 200, 800, 2000),
                fork("larder", 1, 100, 200, 1000));
        List<Figures> rows = new ThroughputSummary(forks, 1).rows();
        assertThat(row(rows, "larder", "mmap", "term").number("throughput_ratio"))
                .isCloseTo(1, within(1e-4));
        assertThat(row(rows, "larder", "mmap", "stored-fields").number("throughput_ratio"))
                .isCloseTo(2, within(1e-4));
        Figures all = row(rows, "larder", "mmap", "all");
        assertThat(all.number("throughput_ratio")).isCloseTo(Math.sqrt(2), within(1e-4));
        assertThat(all.number("time_ratio")).isCloseTo(Math.sqrt(0.5), within(1e-4));
        assertThat(all.number("throughput_ratio_low")).isCloseTo(Math.sqrt(2), within(1e-4));
        assertThat(all.whole("forks")).isEqualTo(2);
        assertThat(rows).noneMatch(row -> ProcessorControl.KIND.equals(row.get("kind")));
    }

    /** A round that was slow for both subjects shows nothing; only ratios within a round count. */
    @Test
    void onlyForksOfTheSameRoundArePaired() {
        List<Figures> forks = new ArrayList<>(List.of(
                fork("mmap", 0, 100, 100, 1000),
                fork("larder", 0, 80, 80, 1000),
                fork("mmap", 1, 300, 300, 1000),
                fork("larder", 1, 240, 240, 1000)));
        forks.add(fork("mmap", 2, 1, 1, 1000)); // its pair was not measured
        Figures all = row(new ThroughputSummary(forks, 1).rows(), "larder", "mmap", "all");
        assertThat(all.whole("forks")).isEqualTo(2);
        assertThat(all.number("throughput_ratio_low")).isCloseTo(1.25, within(1e-4));
        assertThat(all.number("throughput_ratio_high")).isCloseTo(1.25, within(1e-4));
    }

    @Test
    void theHeapIsAReferenceAsWell() {
        List<Figures> forks = List.of(
                fork("mmap", 0, 100, 100, 1000),
                fork("bytebuffers", 0, 150, 150, 1000),
                fork("larder", 0, 100, 100, 1000));
        List<Figures> rows = new ThroughputSummary(forks, 1).rows();
        Figures overHeap = row(rows, "larder", "bytebuffers", "all");
        assertThat(overHeap.number("throughput_ratio")).isCloseTo(1.5, within(1e-4));
        assertThat(overHeap.get("throughput_ratio_low")).isNull();
        assertThat(row(rows, "bytebuffers", "mmap", "all").number("time_ratio")).isCloseTo(1.5, within(1e-4));
    }

    @Test
    void aKindThatAForkLacksIsNotCompared() {
        Figures lacking = fork("larder", 0, 100, 100, 1000);
        lacking.put("kinds", new Figures().put("term", 100).put(ProcessorControl.KIND, 1000));
        List<Figures> rows = new ThroughputSummary(List.of(fork("mmap", 0, 100, 100, 1000), lacking), 1).rows();
        assertThat(rows).extracting(row -> row.get("kind")).containsExactly("all", "term");
    }
}
