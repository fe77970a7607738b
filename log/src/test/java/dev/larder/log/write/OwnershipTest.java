package dev.larder.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.ClosedException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The owning thread of a confined right, which enters by a store, and visiting threads: never both at once. */
@Timeout(60)
final class OwnershipTest {

    private static final int VISITS = 3000;

    private static final class Right extends Ownership {

        private volatile boolean worksInside;
        private boolean met;
        private long entries;

        Right(Thread thread) {
            super(thread);
        }

        /** Returns after the right was closed. */
        void workUntilClosed(CountDownLatch begun) {
            try {
                while (true) {
                    enter();
                    worksInside = true;
                    entries++;
                    worksInside = false;
                    leave();
                    begun.countDown();
                }
            } catch (ClosedException e) {
                met |= worksInside;
            }
        }

        @Override
        public void close() {
            if (enterForGood()) {
                met |= worksInside;
            }
        }

        @Override
        public String toString() {
            return "right";
        }
    }

    private Right right = new Right(Thread.currentThread());
    private final CountDownLatch begun = new CountDownLatch(1);

    private Thread startWorker() throws InterruptedException {
        Thread worker = new Thread(() -> right.workUntilClosed(begun), "worker");
        right = new Right(worker);
        worker.setDaemon(true);
        worker.start();
        begun.await();
        return worker;
    }

    @Test
    void aVisitorIsInsideAlone() throws InterruptedException {
        Thread worker = startWorker();
        int visits = 0;
        while (visits < VISITS) {
            if (right.tryVisit()) {
                long before = right.entries;
                assertThat(right.worksInside).isFalse();
                assertThat(right.entries).isEqualTo(before);
                right.endVisit();
                visits++;
            }
        }
        right.close();
        worker.join();
        assertThat(right.met).isFalse();
    }

    @Test
    void whoeverClosesWaitsForTheThreadInside() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            Thread worker = startWorker();
            right.close();
            long entries = right.entries;
            worker.join();
            assertThat(right.entries).isEqualTo(entries);
            assertThat(right.met).isFalse();
            assertThat(right.isClosed()).isTrue();
        }
    }

    @Test
    void refusesOtherThreadsAndItselfInside() throws InterruptedException {
        right = new Right(Thread.currentThread());
        right.enter();
        assertThatThrownBy(right::enter)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside its own handler");
        assertThatThrownBy(right::close).isInstanceOf(IllegalStateException.class);
        assertThat(right.tryVisit()).isFalse();
        right.leave();
        Thread other = new Thread(() -> assertThatThrownBy(right::enter)
                .isInstanceOf(WrongThreadException.class)
                .hasMessageContainingAll("right", "other"));
        other.setName("other");
        Throwable[] failed = new Throwable[1];
        other.setUncaughtExceptionHandler((thread, error) -> failed[0] = error);
        other.start();
        other.join();
        assertThat(failed[0]).isNull();
        right.enter();
        right.leave();
        right.close();
        assertThatThrownBy(right::enter).isInstanceOf(ClosedException.class);
    }
}
