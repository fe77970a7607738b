package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RunRowsTest {

    private final Figures subject = new Figures().put("subject", "map").put("collector", "g1");

    private static Figures load(@Nullable String late, Figures... hiccups) {
        return new Figures()
                .put("operations", List.of(operation("all"), operation("get")))
                .put("longest_pause_ms", 12.5)
                .put("cpu_cores", 1.5)
                .put("memory_bytes", 4096)
                .put("steal_percent", 0.5)
                .put("invalid_reason", late)
                .put("timeline", List.of(new Figures().put("second", 0)))
                .put("pauses", List.of())
                .put("hiccups", List.of(hiccups));
    }

    private static Figures operation(String name) {
        return new Figures()
                .put("operation", name)
                .put("percentiles", List.of(List.of(50.0, 1.0)))
                .put("p50_us", 1.0);
    }

    private static Figures hiccup(String process, double millis) {
        return new Figures().put("process", process).put("ms", millis);
    }

    @Test
    void aRowForEachKindWithWhatTheProcessTook() {
        List<Figures> rows = RunRows.of(subject, load(null), null);
        assertThat(rows).hasSize(2).allSatisfy(row -> {
            assertThat(row.names())
                    .containsSubsequence(Rows.names("subject collector operation p50_us longest_pause_ms cpu_cores"
                            + " memory_bytes valid disturbed percentiles"));
            assertThat(row.flag("valid")).isTrue();
            assertThat(row.flag("disturbed")).isFalse();
        });
        assertThat(rows.getFirst().names()).contains("timeline", "pauses", "hiccups");
        assertThat(rows.getLast().names()).doesNotContain("timeline", "pauses", "hiccups");
    }

    @Test
    void theReasonsOfTheCallerGoFirst() {
        assertThat(RunRows.of(subject, load("late"), null).getFirst().text("invalid_reason"))
                .isEqualTo("late");
        assertThat(RunRows.of(subject, load("late"), "wrong").getFirst().text("invalid_reason"))
                .isEqualTo("wrong");
        assertThat(RunRows.of(subject, load("late"), "wrong").getLast().flag("valid"))
                .isFalse();
    }

    @Test
    void pausesOfTheTargetAreNoDisturbance() {
        assertThat(RunRows.isDisturbed(load(null, hiccup("target", 500), hiccup("generator", 99))))
                .isFalse();
        assertThat(RunRows.isDisturbed(load(null, hiccup("generator", 100)))).isTrue();
        assertThat(RunRows.isDisturbed(load(null).put("steal_percent", 11))).isTrue();
    }
}
