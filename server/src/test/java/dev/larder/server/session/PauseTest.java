package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pause, which one thread ends in time while others begin new ones. */
@Timeout(60)
final class PauseTest {

    private static final int ROUNDS = 5_000;

    private final Pause pause = new Pause();
    private final AtomicLong ticks = new AtomicLong();

    /** Regression: the thread that ends pauses had read the former one, and ended the new one. */
    @Test
    void aNewPauseIsNotTakenForTheFormerOne() throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        Thread clock = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                pause.tick(10);
                ticks.incrementAndGet();
            }
        });
        int lost = 0;
        for (int i = 0; i < ROUNDS && lost == 0; i++) {
            pause.begin(true, 5, 0);
            pause.begin(true, 20, 10);
            awaitTick();
            lost += pause.isOn() ? 0 : 1;
            pause.end();
        }
        ended.set(true);
        clock.join();
        assertThat(lost).as("pauses that ended at once").isZero();
    }

    /** Waits until a tick has ended that has begun behind this call. */
    private void awaitTick() {
        long before = ticks.get();
        while (ticks.get() < before + 2) {
            assertThat(Thread.currentThread().isInterrupted()).as("interrupted").isFalse();
            Thread.onSpinWait();
        }
    }

    @Test
    void aPauseEndsInTime() {
        pause.begin(true, 20, 10);
        pause.tick(19);
        assertThat(pause.isOn()).isTrue();
        pause.tick(20);
        assertThat(pause.isOn()).isFalse();
    }
}
