package dev.larder.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Answer;
import dev.larder.cli.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The line that shows how far a command has come. Its clock stands still until the test moves it. */
class ProgressBarTest {

    private static final long SECOND = 1_000_000_000;

    private final AtomicLong clock = new AtomicLong();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Streams streams(boolean terminal) {
        return new Streams(
                InputStream.nullInputStream(),
                new Answer(OutputStream.nullOutputStream()),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                terminal);
    }

    /** Returns the output since the last call. */
    private String drawn() {
        String text = err.toString(StandardCharsets.UTF_8);
        err.reset();
        return text;
    }

    @Test
    void drawsOneLineAndTakesItAway() {
        try (ProgressBar bar = new ProgressBar("verify", streams(true), clock::get)) {
            bar.onProgress(1, 4096);
            assertThat(drawn()).as("at once").isEmpty();
            clock.addAndGet(SECOND);
            bar.onProgress(1024, 4096);
            assertThat(drawn()).isEqualTo("\rverify  [#####---------------]  25 %\u001b[K");
            bar.onProgress(2048, 4096);
            assertThat(drawn()).as("too soon after").isEmpty();
            clock.addAndGet(SECOND);
            bar.onProgress(5000, 4096);
            assertThat(drawn()).contains("[####################]  100 %");
            clock.addAndGet(SECOND);
            bar.onProgress(2048, 0);
            assertThat(drawn()).isEqualTo("\rverify  2 KiB\u001b[K");
        }
        assertThat(drawn()).isEqualTo("\r\u001b[K");
    }

    @Test
    void drawsNothingForShortCommandsAndPipes() {
        new ProgressBar("verify", streams(true), clock::get).close();
        try (ProgressBar bar = new ProgressBar("verify", streams(false), clock::get)) {
            clock.addAndGet(SECOND);
            bar.onProgress(1, 2);
        }
        assertThat(drawn()).isEmpty();
    }

    @Test
    void countsWhatIsRead() throws IOException {
        try (ProgressBar bar = new ProgressBar("import", streams(true), clock::get);
                InputStream in = bar.reading(new ByteArrayInputStream(new byte[2048]), 4096)) {
            clock.addAndGet(SECOND);
            assertThat(in.readNBytes(2048)).hasSize(2048);
            assertThat(drawn()).contains("50 %");
        }
    }

    @Test
    void asksUntilItIsClosed() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(3);
        try (ProgressBar bar = ProgressBar.asking("repair", streams(true), () -> {
            asked.countDown();
            return 1024;
        })) {
            asked.await();
            assertThat(bar).isNotNull();
        }
        assertThat(drawn())
                .satisfiesAnyOf(
                        text -> assertThat(text).isEmpty(),
                        text -> assertThat(text).startsWith("\rrepair  1 KiB"));
    }
}
