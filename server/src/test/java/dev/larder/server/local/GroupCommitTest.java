package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread that all writes wait for. */
final class GroupCommitTest {

    @Test
    void theThreadGoesOnWhereSomebodyCannotBeTold() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(2);
        try (GroupCommit commits = new GroupCommit(() -> {})) {
            commits.await(error -> {
                told.countDown();
                throw new OutOfMemoryError("no room for a task");
            });
            commits.await(error -> told.countDown());
            assertThat(told.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
