package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The options for members that come back. */
final class CatchUpOptionsTest {

    @Test
    void optionsHaveRanges() {
        assertThatThrownBy(() -> new CatchUp(1, 1L << 34))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("log-bytes: 1 is not within 16777216 and 1099511627776");
        assertThatThrownBy(() -> new CatchUp(16 << 20, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pull-rate: 1 ");
    }
}
