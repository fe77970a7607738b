package dev.larder.log.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.random.OpenSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Space ahead of the tail. */
final class PreparationTest {

    @TempDir
    Path directory;

    /**
     * The space that writers will take next is measured, and may be any number of bytes. A place that was not a multiple
     * of 8 ended the background thread, and with it the sync at the policy's pace.
     */
    @Test
    void takesAnyNumberOfBytes() {
        try (Log log = Log.open(directory)) {
            for (int bytes : new int[] {1, 1001, 4097, 3_000_001}) {
                log.prepare(bytes);
            }
            assertThat(log.counters().get(LogCounter.POPULATED_BYTES)).isGreaterThanOrEqualTo(3_000_001);
        }
    }

    /** Prepared segments come on top of the bytes that a log is kept to. */
    @Test
    void aLogThatIsKeptToASizeHasTwoSegmentsAheadAtMost() throws IOException, InterruptedException {
        LogOptions options = LogOptions.defaults().withRetention(retention -> retention.withBytes(1 << 20));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 1_500_000_000L) { // as fast as a writer may be that is not saturated
                for (int i = 0; i < 50; i++) {
                    appender.append(new byte[4096]);
                }
                Thread.sleep(10);
            }
            assertThat(log.counters().get(LogCounter.POPULATED_BYTES)).isPositive();
            int tail = OpenSession.of(log).control.tailAcquire();
            assertThat(numbers().filter(number -> number > tail)).hasSizeLessThanOrEqualTo(2);
        }
    }

    private Stream<Integer> numbers() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> SegmentLayout.numberOf(file.getFileName().toString())).toList().stream();
        }
    }
}
