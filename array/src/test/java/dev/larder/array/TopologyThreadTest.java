package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread continues, whatever a step throws. */
final class TopologyThreadTest {

    private static final int PATIENCE_SECONDS = 60;

    @Test
    void shouldGoOnAfterAnError() throws InterruptedException {
        CountDownLatch steps = new CountDownLatch(2);
        try (TopologyThread thread = TopologyThread.start(0, () -> {
            steps.countDown();
            throw new StackOverflowError("injected");
        })) {
            assertThat(steps.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("%s", thread)
                    .isTrue();
        }
    }
}
