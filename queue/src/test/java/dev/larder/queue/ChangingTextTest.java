package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another thread changes a text while it is appended: nothing is written behind the claim, and nothing is appended. */
final class ChangingTextTest {

    @TempDir
    Path directory;

    private final AtomicReference<@Nullable Runnable> atNextClaim = new AtomicReference<>();

    private LarderQueue open() {
        LogOptions options = HookedOptions.withFailpoints(TestQueues.options(), step -> {
            Runnable change = step.equals("append.claimed") ? atNextClaim.getAndSet(null) : null;
            if (change != null) {
                change.run();
            }
        });
        return LarderQueue.open(directory, options);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 8, 4000})
    void anAppendWritesWithinItsClaim(int length) {
        StringBuilder text = new StringBuilder("changing");
        try (LarderQueue queue = open()) {
            atNextClaim.set(() -> {
                text.append("longer".repeat(100));
                text.setLength(length);
            });
            if (length == 8) {
                queue.append(text);
            } else {
                assertThatIllegalStateException()
                        .isThrownBy(() -> queue.append(text))
                        .withMessage("the text changed while it was appended");
            }
            queue.append("next");
            assertThat(TestQueues.texts(queue)).endsWith("next").hasSize(length == 8 ? 2 : 1);
            assertThat(queue.verify().isSound()).isTrue();
        }
    }

    /** The batch is full, so the message is staged after a flush. */
    @Test
    void aBatchWritesWithinTheStagedMessage() {
        StringBuilder text = new StringBuilder("changing");
        try (LarderQueue queue = open();
                Appender appender = queue.appender();
                Batch batch = appender.batch()) {
            batch.add(new byte[(512 << 10) - 16]);
            atNextClaim.set(() -> text.append("longer".repeat(100)));
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.add(text))
                    .withMessage("the text changed while it was appended");
            batch.add("next");
            batch.flush();
            assertThat(TestQueues.texts(queue)).hasSize(2).endsWith("next");
            assertThat(queue.verify().isSound()).isTrue();
        }
    }
}
