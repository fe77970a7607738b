package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An appender or a tailer that was never closed, and is no longer reachable, is closed. */
final class ForgottenTest {

    @TempDir
    Path directory;

    @Test
    void appendsWithoutAnAppenderOfItsOwn() {
        try (LarderQueue queue = LarderQueue.open(directory)) {
            long first = queue.append("one");
            assertThat(queue.append(new byte[] {1})).isGreaterThan(first);
            queue.append(3, (segment, offset, length) -> {});
            assertThat(queue.count(queue.info().firstPosition(), queue.info().endPosition()))
                    .isEqualTo(3);
        }
    }

    @Test
    void aNamedTailerThatIsForgottenFreesItsName() {
        try (LarderQueue queue = LarderQueue.open(directory)) {
            queue.append("one");
            AtomicLong read = new AtomicLong();
            WeakReference<Tailer> forgotten = forget(queue, read);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                System.gc();
                return forgotten.get() == null && isFree(queue);
            });
            assertThat(read).hasValue(1);
        }
    }

    private static WeakReference<Tailer> forget(LarderQueue queue, AtomicLong read) {
        Tailer tailer = queue.tailer("name");
        tailer.poll((segment, offset, length) -> read.incrementAndGet());
        return new WeakReference<>(tailer);
    }

    private static boolean isFree(LarderQueue queue) {
        queue.tailer().close(); // opening a tailer closes those that were collected
        return queue.tailers().getFirst().processId().isEmpty();
    }

    @Test
    void anAppenderThatIsForgottenDoesItsWorkFirst() {
        try (LarderQueue queue = LarderQueue.open(directory)) {
            for (int i = 0; i < 20_000; i++) {
                queue.appender().append("forgotten at once");
            }
            assertThat(queue.count(queue.info().firstPosition(), queue.info().endPosition()))
                    .isEqualTo(20_000);
        }
    }
}
