package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapRunTest {

    private static Figures load(long errors, long garbage) {
        Figures all = new Figures().put("requests", 100).put("unanswered", 50).put("errors", errors);
        return new Figures().put("operations", List.of(all)).put("allocated_bytes", garbage);
    }

    private static Figures row(Phase phase, boolean valid, long errors) {
        return new Figures()
                .put("subject", "region")
                .put("collector", "g1")
                .put("phase", phase)
                .put("errors", errors)
                .put("valid", valid)
                .put("invalid_reason", valid ? null : "late");
    }

    @Test
    void aLoadIsVoidWithAWrongAnswerOrWithoutItsGarbage() {
        assertThat(HeapRun.invalidReason(load(0, 50 * HeapService.OBJECT_BYTES)))
                .isNull();
        assertThat(HeapRun.invalidReason(load(1, 50 * HeapService.OBJECT_BYTES)))
                .startsWith("1 of 100 requests");
        assertThat(HeapRun.invalidReason(load(0, 49 * HeapService.OBJECT_BYTES)))
                .contains("8028 bytes of garbage");
    }

    @Test
    void aRunNeedsEverySteadyPhaseButNotEveryRefresh() {
        Figures steady = row(Phase.STEADY, true, 0);
        Figures skipped =
                new Figures().put("skipped_reason", "no such collector").put("valid", false);
        Figures failed = new Figures().put("failed_reason", "it ended").put("valid", false);
        assertThat(HeapRun.invalidReason(List.of(steady, row(Phase.REFRESH, false, 0), skipped)))
                .isNull();
        assertThat(HeapRun.invalidReason(List.of(steady, row(Phase.STEADY, false, 0))))
                .contains("steady: late");
        assertThat(HeapRun.invalidReason(List.of(steady, row(Phase.REFRESH, false, 3))))
                .contains("refresh: late");
        assertThat(HeapRun.invalidReason(List.of(steady, failed))).endsWith(": it ended");
        assertThat(HeapRun.invalidReason(List.of(skipped))).contains("no such collector");
    }
}
