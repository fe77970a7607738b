package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a leader may be moved, by a clock that the test sets. */
final class TransferPausesTest {

    private static final int STRIPE = 4;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final TransferPauses pauses = new TransferPauses(nanos::get);

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void aLeaderInAnothersPlaceWaitsUnlessAMoveWaitsForIt() {
        pauses.led(Set.of(STRIPE));
        assertThat(pauses.isDue(STRIPE, false)).isFalse();
        assertThat(pauses.isDue(STRIPE, true)).isTrue();
        pass(5);
        pauses.led(Set.of(STRIPE));
        assertThat(pauses.isDue(STRIPE, false)).isTrue();
    }

    /** Regression: each look began another transfer, and the leader refused writes all the time. */
    @Test
    void aTransferThatHasFailedIsNotTriedAgainAtOnce() {
        pauses.led(Set.of(STRIPE));
        pauses.tried(STRIPE);
        pass(2);
        assertThat(pauses.isDue(STRIPE, true)).isFalse();
        pass(3);
        assertThat(pauses.isDue(STRIPE, true)).isTrue();
        assertThat(pauses.isDue(STRIPE, false)).isTrue();
    }

    @Test
    void aLaterLeadershipBeginsAnew() {
        pauses.led(Set.of(STRIPE));
        pauses.tried(STRIPE);
        pass(4);
        pauses.led(Set.of());
        pauses.led(Set.of(STRIPE));
        pass(1);
        assertThat(pauses.isDue(STRIPE, true)).isTrue();
        assertThat(pauses.isDue(STRIPE, false)).isFalse();
    }
}
