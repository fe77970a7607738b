package dev.larder.arraycli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.LarderException;
import dev.larder.tests.support.FreePorts;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long a backup waits for the leader of a stripe. */
final class BackupSourceTest {

    private final AtomicLong nanos = new AtomicLong();

    /** Regression: the time that the former stripe took counted as well, so no larger array could be backed up. */
    @Test
    void aStripeIsWaitedForFromTheFirstLookOn() {
        ArrayDescription nodeless =
                ArrayDescription.of(new UUID(1, 2), List.of(ArrayDescription.addresses(FreePorts.takeNode())));
        try (BackupSource sources = new BackupSource(nodeless, NodeAccess.OPEN, nanos::get)) {
            nanos.addAndGet(Duration.ofMinutes(5).toNanos());
            assertThat(sources.leaders(0)).isEmpty();
            nanos.addAndGet(Duration.ofSeconds(59).toNanos());
            assertThat(sources.leaders(0)).isEmpty();
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThatThrownBy(() -> sources.leaders(0))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining("stripe 0 has had no leader for a minute");
        }
    }
}
