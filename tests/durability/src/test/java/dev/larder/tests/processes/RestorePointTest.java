package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.map.LarderMap;
import dev.larder.tests.crash.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process keeps emptied segments for a restore point, and another process of the map drops them. */
@Timeout(300)
final class RestorePointTest {

    private static final long SECONDS = 60;
    private static final long KEYS = 3000;
    private static final int VALUE_BYTES = 3000;

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    private static void fill(LarderMap<Long, byte[]> map) {
        for (long key = 0; key < KEYS; key++) {
            map.set(key, new byte[VALUE_BYTES]);
        }
    }

    @Test
    void goesOnWhereAnotherProcessHasDroppedWhatWasKept() {
        Path path = directory.resolve("map");
        try (LarderMap<Long, byte[]> map = KeptMap.open(path, storage, OptionalLong.of(0))) {
            fill(map);
            fill(map);
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isZero();
            try (ChildProcess other = ChildProcess.start(
                    KeptMap.class, directory.resolve("errors"), List.of(), path.toString(), storage)) {
                assertThat(other.answer(SECONDS)).startsWith("DROPPED ").isNotEqualTo("DROPPED 0");
                other.expect("END", SECONDS);
            }
            long dropped = map.info().space().cleanedBytes();
            fill(map);
            map.keepFrom(map.restorePoint());
            map.compact();
            map.keepFrom(map.restorePoint());
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isGreaterThan(dropped);
            assertThat(map.longSize()).isEqualTo(KEYS);
        }
    }
}
