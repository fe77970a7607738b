package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of threads that read, for a number of simultaneous reads. */
@Timeout(60)
final class PreparationsTest {

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch disk = new CountDownLatch(1);

    private void read() {
        begun.incrementAndGet();
        try {
            disk.await();
            ended.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(Executor readers, int reads) {
        for (int i = 0; i < reads; i++) {
            readers.execute(this::read);
        }
    }

    @Test
    void aThreadReadsForEveryThreeThatAreAskedFor() {
        try (Preparations preparations = new Preparations()) {
            Executor readers = preparations.threads(true);
            ask(readers, 8);
            await().until(() -> begun.get() == Preparations.READERS_MIN);
            ask(readers, 32);
            await().until(() -> begun.get() == 14);
            ask(readers, 1000);
            await().until(() -> begun.get() == Preparations.READERS_MAX);
            disk.countDown();
            await().until(() -> ended.get() == 1040);
        }
    }

    @Test
    void afterTheEndNothingIsTaken() {
        Preparations preparations = new Preparations();
        Executor readers = preparations.threads(true);
        ask(readers, 1000);
        preparations.close();
        int before = begun.get();
        assertThatThrownBy(() -> ask(readers, 1)).isInstanceOf(RejectedExecutionException.class);
        assertThat(begun.get()).isEqualTo(before).isLessThanOrEqualTo(Preparations.READERS_MAX);
        assertThat(ended.get()).isZero();
    }
}
