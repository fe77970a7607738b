package dev.larder.map.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines: forty bits identify a time, from seventeen years before to seventeen years after. */
final class DeadlineTest {

    /** Now; a moment before and after the bits wrap around. */
    @ParameterizedTest
    @ValueSource(longs = {1_800_000_000_000L, (2L << 40) - 1, 2L << 40, 5})
    void tellsBeforeFromAfter(long now) {
        for (long lifetime : new long[] {0, 1, 1000, Deadline.LIFETIME_MAX_MILLIS}) {
            long deadline = Deadline.after(now, lifetime);
            assertThat(deadline).isBetween(0L, (1L << 40) - 1);
            assertThat(Deadline.leftMillis(deadline, now)).isEqualTo(lifetime);
            assertThat(Deadline.leftMillis(deadline, now + lifetime)).isZero();
            assertThat(Deadline.leftMillis(deadline, now + lifetime + 1)).isEqualTo(-1);
            assertThat(Deadline.leftMillis(deadline, now + lifetime + (1L << 39)))
                    .isNegative();
        }
    }
}
