package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread does the rounds of all databases, for as long as there is one. */
@Timeout(60)
final class ExpiryThreadTest {

    private final ExpiryThread expiry = new ExpiryThread();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** Returns a round that records its thread, and counts down. */
    private Runnable round(CountDownLatch rounds) {
        return () -> {
            threads.add(Thread.currentThread());
            rounds.countDown();
        };
    }

    @Test
    void oneThreadServesAllAlthoughARoundFails() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(2);
        CountDownLatch second = new CountDownLatch(2);
        Runnable failing = () -> {
            throw new StackOverflowError("on purpose");
        };
        expiry.add(failing);
        expiry.add(round(first));
        expiry.add(round(second));
        first.await();
        second.await();
        assertThat(threads).hasSize(1);
    }

    @Test
    void theThreadEndsAfterTheLastAndTheNextHasAnother() throws InterruptedException {
        Runnable first = awaitRound();
        Runnable second = awaitRound();
        assertThat(threads).as("still the same").hasSize(1);
        expiry.remove(first);
        expiry.remove(second);
        threads.iterator().next().join();
        awaitRound();
        assertThat(threads).hasSize(2);
    }

    private Runnable awaitRound() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Runnable round = round(done);
        expiry.add(round);
        done.await();
        return round;
    }
}
