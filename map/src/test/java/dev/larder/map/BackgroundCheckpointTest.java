package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.random.LogRecords;
import dev.larder.map.checkpoint.Checkpoint;
import dev.larder.map.checkpoint.CheckpointReader;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Index;
import dev.larder.map.shared.Batches;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that a map writes by itself. */
@Timeout(120)
final class BackgroundCheckpointTest {

    private static final int KEYS = 5_000;
    private static final long CHANGE_BYTES = 32;
    private static final long LITTLE_BYTES = 1L << 20;

    @TempDir
    Path folder;

    private static LogOptions synced() {
        return TestMaps.options().withSync(SyncPolicy.every(Duration.ofHours(1)));
    }

    private static MapOptions often(LogOptions log) {
        return MapOptions.defaults()
                .withLog(log)
                .withCheckpoints(Checkpoints.after(LITTLE_BYTES))
                .withCleaning(Cleaning.defaults().withBackground(false));
    }

    private LarderMap<Long, Long> open(MapOptions options) {
        return TestMaps.longs(folder.resolve("map"), options);
    }

    /** Makes changes until the log has grown by 18 checkpoints, each with a page of 64 KiB per partition. */
    private static void change(LarderMap<Long, Long> map, Map<Long, Long> expected, long version) {
        long image = (Placement.PARTITIONS + 1L) * IndexPageLayout.BYTES;
        for (long i = 0; i < 18 * image / CHANGE_BYTES; i++) {
            long key = i % KEYS;
            map.set(key, version + i);
            expected.put(key, version + i);
        }
    }

    private long awaitImage(long before) {
        long replay = replay(folder.resolve("map"));
        while (replay <= before) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("it takes too long")
                    .isFalse();
            LockSupport.parkNanos(1_000_000);
            replay = replay(folder.resolve("map"));
        }
        return replay;
    }

    private static long replay(Path map) {
        try (Arena arena = Arena.ofShared()) {
            return CheckpointReader.of(map, TestMaps.storage(), arena)
                    .map(CheckpointReader::replay)
                    .orElse(-1L);
        }
    }

    /** A crash leaves a checkpoint from the middle of the log, from which an opening continues. */
    @Test
    void shouldBeWhatAnOpeningGoesOnFromAfterACrash() throws IOException {
        Map<Long, Long> expected = new HashMap<>();
        Path crashed = folder.resolve("crashed");
        try (LarderMap<Long, Long> map = open(often(synced()))) {
            change(map, expected, 0);
            long replay = awaitImage(-1);
            map.set(-1L, -1L);
            expected.put(-1L, -1L);
            assertThat(replay).as("nearly all of the log lies before it").isGreaterThan(Position.of(4, 0));
            TestMaps.copy(folder.resolve("map"), crashed);
        }
        try (LarderMap<Long, Long> map =
                TestMaps.longs(crashed, MapOptions.defaults().withLog(synced()))) {
            assertThat(map).isEqualTo(expected);
        }
    }

    @Test
    void shouldGoOnAfterTheNextOpening() {
        assumeTrue(TestMaps.storage().isNative(), "takes five times as long without native calls");
        Map<Long, Long> expected = new HashMap<>();
        try (LarderMap<Long, Long> map = open(often(synced()))) {
            change(map, expected, 0);
        }
        long closed = replay(folder.resolve("map"));
        try (LarderMap<Long, Long> map = open(often(synced()))) {
            change(map, expected, 1L << 32);
            assertThat(awaitImage(closed)).isGreaterThan(closed);
            assertThat(map).isEqualTo(expected);
        }
    }

    @Test
    void shouldNotBeWrittenWhereNobodyWishesThem() {
        MapOptions none = MapOptions.defaults().withLog(synced()).withCheckpoints(Checkpoints.none());
        for (MapOptions options : new MapOptions[] {none, often(TestMaps.options())}) {
            try (LarderMap<Long, Long> map = open(options)) {
                assertThat(((WritingSession<Long, Long>) map.session()).makesImages())
                        .isFalse();
            }
        }
        try (LarderMap<Long, Long> map = open(often(synced()))) {
            assertThat(((WritingSession<Long, Long>) map.session()).makesImages())
                    .isTrue();
        }
    }

    /** The close of a map does not wait for a checkpoint of billions of entries that is of no use any more. */
    @Test
    void shouldLeaveTheLastImageWhereTheyAreGivenUp() throws IOException {
        TestIndex shared = new TestIndex(folder);
        try (shared;
                Log log = Log.open(folder.resolve("map"), TestMaps.options());
                LogRecords records = LogRecords.of(log)) {
            TestIndex.Member process = shared.enter(TestIndex.OWNER);
            Index index = process.index(records, new PackedPositions(2L << 20, 0));
            index.makeEmpty();
            Checkpoint checkpoint = new Checkpoint(
                    log, TestMaps.options(), shared.file.opening(), new Batches(shared.file, process.processes));
            assertThat(checkpoint.write(index, process.changes, () -> true)).isTrue();
            byte[] image = Files.readAllBytes(folder.resolve("map").resolve(CheckpointLayout.FILE_NAME));
            int[] asked = new int[1];
            assertThat(checkpoint.write(index, process.changes, () -> ++asked[0] < 3))
                    .isFalse();
            assertThat(asked[0]).isLessThan(6);
            assertThat(folder.resolve("map").resolve(CheckpointLayout.FILE_NAME))
                    .hasBinaryContent(image);
            assertThat(folder.resolve("map").resolve("map.checkpoint.tmp")).doesNotExist();
        }
    }

    @Test
    void shouldRefuseLessThanAMebibyte() {
        assertThatThrownBy(() -> Checkpoints.after(LITTLE_BYTES - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a checkpoint per 1048575 bytes of the log; the least is 1048576 bytes");
    }
}
