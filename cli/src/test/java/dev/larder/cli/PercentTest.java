package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {

    @Test
    void readsWhatPeopleWrite() {
        assertThat(Percent.parse("10%").value()).isEqualTo(10);
        assertThat(Percent.parse(" 2.5 ").value()).isEqualTo(2.5);
    }

    /** NaN is neither below nor above a limit. */
    @ParameterizedTest
    @ValueSource(strings = {"", "%", "ten", "NaN", "NaN%", "Infinity", "1e400"})
    void refusesWhatIsNoShare(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Percent.parse(text))
                .withMessageContainingAll("'" + text + "'", "10%");
    }
}
