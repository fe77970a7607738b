package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.Sharing;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory file system of a map's index fills up: a call that needs more of it gets an exception, and nothing is lost. */
@Tag(Effort.LONG)
class FullSharedMemoryTest {

    private static final int MEBIBYTES = 24;

    @TempDir
    Path place;

    private Path directory;

    @BeforeEach
    void needNativeCalls() {
        assumeTrue(
                SystemStorage.system().isNative(),
                "without native calls full shared memory may end the JVM: a page cannot be asked for");
        directory = place.resolve("map");
    }

    @Test
    void shouldSayThatTheIndexHasNoRoom() throws Exception {
        long more;
        try (SmallFileSystem small = SmallFileSystem.tmpfs(place, MEBIBYTES);
                LarderMap<Long, Long> map = open(small.root())) {
            long count = putUntilFull(map, 0, small.root());
            assertThat(count).isGreaterThan(MEBIBYTES * (1L << 20) / 2 / 16);
            changeOneThatIsThere(map);
            small.remount("size=" + 2 * MEBIBYTES + "m");
            more = putUntilFull(map, count, small.root());
            assertThat(more).isGreaterThan(count * 3 / 2);
        }
        try (SmallFileSystem large =
                        SmallFileSystem.tmpfs(Files.createDirectory(place.resolve("large")), 8 * MEBIBYTES);
                LarderMap<Long, Long> again = open(large.root())) {
            assertHolds(again, more);
        }
    }

    /** Changes an entry that is there: overwriting it takes no more of the index. */
    private static void changeOneThatIsThere(LarderMap<Long, Long> map) {
        assertThat(map.put(0L, 7L)).isEqualTo(value(0));
        assertThat(map.remove(0L)).isEqualTo(7L);
        assertThat(map.put(0L, value(0))).isNull();
    }

    /** Opening the map loads the whole image: so the opening fails, and no later call does. */
    @Test
    void shouldSayThatAnImageCannotBeLoaded() throws Exception {
        int count = 200_000;
        try (SmallFileSystem small = SmallFileSystem.tmpfs(place, MEBIBYTES)) {
            try (LarderMap<Long, Long> map = open(small.root())) {
                for (long key = 0; key < count; key++) {
                    map.put(key, value(key));
                }
            }
            try (SmallFileSystem tiny = SmallFileSystem.tmpfs(Files.createDirectory(place.resolve("tiny")), 3)) {
                assertThatThrownBy(() -> open(tiny.root()))
                        .isInstanceOf(DiskFullException.class)
                        .hasMessageContaining(tiny.root().toString())
                        .hasMessageContaining("no room");
            }
            try (LarderMap<Long, Long> map = open(small.root())) {
                assertHolds(map, count);
            }
        }
    }

    private LarderMap<Long, Long> open(Path folder) {
        return LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.longs(),
                MapOptions.defaults().withSharing(Sharing.defaults().withFolder(folder)));
    }

    private static long value(long key) {
        return key * 31 + 1;
    }

    /** Puts until the memory is full; returns how many entries the map has then. */
    private static long putUntilFull(LarderMap<Long, Long> map, long from, Path folder) {
        long[] next = {from};
        assertThatThrownBy(() -> {
                    while (next[0] < 10_000_000) {
                        map.put(next[0], value(next[0]));
                        next[0]++;
                    }
                })
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("no room")
                .hasMessageContaining("index");
        assertHolds(map, next[0]);
        return next[0];
    }

    private static void assertHolds(LarderMap<Long, Long> map, long count) {
        for (long key = 0; key < count; key++) {
            Long found = map.get(key);
            if (found == null || found != value(key)) {
                throw new AssertionError("key " + key + " of " + count + " has " + found);
            }
        }
        assertThat(map.get(count)).as("the one that was refused").isNull();
        assertThat(map.longSize()).isEqualTo(count);
    }
}
