package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {

    @ParameterizedTest
    @CsvSource({"50us, PT0.00005S", "250ms, PT0.25S", "8 s, PT8S", "2M, PT2M", "1h, PT1H"})
    void readsWhatPeopleWrite(String text, Duration duration) {
        assertThat(TimeSpan.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8", "s", "-1s", "1.5s", "8ns"})
    void refusesWhatIsNoLengthOfTime(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeSpan.parse(text))
                .withMessageContainingAll("'" + text + "'", "8s");
    }
}
