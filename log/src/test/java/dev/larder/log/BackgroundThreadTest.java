package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A {@link BackgroundThread} ends whatever it waits for, and whoever stops it waits for that. */
class BackgroundThreadTest {

    private final AtomicBoolean ended = new AtomicBoolean();

    @Test
    void endsThoughItsWorkTakesAWakingForItsOwn() {
        BackgroundThread[] thread = new BackgroundThread[1];
        thread[0] = new BackgroundThread("sleeper", () -> {
            while (!thread[0].isStopped()) {
                LockSupport.park();
            }
            LockSupport.park();
            LockSupport.park();
            ended.set(true);
        });
        thread[0].start();
        thread[0].stop();
        assertThat(ended).isTrue();
    }

    @Test
    void isWaitedForAlsoByWhoIsInterruptedWhoStaysSo() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        BackgroundThread thread = new BackgroundThread("worker", () -> {
            awaitWithoutInterruption(released);
            ended.set(true);
        });
        AtomicBoolean endedBefore = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        thread.start();
        Thread stopper = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            thread.stop();
            endedBefore.set(ended.get());
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        while (!thread.isStopped()) {
            Thread.onSpinWait();
        }
        released.countDown();
        stopper.join();
        assertThat(endedBefore).isTrue();
        assertThat(interrupted).isTrue();
    }

    @Test
    void isStoppedAtOnceIfItNeverRan() {
        BackgroundThread thread = new BackgroundThread("never", () -> ended.set(true));
        thread.stop();
        assertThat(ended).isFalse();
    }

    private static void awaitWithoutInterruption(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
