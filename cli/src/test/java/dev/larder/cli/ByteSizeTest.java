package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({
        "512, 512",
        "512B, 512",
        "1KiB, 1024",
        "1k, 1024",
        "128MiB, 134217728",
        "128 MB, 134217728",
        "1.5GiB, 1610612736",
        "2TiB, 2199023255552",
        "0, 0"
    })
    void readsWhatPeopleWrite(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1", "1XB", "1.3B", "1e3", "12 34", "9999999TiB"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1 KiB",
        "1536, 1.50 KiB",
        "17179869184, 16 GiB",
        "12884901889, 12.0 GiB"
    })
    void writesTheGreatestFittingUnit(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
    }

    @Test
    void readsLengthsOfTime() {
        assertThat(TimeSpan.parse("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(TimeSpan.parse("8s")).isEqualTo(Duration.ofSeconds(8));
        assertThat(TimeSpan.parse("2m")).isEqualTo(Duration.ofMinutes(2));
        assertThatThrownBy(() -> TimeSpan.parse("8")).hasMessageContaining("'8'");
    }
}
