package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.map.LarderMap;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.processes.KeptMap.Work;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process keeps emptied segments for a restore point, and another process of the map drops them. */
@Tag(Effort.LONG)
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
            assertThat(answer(path, Work.CLEAN_AND_DROP)).startsWith("DROPPED ").isNotEqualTo("DROPPED 0");
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

    /**
     * Segments that another process has dropped no longer count as kept. A restore point that one process notes holds for all.
     */
    @Test
    void cleansOnWhereAnotherProcessNotesThePoints() {
        Path path = directory.resolve("map");
        try (LarderMap<Long, byte[]> map = KeptMap.open(path, storage, OptionalLong.of(0))) {
            for (int round = 0; round < 4; round++) {
                fill(map);
            }
            map.compact();
            answer(path, Work.CLEAN_AND_DROP);
            long dropped = map.info().space().cleanedBytes();
            assertThat(dropped).isPositive();
            for (int round = 0; round < 3; round++) {
                fill(map);
                fill(map);
                map.compact();
                answer(path, Work.KEEP);
            }
            map.compact();
            long once = KEYS * VALUE_BYTES;
            assertThat(map.info().space().cleanedBytes()).isGreaterThan(dropped + 4 * once);
            assertThat(map.info().space().fileBytes()).isLessThan(4 * once);
            assertThat(map.longSize()).isEqualTo(KEYS);
        }
    }

    /**
     * A process without a point would drop what the other keeps; a process that comes with a point later is not taken back to
     * it.
     */
    @Test
    void allProcessesHaveARestorePointOrNone() {
        Path path = directory.resolve("map");
        for (boolean restoring : new boolean[] {true, false}) {
            OptionalLong point = restoring ? OptionalLong.of(0) : OptionalLong.empty();
            try (LarderMap<Long, byte[]> map = KeptMap.open(path, storage, point)) {
                fill(map);
                fill(map);
                assertThat(answer(path, restoring ? Work.CLEAN : Work.CLEAN_AND_DROP))
                        .startsWith("REFUSED ")
                        .contains(restoring ? "with a restore point" : "without a restore point");
                assertThat(map.info().space().cleanedBytes()).isZero();
                assertThat(answer(path, restoring ? Work.CLEAN_AND_DROP : Work.CLEAN))
                        .startsWith("DROPPED ");
                assertThat(map.longSize()).isEqualTo(KEYS);
            }
        }
    }

    private String answer(Path path, Work work) {
        try (ChildProcess other = ChildProcess.start(
                KeptMap.class, directory.resolve("errors"), List.of(), path.toString(), storage, work.name())) {
            String answer = other.answer(SECONDS);
            other.expect("END", SECONDS);
            return answer;
        }
    }
}
