package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.node.Leadership.Here;
import dev.larder.array.ratis.LogEnd;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What follows from the reports of other nodes. */
final class LeadersTest {

    private static final UUID STRIPE = new UUID(1, 2);
    private static final int NODE = 1;
    private static final long KEPT = 7;

    private final AtomicLong nanos = new AtomicLong();
    private final Leaders leaders = new Leaders(nanos::get);

    private void heard(long applied, boolean runs) {
        leaders.heard(
                NODE, new Leadership(List.of(), Map.of(STRIPE, new Here(KEPT, applied, runs, false, LogEnd.NONE))));
    }

    /** Regression: once its files were there, the logs were cut before it had got the entries behind them. */
    @Test
    void aMemberTakesEntriesWhileItPullsAndWhenItRuns() {
        assertThat(leaders.lowestOfTakers(STRIPE)).isEqualTo(Long.MAX_VALUE);
        heard(-1, false);
        assertThat(leaders.lowestOfTakers(STRIPE)).isEqualTo(KEPT);
        heard(50, true);
        assertThat(leaders.lowestOfTakers(STRIPE)).isEqualTo(KEPT);
    }

    /** Regression: a member that had ended kept eight times the log on all other nodes, for as long as its node ran. */
    @Test
    void aMemberThatHasEndedTakesNoEntries() {
        heard(50, true);
        heard(50, false);
        assertThat(leaders.lowestOfTakers(STRIPE)).isEqualTo(Long.MAX_VALUE);
    }

    /** A pull of hours is not in vain if its node stands for some seconds, or starts again. */
    @Test
    void aMemberTakesEntriesUntilItsNodeIsSilentForLong() {
        heard(50, true);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(9));
        leaders.gone(NODE);
        assertThat(leaders.lowestOfTakers(STRIPE)).isEqualTo(KEPT);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(leaders.lowestOfTakers(STRIPE)).isEqualTo(Long.MAX_VALUE);
    }
}
