package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GarbageTest {

    private static final long BYTES_PER_SECOND = 20L << 20;
    private static final long LARGEST_BYTES = 32 << 10;

    @Test
    void isMadeAtItsRateAndNoFaster() {
        long start = System.nanoTime();
        try (Garbage garbage = new Garbage(BYTES_PER_SECOND)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> garbage.madeBytes() > 4 << 20);
            long made = garbage.madeBytes();
            double seconds = (System.nanoTime() - start) / 1e9;
            assertThat((double) made).isLessThanOrEqualTo(seconds * BYTES_PER_SECOND + LARGEST_BYTES);
        }
    }

    @Test
    void endsWhenItIsClosed() {
        Garbage garbage = new Garbage(BYTES_PER_SECOND);
        garbage.close();
        long made = garbage.madeBytes();
        await().during(Duration.ofMillis(50)).until(() -> garbage.madeBytes() == made);
    }
}
