package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.queue.connection.SourceProgress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The age of a copy, by clocks that are set. */
final class ReplicationLagTest {

    /** The source's clock is this far ahead of the copy's clock. */
    private static final long LEAD = 1_000_000;

    private long now = 5000;
    private final ReplicationLag lag = new ReplicationLag(() -> now);

    private void source(long sentMillis, long next, long end, long bytes) {
        lag.source(new SourceProgress(sentMillis + LEAD, next, end, bytes));
    }

    @Test
    void nothingIsKnownBeforeTheSourceWasHeard() {
        assertThat(lag.messages()).isEmpty();
        assertThat(lag.bytes()).isEmpty();
        assertThat(lag.time()).isEmpty();
    }

    @Test
    void aCopyIsAsOldAsTheSourceWasWhenItHadAsMuch() {
        source(5000, 0, 2, 100);
        assertThat(lag.messages()).hasValue(2);
        assertThat(lag.bytes()).hasValue(100);
        assertThat(lag.time()).as("it was never whole").isEmpty();
        now = 5100;
        source(5100, 0, 3, 150);
        lag.message(40);
        lag.message(40);
        assertThat(lag.messages()).hasValue(1);
        assertThat(lag.bytes()).hasValue(70);
        assertThat(lag.time()).hasValue(Duration.ofMillis(100));
        lag.message(40);
        assertThat(lag.messages()).hasValue(0);
        assertThat(lag.bytes()).hasValue(0);
        assertThat(lag.time()).hasValue(Duration.ZERO);
        now = 7100;
        assertThat(lag.time()).as("nothing was heard for 2 s").hasValue(Duration.ofSeconds(2));
    }

    /** A slow message about progress does not make the copy younger: the fastest one shows how far apart the clocks are. */
    @Test
    void aWordThatTookLongIsOldWhenItArrives() {
        source(5000, 0, 0, 0);
        now = 8000;
        source(6000, 0, 0, 0);
        assertThat(lag.time()).hasValue(Duration.ofSeconds(2));
    }

    @Test
    void remembersHoursInFewWords() {
        source(5000, 0, 0, 0);
        for (int i = 1; i <= 10_000; i++) {
            now = 5000L + i;
            source(now, 0, i, i);
        }
        for (int i = 0; i < 5000; i++) {
            lag.message(1);
        }
        assertThat(lag.messages()).hasValue(5000);
        assertThat(lag.time().orElseThrow()).isBetween(Duration.ofMillis(5000), Duration.ofMillis(5200));
    }
}
