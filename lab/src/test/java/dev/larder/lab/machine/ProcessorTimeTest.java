package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {

    @Test
    void countsStealAndLeavesGuestsOut() {
        ProcessorTime before = time("cpu  100 0 100 700 100 0 0 0 50 0");
        ProcessorTime after = time("cpu  150 0 100 720 110 0 0 20 80 0");
        assertThat(before.total()).isEqualTo(1000);
        assertThat(ProcessorTime.stealPercent(before, after)).isEqualTo(20);
        assertThat(ProcessorTime.busyProcessors(before, after))
                .as("of 64 processors, although this process may use fewer")
                .isEqualTo(0.5 * 64);
        assertThat(ProcessorTime.stealPercent(null, after)).isNaN();
    }

    private static ProcessorTime time(String all) {
        List<String> lines = new ArrayList<>(List.of(all));
        IntStream.range(0, 64).forEach(number -> lines.add("cpu" + number + " 1 0 1 7 1 0 0 0 1 0"));
        lines.add("intr 1 2 3");
        return ProcessorTime.parse(lines);
    }

    @Test
    void sumsPagesByMemoryNode() {
        Figures nodes = NumaNodes.sum(Stream.of(
                "7f0000000000 default file=/x mapped=5 N0=3 N1=2 kernelpagesize_kB=4",
                "7f0000200000 default anon=1 N1=1 kernelpagesize_kB=2048",
                "7f0000400000 default"));
        assertThat(nodes.whole("0")).isEqualTo(3 * 4096);
        assertThat(nodes.whole("1")).isEqualTo(2 * 4096 + (2 << 20));
    }
}
