package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.stripe.StripeClock.EntryTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The time that reads see while entries are on their way. */
final class StripeClockTest {

    private final AtomicLong system = new AtomicLong(100);
    private final StripeClock clock = new StripeClock(() -> Instant.ofEpochMilli(system.get()));

    /** Returns the time at which a read of now finds keys. */
    private long readMillis() {
        clock.beginRead(clock.systemMillis());
        try {
            return clock.millis();
        } finally {
            clock.endRead();
        }
    }

    /** Returns whether a read of now is unclear if it has found a key with this deadline. */
    private boolean isUnclear(long deadlineMillis) {
        clock.beginRead(clock.systemMillis());
        clock.foundAlive(deadlineMillis);
        return clock.endRead();
    }

    /** Otherwise a read sees a key expire, and an entry that is applied behind the read finds the key alive. */
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

    /** Regression: an entry for whose time there was no memory held the time of reads back for ever. */
    @Test
    void anEntryThatGetsNoTimeHoldsNoReadBack() {
        AtomicLong looks = new AtomicLong();
        StripeClock failing = new StripeClock(() -> {
            if (looks.incrementAndGet() == 2) { // ahead of the entry's own time
                throw new OutOfMemoryError("injected");
            }
            return Instant.ofEpochMilli(100 + looks.get());
        });
        assertThatThrownBy(failing::begin).isInstanceOf(OutOfMemoryError.class);
        failing.beginRead(failing.systemMillis());
        assertThat(failing.millis()).isEqualTo(103);
        failing.endRead();
    }

    /** Regression: a key that a read had found expired came back while the system's time was behind. */
    @Test
    void timeDoesNotGoBackBehindARead() {
        system.set(150);
        assertThat(readMillis()).isEqualTo(150);
        system.set(95);
        assertThat(readMillis()).isEqualTo(150);
        assertThat(clock.begin().millis()).isEqualTo(150);
    }

    @Test
    void anEntryThatIsRefusedHoldsNoReadBack() {
        EntryTime refused = clock.begin();
        system.set(200);
        clock.end(refused);
        assertThat(readMillis()).isEqualTo(200);
    }

    /** The key ends between the time of an entry under way, which may find it, and now. */
    @Test
    void aReadIsUnclearThatFindsAKeyBehindItsEnd() {
        clock.begin();
        system.set(165);
        assertThat(isUnclear(161)).isTrue();
        assertThat(isUnclear(165)).isTrue();
        assertThat(isUnclear(166)).isFalse();
        clock.foundAlive(161); // outside of a read
        assertThat(isUnclear(166)).isFalse();
    }

    @Test
    void waitsForTheEntriesThatAreUnderWayAndForNoOther() {
        List<String> ended = new ArrayList<>();
        EntryTime first = clock.begin();
        EntryTime second = clock.begin();
        clock.awaitUnderWay(() -> ended.add("both"));
        EntryTime third = clock.begin();
        clock.awaitUnderWay(() -> ended.add("all"));
        clock.end(second);
        assertThat(ended).isEmpty();
        clock.end(first);
        assertThat(ended).containsExactly("both");
        clock.end(third);
        assertThat(ended).containsExactly("both", "all");
        clock.awaitUnderWay(() -> ended.add("none"));
        assertThat(ended).containsExactly("both", "all", "none");
    }

    /** The read's leader was confirmed then. A later leader gives entries later times. */
    @Test
    void aReadHasTheTimeOfItsArrival() {
        clock.beginRead(120);
        system.set(200);
        assertThat(clock.millis()).isEqualTo(120);
        assertThat(clock.endRead()).isFalse();
    }

    @Test
    void timeNeverGoesBackBehindAnEntry() {
        clock.beginEntry(300);
        assertThat(readMillis()).isEqualTo(300);
        assertThat(clock.begin().millis()).isEqualTo(300);
        assertThat(clock.millis()).isEqualTo(300);
    }

    @Test
    void noEntryIsBeforeTheOneThatHasBegunBefore() {
        assertThat(clock.begin().millis()).isEqualTo(100);
        system.set(95);
        assertThat(clock.begin().millis()).isEqualTo(100);
        system.set(101);
        assertThat(clock.begin().millis()).isEqualTo(101);
    }
}
