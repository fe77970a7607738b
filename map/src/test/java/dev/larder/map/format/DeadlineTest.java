package dev.larder.map.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
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

    /** Regression: after a few months, an entry that had expired long before it was set was alive for seventeen years. */
    @Test
    void anInstantLongAgoDoesNotComeAgain() {
        long now = 1_800_000_000_000L;
        long deadline = Deadline.at(now, Instant.ofEpochMilli(now).minus(Duration.ofDays(17 * 365)));
        for (int days : new int[] {0, 1, 130, 365, 16 * 365}) {
            assertThat(Deadline.leftMillis(deadline, now + Duration.ofDays(days).toMillis()))
                    .isNotPositive();
        }
    }
}
