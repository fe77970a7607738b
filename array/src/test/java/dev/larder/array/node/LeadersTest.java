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

    private final AtomicLong nanos = new AtomicLong();
    private final Leaders leaders = new Leaders(nanos::get);

    private void heard(long applied, boolean runs) {
        leaders.heard(1, new Leadership(List.of(), Map.of(STRIPE, new Here(7, applied, runs, false, LogEnd.NONE))));
    }

    /** Regression: a member that had ended kept eight times the log on all other nodes, for as long as its node ran. */
    @Test
    void aMemberThatHasEndedPullsNoFiles() {
        assertThat(leaders.isPulled(STRIPE)).isFalse();
        heard(-1, false);
        assertThat(leaders.isPulled(STRIPE)).isTrue();
        heard(50, false); // it has ended
        assertThat(leaders.isPulled(STRIPE)).isFalse();
        heard(50, true);
        assertThat(leaders.isPulled(STRIPE)).isFalse();
        heard(-1, false);
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(leaders.isPulled(STRIPE)).isFalse();
    }
}
