package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitTest {

    @ParameterizedTest
    @CsvSource({
        "MICROSECONDS, 0, 0",
        "MICROSECONDS, 0.0005, 0.5 ns",
        "MICROSECONDS, 10, 10 µs",
        "MICROSECONDS, 12.345, 12.3 µs",
        "MICROSECONDS, 999.4, 999 µs",
        "MICROSECONDS, 999.9, 1 ms",
        "MICROSECONDS, 1500000, 1.5 s",
        "MICROSECONDS, 4e9, '4,000 s'",
        "MICROSECONDS, -1500, -1.5 ms",
        "MILLISECONDS, 0.004, 4 µs",
        "SECONDS, 0.25, 250 ms",
        "BYTES, 512, 512 B",
        "BYTES, 4096, 4 KiB",
        "BYTES, 1610612736, 1.5 GiB",
        "PER_SECOND, 950, 950 /s",
        "PER_SECOND, 20000, 20 k/s",
        "COUNT, 3, 3",
        "COUNT, 1250000, 1.25 M",
        "PERCENT, 12.5, 12.5 %",
        "PLAIN, 0.001234, 0.00123",
        "PLAIN, 1234567.8, '1,234,568'",
        "PLAIN, NaN, –",
        "PLAIN, Infinity, –",
    })
    void writesAValueWithThreeDigitsAndItsUnit(Unit unit, double value, String text) {
        assertThat(unit.text(value)).isEqualTo(text);
    }

    @Test
    void isWhatTheNameOfAFigureSays() {
        assertThat(Unit.of("p99_us")).isEqualTo(Unit.MICROSECONDS);
        assertThat(Unit.of("create_ms_p95")).isEqualTo(Unit.MILLISECONDS);
        assertThat(Unit.of("ms")).isEqualTo(Unit.MILLISECONDS);
        assertThat(Unit.of("heap_bytes_max")).isEqualTo(Unit.BYTES);
        assertThat(Unit.of("answered_per_s")).isEqualTo(Unit.PER_SECOND);
        assertThat(Unit.of("alive_of_used")).isEqualTo(Unit.PLAIN);
    }
}
