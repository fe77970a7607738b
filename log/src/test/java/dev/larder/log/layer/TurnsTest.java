package dev.larder.log.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.layer.Turns.Turn;
import dev.larder.tests.support.OtherThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TurnsTest {

    private final Turns turns = new Turns();

    @Test
    void keepNothingOfANameThatNobodyHas() throws InterruptedException {
        for (int number = 0; number < 1000; number++) {
            try (Turn turn = turns.take("directory " + number)) {
                assertThat(turn).isNotNull();
            }
            try (Turn turn = turns.take("directory " + number, 1).orElseThrow()) {
                assertThat(turns.count()).isEqualTo(1);
                assertThat(turn).isNotNull();
            }
        }
        assertThat(turns.count()).isZero();
    }

    @Test
    void aThreadThatWaitsGetsTheTurnOfTheOneBefore() throws Exception {
        CompletableFuture<Boolean> second;
        CountDownLatch waiting = new CountDownLatch(1);
        try (Turn first = turns.take("directory")) {
            assertThat(first).isNotNull();
            second = OtherThread.call(() -> {
                waiting.countDown();
                try (Turn turn = turns.take("directory")) {
                    return turn.equals(first);
                }
            });
            waiting.await();
            assertThat(second).isNotDone();
            try (Turn other = turns.take("another directory")) {
                assertThat(other).isNotNull();
            }
        }
        second.get();
        assertThat(turns.count()).isZero();
    }

    @Test
    void aThreadThatGivesUpLeavesNothing() throws Exception {
        try (Turn first = turns.take("directory")) {
            assertThat(first).isNotNull();
            OtherThread.run(() -> {
                        try {
                            assertThat(turns.take("directory", 0)).isEmpty();
                            Thread.currentThread().interrupt();
                            assertThatThrownBy(() -> turns.take("directory", 60))
                                    .isInstanceOf(InterruptedException.class);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .get();
            assertThat(turns.count()).isEqualTo(1);
        }
        assertThat(turns.count()).isZero();
    }
}
