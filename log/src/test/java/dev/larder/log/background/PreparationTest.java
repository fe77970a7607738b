package dev.larder.log.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import java.nio.file.Path;
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
}
