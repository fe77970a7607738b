package dev.larder.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailConditionTest {

    private static final Figures RESULT = new Figures()
            .put("ratio", 1.5)
            .put("nothing", null)
            .put("summary", new Figures().put("beyond", new Figures().put("mean", 100)))
            .put("bursts", List.of(new Figures().put("read_ms", 10), new Figures().put("read_ms", 30)));

    @ParameterizedTest
    @CsvSource({
        "ratio>1.4, true",
        "ratio>1.5, false",
        "ratio>=1.5, true",
        "ratio<1, false",
        "ratio<=1.5, true",
        "ratio==1.5, true",
        "ratio != 1.5, false",
        "summary.beyond.mean>99, true",
        "mean>100, false",
        "read_ms>20, true",
        "read_ms>30, false",
        "bursts.read_ms<11, true"
    })
    void failsWhenItHoldsForAnyFigureOfTheName(String text, boolean fails) {
        assertThat(FailCondition.parse(text).reason(RESULT) != null).isEqualTo(fails);
    }

    @Test
    void failsWhenTheFigureIsMissingOrHasNoValue() {
        assertThat(FailCondition.parse("speed>1").reason(RESULT)).contains("no figure 'speed'");
        assertThat(FailCondition.parse("nothing>1").reason(RESULT)).contains("'nothing' has no value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ratio", "ratio>", "ratio=>1", ">1", "ratio>one", "ratio>1 and x<2"})
    void refusesWhatIsNoCondition(String text) {
        assertThatThrownBy(() -> FailCondition.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
