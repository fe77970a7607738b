package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.Plot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadChartsTest {

    @TempDir
    Path directory;

    private static Figures operation(String name, int count) {
        OperationTimes times = new OperationTimes(name);
        for (int i = 1; i <= count; i++) {
            times.add(i * 1_000L, 0, Service.SERVED, true);
        }
        return times.row(10);
    }

    private static Figures asked(Figures row, double perSecond, boolean valid) {
        return new Figures().putAll(row).put("rate_per_s", perSecond).put("valid", valid);
    }

    /** A stopped load has sent less than was asked for, and a void load proves nothing. */
    @Test
    void loadsStandAtWhatWasAskedForUnlessTheyAreVoid() {
        List<Figures> runs = List.of(
                asked(rows("G1", 1_000).getFirst(), 5_000, true),
                asked(rows("G1", 2_000).getFirst(), 1_000, true),
                asked(rows("G1", 3_000).getFirst(), 9_000, false));
        assertThat(LoadCharts.byLoad(runs, new Figures()))
                .singleElement()
                .isInstanceOfSatisfying(
                        Plot.class,
                        chart -> assertThat(chart.curves().getFirst().x()).containsExactly(1_000.0, 5_000.0));
        assertThat(LoadCharts.byLoad(runs.subList(1, 3), new Figures())).isEmpty();
    }

    private static List<Figures> rows(String collector, int count) {
        Timeline timeline = new Timeline(10);
        timeline.add(0, 5_000);
        timeline.add(9_000_000_000L, 7_000);
        Figures span = new Figures().put("second", 2).put("ms", 3);
        Figures load = new Figures()
                .put("operations", List.of(operation("all", count), operation("get", count)))
                .put("timeline", timeline.rows())
                .put("pauses", List.of(new Figures().putAll(span).put("kind", "pause")))
                .put("hiccups", List.of(new Figures().putAll(span).put("process", "target")));
        return RunRows.of(new Figures().put("subject", "it").put("collector", collector), load, null);
    }

    @Test
    void runsAreDrawn() {
        List<Figures> runs = new ArrayList<>(rows("G1", 1_000));
        runs.addAll(rows("G1", 2_000));
        runs.addAll(rows("ZGC", 1_000));
        Figures saturation = new Figures().put("it", 200);
        List<Chart> charts = Stream.of(
                        LoadCharts.percentiles(runs), LoadCharts.byLoad(runs, saturation), LoadCharts.timelines(runs))
                .flatMap(List::stream)
                .toList();
        assertThat(charts)
                .extracting(Chart::name)
                .containsExactly(
                        "load-percentiles-all",
                        "load-percentiles-get",
                        "load-by-rate-it-g1",
                        "load-timeline-1",
                        "load-timeline-2",
                        "load-timeline-3");
        charts.forEach(chart -> Drawing.write(chart, directory));
        assertThat(directory.resolve("load-by-rate-it-g1.svg")).isNotEmptyFile();
    }
}
