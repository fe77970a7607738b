package dev.larder.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

    @ParameterizedTest
    @CsvSource({"500, 500", "10k, 10000", "2.5K/s, 2500", "1M, 1000000", "0.5, 0.5", "20 k, 20000"})
    void readsWhatPeopleWrite(String text, double rate) {
        assertThat(Rate.parse(text)).isEqualTo(rate);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "10ks", "10k/m", "1e3"})
    void refusesWhatIsNoRate(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rate.parse(text))
                .withMessageContainingAll("'" + text + "'", "10k");
    }

    @ParameterizedTest
    @CsvSource({"50us, PT0.00005S", "250ms, PT0.25S", "8s, PT8S", "2M, PT2M", "1h, PT1H"})
    void readsLengthsOfTimeDownToMicroseconds(String text, Duration duration) {
        assertThat(TimeSpan.parse(text)).isEqualTo(duration);
    }
}
