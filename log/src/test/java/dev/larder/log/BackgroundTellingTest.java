package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a thread in the background says of work that fails at every turn. */
final class BackgroundTellingTest {

    private final BackgroundThread thread = new BackgroundThread("larder-test", () -> {});
    private final Messages messages = new Messages();

    /** A logger that keeps what it is given. */
    private static final class Messages implements System.Logger {
        private final List<String> texts = new ArrayList<>();
        private int stacks;

        @Override
        public String getName() {
            return "messages";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
            texts.add(text);
            stacks += thrown == null ? 0 : 1;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... parameters) {
            texts.add(format);
        }
    }

    @Test
    void saysOnceWhatFailsForOneCauseThenHowOften() {
        for (int turn = 1; turn <= 1000; turn++) {
            thread.tell(messages, "cleaning failed", new IllegalStateException("no room for " + turn + " bytes"));
            thread.tell(messages, "looking failed", new IllegalStateException("no descriptor"));
        }
        assertThat(messages.stacks).isEqualTo(2);
        assertThat(messages.texts)
                .hasSize(8)
                .contains(
                        "cleaning failed: java.lang.IllegalStateException: no room for 1000 bytes (1000 times)",
                        "looking failed: java.lang.IllegalStateException: no descriptor (10 times)");
    }

    @Test
    void saysItAgainWhenItHasGoneWellInBetween() {
        thread.tell(messages, "cleaning failed", new IllegalStateException("no room"));
        thread.goesWell();
        thread.tell(messages, "cleaning failed", new IllegalStateException("no room"));
        assertThat(messages.stacks).isEqualTo(2);
    }

    /** Each cause is remembered: what names another file each time must not take all memory. */
    @Test
    void remembersSoManyCausesOnly() {
        for (char cause = 'a'; cause < 'a' + 1000; cause++) {
            thread.tell(messages, "cleaning failed", new IllegalStateException("file " + cause));
        }
        assertThat(messages.texts).hasSizeLessThan(30);
    }
}
