package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({"0, 0", "50000, 50000", "100k, 100000", "1M, 1000000", "1m, 1000000", "2 G, 2000000000"})
    void readsNumbersOfThings(String text, long number) {
        assertThat(Quantity.parse(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "1.5M", "-1", "10KiB", "many", "999999999999999G"})
    void refusesEverythingElseWithWhatWasFound(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
