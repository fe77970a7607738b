package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.report.Chart;
import dev.larder.lab.report.ChartImage;
import dev.larder.lab.result.Figures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadRowsTest {

    @TempDir
    Path directory;

    private static Figures operation(String name, long errors, long unanswered) {
        OperationTimes times = new OperationTimes(name);
        for (int i = 1; i <= 1_000 - errors - unanswered; i++) {
            times.add(i * 1_000L, 0, Service.SERVED, true);
        }
        for (int i = 0; i < errors; i++) {
            times.add(1, 0, Service.FAILED, true);
        }
        for (int i = 0; i < unanswered; i++) {
            times.add(1, 0, Response.UNANSWERED, true);
        }
        return times.row(10);
    }

    private static Figures seen(long errors, long unanswered) {
        Timeline timeline = new Timeline(10);
        timeline.add(0, 5_000);
        timeline.add(9_000_000_000L, 7_000);
        return new Figures()
                .put("rate_per_s", 99)
                .put("operations", List.of(operation("all", errors, unanswered), operation("get", 0, 0)))
                .put("timeline", timeline.rows())
                .put("pauses", List.of(span(1).put("kind", "pause")))
                .put("hiccups", List.of(span(3), span(7)))
                .put("cpu_cores", 0.5)
                .put("res_bytes", 4096)
                .put("longest_pause_ms", 1)
                .put("saturated", false)
                .put("first_error", "no such key");
    }

    private static Figures span(double millis) {
        return new Figures().put("second", 2).put("ms", millis);
    }

    @Test
    void aRowForEachOperationSaysAllThatTheLabPromises() {
        List<Figures> rows = LoadRows.of("it", "G1", seen(0, 0));
        assertThat(rows).hasSize(2).allSatisfy(row -> {
            assertThat(row.names())
                    .contains("subject", "collector", "operation", "offered_per_s", "answered_per_s", "errors")
                    .contains("mean_us", "p50_us", "p90_us", "p99_us", "p999_us", "p9999_us", "max_us", "late_sends")
                    .contains("longest_pause_ms", "cpu_cores", "memory_bytes", "valid", "disturbed", "percentiles");
            assertThat(row.flag("valid")).isTrue();
            assertThat(row.flag("disturbed")).isFalse();
            assertThat(row.number("offered_per_s")).isEqualTo(100);
            assertThat(row.whole("memory_bytes")).isEqualTo(4096);
            assertThat(row.number("longest_hiccup_ms")).isEqualTo(7);
        });
        assertThat(rows.getFirst().rows("timeline")).hasSize(91);
        assertThat(rows.getFirst().rows("pauses")).hasSize(1);
        assertThat(rows.getLast().has("timeline")).isFalse();
    }

    @Test
    void errorsAndMissingAnswersAndALateGeneratorMakeALoadVoid() {
        assertVoid(seen(3, 0), "3 of 1000 requests failed; the first: no such key");
        assertVoid(seen(0, 2), "2 of 1000 requests were never answered");
        assertVoid(seen(0, 0).put("invalid_reason", "late"), "late");
    }

    private static void assertVoid(Figures seen, String reason) {
        assertThat(LoadRows.of("it", null, seen)).hasSize(2).allSatisfy(row -> {
            assertThat(row.flag("valid")).isFalse();
            assertThat(row.text("invalid_reason")).isEqualTo(reason);
        });
    }

    @Test
    void aMachineThatStoodStillIsSaid() {
        Figures seen = seen(0, 0).put("hiccups", List.of(span(3), span(150)));
        assertThat(LoadRows.of("it", null, seen)).allSatisfy(row -> {
            assertThat(row.flag("disturbed")).isTrue();
            assertThat(row.flag("valid")).isTrue();
        });
    }

    @Test
    void runsAreDrawn() {
        List<Figures> runs = new ArrayList<>(LoadRows.of("it", "G1", seen(0, 0)));
        runs.addAll(LoadRows.of("it", "G1", seen(3, 0)));
        runs.addAll(LoadRows.of("it", "ZGC", seen(0, 0)));
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
        charts.forEach(chart -> ChartImage.write(chart, directory));
        assertThat(directory.resolve("load-by-rate-it-g1.png")).isNotEmptyFile();
    }
}
