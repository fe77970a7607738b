package dev.larder.map.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.TestMaps;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexPointer;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.Words;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Counts of an index after a process was killed between a change and its count. */
@Timeout(120)
final class MiscountTest {

    /** The slot and generation of a process that does not exist. */
    private static final int DEAD_SLOT = 9;

    private static final long DEAD_OWNER = ((long) DEAD_SLOT << 16) | 7;

    @TempDir
    Path directory;

    private LarderMap<Long, Long> open(boolean background) {
        return TestMaps.longs(
                directory,
                MapOptions.defaults()
                        .withLog(TestMaps.options())
                        .withCleaning(Cleaning.defaults().withBackground(background)));
    }

    private IndexFile attach() {
        assumeTrue(TestMaps.storage().isNative(), "one file object must not drop the locks of another");
        IndexPointer there = IndexPointer.read(directory, TestMaps.storage()).orElseThrow();
        return IndexFile.attach(there.path(), there.opening(), SystemStorage.system())
                .orElseThrow();
    }

    /** Makes a process appear to have died after it put or removed some entries, and before it counted them. */
    private static void miscount(IndexFile file, int change) {
        new Directory(file).forEach((partition, entry, word) -> {
            long count = IndexMemory.base(Directory.step(word)) + IndexPageLayout.ALIVE;
            Words.getAndAdd(file.memory(), count, change);
        });
        Words.raise(file.memory(), IndexFileLayout.PROCESS_SLOTS, DEAD_SLOT + 1L);
        Words.setVolatile(file.memory(), IndexFileLayout.process(DEAD_SLOT) + IndexFileLayout.OWNER, DEAD_OWNER);
    }

    @Test
    void isNotTakenForEmpty() {
        try (LarderMap<Long, Long> map = open(false);
                IndexFile file = attach()) {
            assertThat(map.isEmpty()).isTrue();
            map.set(1L, 1L);
            miscount(file, -1);
            assertThat(map.isEmpty()).isFalse();
            map.remove(1L);
            assertThat(map.isEmpty()).isTrue();
        }
    }

    @Test
    void isPutRightByTheBackground() throws InterruptedException {
        try (LarderMap<Long, Long> map = open(true);
                IndexFile file = attach()) {
            for (long key = 0; key < 10_000; key++) {
                map.set(key, key);
            }
            for (int change : new int[] {3, -2}) {
                miscount(file, change);
                while (map.longSize() != 10_000) {
                    Thread.sleep(10);
                }
            }
            assertThat(map).hasSize(10_000).containsEntry(9_999L, 9_999L);
        }
    }
}
