package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchRunTest {

    private static Figures load(int errors, int unanswered, boolean saturated) {
        Figures all = new Figures().put("requests", 10).put("errors", errors).put("unanswered", unanswered);
        return new Figures().put("saturated", saturated).put("operations", List.of(all));
    }

    @Test
    void whatIsAnsweredRightlyIsValid() {
        assertThat(ServerLoads.invalidReason(load(0, 0, false), 5, 5)).isNull();
    }

    @Test
    void aWrongAnswerIsNot() {
        assertThat(ServerLoads.invalidReason(load(1, 0, false), 5, 5))
                .isEqualTo("1 of 10 requests failed, or got a wrong answer");
    }

    @Test
    void aMissingAnswerIsNotUnlessTheServerIsSaturated() {
        assertThat(ServerLoads.invalidReason(load(0, 2, false), 5, 5)).isEqualTo("2 of 10 requests got no answer");
        assertThat(ServerLoads.invalidReason(load(0, 2, true), 5, 5)).isNull();
    }

    @Test
    void aDocumentThatIsLostOrDoubledIsNot() {
        assertThat(ServerLoads.invalidReason(load(0, 0, false), 5, 4))
                .contains("has 4 documents after the updates, expected 5");
        assertThat(ServerLoads.invalidReason(load(0, 0, false), 5, 6)).isNotNull();
    }

    private static Figures row(String subject, boolean valid, boolean late) {
        return new Figures()
                .put("subject", subject)
                .put("collector", "g1")
                .put("valid", valid)
                .put("invalid_reason", valid ? null : "because")
                .put("generator_late", late);
    }

    @Test
    void aLoadWithALateGeneratorVoidsItselfAlone() {
        assertThat(SearchRun.invalidReason(List.of(row("mmap", true, false), row("mmap", false, true))))
                .isNull();
        assertThat(SearchRun.invalidReason(List.of(row("mmap", true, false), row("larder", false, true))))
                .isEqualTo("larder, g1: because");
        assertThat(SearchRun.invalidReason(List.of(row("mmap", true, false), row("mmap", false, false))))
                .isEqualTo("mmap, g1: because");
    }

    @Test
    void whatIsSkippedIsNoFaultUnlessAllOfItIs() {
        Figures skipped = new Figures().put("subject", "mmap-locked").put("skipped_reason", "no room");
        assertThat(SearchRun.invalidReason(List.of(row("mmap", true, false), skipped)))
                .isNull();
        assertThat(SearchRun.invalidReason(List.of(skipped))).isEqualTo("nothing could be measured: [no room]");
    }
}
