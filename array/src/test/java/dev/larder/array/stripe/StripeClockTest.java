package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.stripe.StripeClock.EntryTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What time it is for reads while entries are on their way. */
final class StripeClockTest {

    private final AtomicLong system = new AtomicLong(100);
    private final StripeClock clock = new StripeClock(() -> Instant.ofEpochMilli(system.get()));

    @AfterEach
    void leave() {
        clock.reading(false);
    }

    private long readMillis() {
        clock.reading(true);
        try {
            return clock.millis();
        } finally {
            clock.reading(false);
        }
    }

    /** Else a read sees a key expire, and an entry that is applied behind it finds the key alive. */
    @Test
    void aReadIsNotLaterThanAnEntryThatIsStillToBeApplied() {
        EntryTime first = clock.begin();
        assertThat(first.millis()).isEqualTo(100);
        system.set(150);
        EntryTime second = clock.begin();
        system.set(165);
        assertThat(readMillis()).isEqualTo(100);
        clock.beginEntry(first.millis());
        clock.end(first);
        assertThat(readMillis()).isEqualTo(150);
        clock.beginEntry(second.millis());
        clock.end(second);
        assertThat(readMillis()).isEqualTo(165);
    }

    @Test
    void anEntryThatIsRefusedHoldsNoReadBack() {
        EntryTime refused = clock.begin();
        system.set(200);
        clock.end(refused);
        assertThat(readMillis()).isEqualTo(200);
    }

    @Test
    void timeNeverGoesBackBehindAnEntry() {
        clock.beginEntry(300);
        assertThat(readMillis()).isEqualTo(300);
        assertThat(clock.begin().millis()).isEqualTo(300);
        assertThat(clock.millis()).isEqualTo(300);
    }
}
