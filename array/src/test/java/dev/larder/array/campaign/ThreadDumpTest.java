package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A dump of this process, in which one thread waits for a lock that another one holds. */
final class ThreadDumpTest {

    private static final Object LOCK = new Object();

    private static void hold(CountDownLatch isHeld, CountDownLatch mayEnd) {
        synchronized (LOCK) {
            isHeld.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void tellsWhoWaitsForALockAndWhoHasIt() throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread holder = Thread.ofPlatform().name("the holder").start(() -> hold(isHeld, mayEnd));
        isHeld.await();
        Thread waiter = Thread.ofPlatform().name("the waiter").start(() -> hold(isHeld, mayEnd));
        try {
            await().atMost(1, TimeUnit.MINUTES).until(() -> waiter.getState() == Thread.State.BLOCKED);
            String dump = ThreadDump.of(ProcessHandle.current().pid());
            assertThat(dump).contains("\"main\"", "\"the holder\"");
            assertThat(ThreadDump.blocked(dump, ThreadDumpTest.class.getName()))
                    .contains("\"the holder\"", "\"the waiter\"")
                    .doesNotContain("\"Reference Handler\"");
            assertThat(ThreadDump.blocked(dump, "no.such.package")).isEmpty();
        } finally {
            mayEnd.countDown();
        }
        holder.join();
        waiter.join();
    }
}
