package dev.larder.lab.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueReportTest {

    @TempDir
    Path directory;

    private static Figures burst(long begin) {
        return Figures.parse("""
            {"append": "single", "bytes": 1073741824, "messages": 1048576, "write_ms": 200.0, "sync_ms": 400.0,
             "read_ms": 150.0, "copy_ms": 100.0, "virt_bytes": 2147483648}
            """).put("begin_bytes", begin);
    }

    /** A rehearsal may end before its first burst. */
    @Test
    void showsARehearsalWithoutBursts() {
        Figures rehearsal = new Figures().put("file_system", "btrfs").put("mount_options", "compress-force");
        Figures result = new Figures()
                .put("valid", false)
                .put("invalid_reason", "the disk is full")
                .put("complete", false)
                .put("summaries", new Figures())
                .put("rivals", new Figures())
                .put("rehearsal", rehearsal)
                .put("bursts", List.of());
        assertThat(new QueueReport(result).report().text()).contains("VOID: the disk is full");
    }

    @Test
    void showsWhatAGibibyteCostsAndARivalBesideIt() {
        List<Figures> bursts = List.of(burst(0), burst(1L << 30), burst(2L << 30), burst(3L << 30));
        Figures rival = Figures.parse("{\"ratios\": {\"single\": {\"write\": 0.5, \"read\": 0.25}}}")
                .put("bursts", bursts);
        Figures result = new Figures()
                .put("valid", false)
                .put("invalid_reason", "a sum differs")
                .put("complete", true)
                .put("summaries", new Figures().put("single", new QueueSummary(bursts, 1L << 30).figures(null)))
                .put("rivals", new Figures().put("chronicle", rival))
                .put("bursts", bursts);
        assertThat(new QueueReport(result).report().text())
                .containsSubsequence("For each GiB, single appends", "beyond memory: write+sync", "600 ms")
                .containsSubsequence("Ratios, single appends", "write over copy", "2.00")
                .containsSubsequence("Beside rivals", "larder, single", "chronicle", "200 ms", "0.50", "0.25")
                .endsWith("VOID: a sum differs\n");
        new QueueReport(result).report().write(new ResultFolder(directory));
        for (String chart : List.of("queue-times-single", "queue-bursts-single", "queue-memory", "queue-rivals")) {
            assertThat(directory.resolve(chart + ".svg")).content().doesNotContain("no data");
        }
        assertThat(directory.resolve("report.html")).content().contains("Every burst (4)", "copy into present pages");
    }
}
