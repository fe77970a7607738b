package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.cli.Figures;
import dev.larder.lab.load.SkippedException;
import dev.larder.lab.process.MemoryLimit;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PressureTest {

    private static final long MIB = 1L << 20;

    @TempDir
    Path directory;

    @Test
    void theLimitIsHeapAndIndexAndSomeRoom() {
        assertThat(Pressure.limitBytes(1000 * MIB, 3000 * MIB)).isEqualTo(4600 * MIB);
        assertThat(Pressure.fileBytes(4600 * MIB)).isEqualTo(18_400 * MIB);
    }

    /** The bytes that the companion moves pass through the group's page cache, which never grows beyond the limit. */
    @Test
    void theCompanionFillsTheGroup() {
        long limitBytes = 160 * MIB;
        try (MemoryLimit limit = group(limitBytes);
                Pressure pressure = Pressure.start(limit, directory.resolve("files"), directory, 2048 * MIB)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> pressure.moved().whole("read_bytes") > limitBytes);
            Figures moved = pressure.moved();
            assertThat(moved.whole("written_bytes")).isGreaterThanOrEqualTo(Pressure.fileBytes(limitBytes));
            assertThat(moved.whole("group_cached_bytes")).isBetween(16 * MIB, limitBytes);
            assertThat(moved.whole("group_used_bytes")).isLessThanOrEqualTo(limitBytes);
        }
    }

    private static MemoryLimit group(long bytes) {
        try {
            return Pressure.group(bytes);
        } catch (SkippedException e) {
            return Assumptions.abort(String.valueOf(e.getMessage()));
        }
    }
}
