package dev.larder.map.clean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapLoader;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSnapshot;
import dev.larder.map.StoredMap;
import dev.larder.map.TestMaps;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPointer;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.Words;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches of loaders that are in the log, but not linked: checkpoint and log agree at all times. */
@Timeout(120)
final class LeftBatchesTest {

    /** The slot and generation of a process that does not exist. */
    private static final long DEAD_OWNER = (9L << 16) | 7;

    @TempDir
    Path folder;

    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** Whether the next thread that has claimed a record stops there, until it is released. */
    private final AtomicBoolean stopping = new AtomicBoolean();

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private Path directory() {
        return folder.resolve("map");
    }

    /** Returns options without a background thread, so that left batches stay until a caller cleans. */
    private MapOptions options() {
        LogOptions log = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (step.equals("map.claimed") && stopping.getAndSet(false)) {
                stopped.countDown();
                join(released);
            }
            if (failing.contains(step)) {
                throw new LarderException("fails at " + step);
            }
        });
        return MapOptions.defaults()
                .withLog(log)
                .withCleaning(Cleaning.defaults().withBackground(false));
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a map with 1 for each of 100 keys, and behind that an unlinked batch with 2 for the keys 7 and 1000. */
    private LarderMap<Long, Long> openWithLeftBatch() {
        LarderMap<Long, Long> map = openWithEntries();
        leaveBatch(map);
        return map;
    }

    private LarderMap<Long, Long> openWithEntries() {
        LarderMap<Long, Long> map = TestMaps.longs(directory(), options());
        for (long key = 0; key < 100; key++) {
            map.set(key, 1L);
        }
        return map;
    }

    private void leaveBatch(LarderMap<Long, Long> map) {
        MapLoader<Long, Long> loader = map.loader();
        loader.put(7L, 2L);
        loader.put(1000L, 2L);
        failing.addAll(Set.of("map.batched", "map.claimed"));
        assertThatThrownBy(loader::close).isInstanceOf(LarderException.class);
        failing.clear();
        assertThat(map.get(7L)).isEqualTo(1);
        assertThat(map.get(1000L)).isNull();
    }

    /** Makes the left batches appear to be those of a process that has died. */
    private void letTheirOwnerDie() {
        changeLine(Words::setVolatile);
    }

    /** Makes them appear to be those of a process that died after it had appended them, and before it noted where. */
    private void letTheirOwnerDieBeforeItNotedThem() {
        changeLine((memory, owner, dead) -> {
            long line = owner - IndexFileLayout.BATCH_OWNER;
            Words.setVolatile(memory, line + IndexFileLayout.BATCH_FROM, 1);
            Words.setVolatile(memory, line + IndexFileLayout.BATCH_TO, 0);
            Words.setVolatile(memory, owner, dead);
        });
    }

    /** Changes the line of a left batch, given the place of its owner, and a dead owner. */
    private interface LineChange {
        void change(MemorySegment memory, long ownerAt, long deadOwner);
    }

    private void changeLine(LineChange change) {
        assumeThat(TestMaps.storage().isNative())
                .as("one file object must not drop the locks of another")
                .isTrue();
        IndexPointer there = IndexPointer.read(directory(), TestMaps.storage()).orElseThrow();
        try (IndexFile file = IndexFile.attach(there.path(), there.opening(), SystemStorage.system())
                .orElseThrow()) {
            long line = IndexFileLayout.batch(0) + IndexFileLayout.BATCH_OWNER;
            assertThat(Words.getVolatile(file.memory(), line)).isNotZero();
            change.change(file.memory(), line, DEAD_OWNER);
        }
    }

    private static Map<Long, Long> copyOf(Map<Long, Long> map) {
        return new HashMap<>(map);
    }

    /** Returns what the map holds, which is the same from its checkpoint and from its log alone. */
    private Map<Long, Long> reopened(String name) throws IOException {
        Path copy = TestMaps.copy(directory(), folder.resolve(name));
        try (StoredMap stored = StoredMap.open(copy, TestMaps.options())) {
            assertThat(stored.verify().problems()).isEmpty();
        }
        Map<Long, Long> byImage;
        try (LarderMap<Long, Long> map = TestMaps.longs(copy)) {
            byImage = copyOf(map);
        }
        Path fromLog = TestMaps.copy(directory(), folder.resolve(name + "-log"));
        Files.deleteIfExists(fromLog.resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<Long, Long> map = TestMaps.longs(fromLog)) {
            assertThat(copyOf(map)).isEqualTo(byImage);
        }
        return byImage;
    }

    @Test
    void areReplayedBehindAnImageOfWhenTheyWereGivenUp() throws IOException {
        try (LarderMap<Long, Long> map = openWithLeftBatch()) {
            map.checkpoint();
            assertThat(reopened("killed")).containsEntry(7L, 2L).containsEntry(1000L, 2L);
        }
        assertThat(reopened("closed"))
                .containsEntry(7L, 2L)
                .containsEntry(1000L, 2L)
                .hasSize(101);
    }

    @Test
    void areReplayedBehindAnImageOfWhenTheirProcessHadDied() throws IOException {
        try (LarderMap<Long, Long> map = openWithLeftBatch()) {
            letTheirOwnerDie();
            map.checkpoint();
            assertThat(reopened("killed")).containsEntry(7L, 2L).containsEntry(1000L, 2L);
        }
        assertThat(reopened("closed")).containsEntry(7L, 2L).containsEntry(1000L, 2L);
    }

    @Test
    void areLinkedByWhoCleans() throws IOException {
        try (LarderMap<Long, Long> map = openWithLeftBatch()) {
            map.compact();
            assertThat(map).containsEntry(7L, 2L).containsEntry(1000L, 2L).hasSize(101);
            map.checkpoint();
            assertThat(reopened("killed")).isEqualTo(copyOf(map));
        }
    }

    @Test
    void areLinkedByWhoCleansWhenTheirProcessHasDied() throws IOException {
        try (LarderMap<Long, Long> map = openWithLeftBatch()) {
            letTheirOwnerDie();
            map.compact();
            assertThat(map).containsEntry(7L, 2L).containsEntry(1000L, 2L).hasSize(101);
            map.checkpoint();
            assertThat(reopened("killed")).isEqualTo(copyOf(map));
        }
    }

    /** A change that came after the batches counts, also a removal, whatever the cleaner forgets. */
    @Test
    void bringNothingBackThatWasChangedSince() throws IOException {
        try (LarderMap<Long, Long> map = openWithLeftBatch()) {
            map.remove(7L);
            map.set(1000L, 3L);
            fillSegments(map);
            map.compact();
            assertThat(map.get(7L)).isNull();
            assertThat(map.get(1000L)).isEqualTo(3);
            fillSegments(map);
            map.compact();
            map.checkpoint();
            assertThat(map.get(7L)).isNull();
            assertThat(reopened("killed")).isEqualTo(copyOf(map));
        }
    }

    private static void fillSegments(LarderMap<Long, Long> map) {
        for (int round = 0; round < 80_000; round++) {
            map.set((long) (8 + round % 90), 1L);
        }
    }

    @Test
    void areNotInASnapshotBeforeTheMapHasThem() throws Exception {
        requireSnapshotLikeMap(() -> {});
    }

    @Test
    void areNotInASnapshotBeforeTheMapHasThemWhenTheirProcessHasDied() throws Exception {
        requireSnapshotLikeMap(this::letTheirOwnerDie);
    }

    /** The log has further changes where such a batch might be; the snapshot has those. */
    @Test
    void areNotInASnapshotWhereTheirProcessDiedBeforeItNotedThem() throws Exception {
        requireSnapshotLikeMap(this::letTheirOwnerDieBeforeItNotedThem);
    }

    /** Takes a snapshot that waits for a change in progress before it copies. The batch is left meanwhile. */
    private void requireSnapshotLikeMap(Runnable afterwards) throws Exception {
        try (LarderMap<Long, Long> map = openWithEntries()) {
            stopping.set(true);
            CompletableFuture<Void> change = OtherThread.run(() -> map.set(50L, 5L));
            stopped.await();
            FutureTask<MapSnapshot<Long, Long>> taking = new FutureTask<>(map::snapshot);
            try {
                Thread taker = Thread.ofPlatform().start(taking);
                await().until(() -> Stream.of(taker.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("awaitOthers")));
                map.set(8L, 3L);
                leaveBatch(map);
                map.remove(9L);
                map.set(1001L, 3L);
                afterwards.run();
            } finally {
                released.countDown(); // else the closing waits for the snapshot, and that for the change
            }
            change.join();
            try (MapSnapshot<Long, Long> snapshot = taking.get()) {
                Map<Long, Long> found = new HashMap<>();
                snapshot.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
                assertThat(found).isEqualTo(copyOf(map)).containsEntry(50L, 5L).containsEntry(7L, 1L);
                assertThat(snapshot.longSize()).isEqualTo(map.longSize());
            }
            map.compact();
            try (MapSnapshot<Long, Long> later = map.snapshot()) {
                assertThat(later.get(1000L)).isEqualTo(2);
            }
        }
    }

    @Test
    void arePutByTheNextFlush() throws IOException {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory(), options());
                MapLoader<Long, Long> loader = map.loader()) {
            loader.put(1L, 1L);
            failing.add("map.batched");
            assertThatThrownBy(loader::flush).hasMessage("fails at map.batched");
            map.set(1L, 2L);
            loader.flush();
            assertThat(map.get(1L)).isEqualTo(1);
            map.compact();
            map.checkpoint();
            assertThat(map.get(1L)).isEqualTo(1);
            assertThat(reopened("killed")).containsExactly(Map.entry(1L, 1L));
        }
    }

    /** Whichever of their records can be put again, an older value does not come after a newer one. */
    @Test
    void endWithTheLastValueOfEachKey() throws IOException {
        AtomicInteger claims = new AtomicInteger(Integer.MAX_VALUE);
        LogOptions log = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (failing.contains(step) || (step.equals("map.claimed") && claims.getAndDecrement() <= 0)) {
                throw new LarderException("fails at " + step);
            }
        });
        try (LarderMap<Long, Long> map = TestMaps.longs(directory(), options().withLog(log))) {
            MapLoader<Long, Long> loader = map.loader();
            for (long value = 1; value <= 2; value++) {
                loader.put(7L, value);
                loader.put(8L, value);
            }
            failing.add("map.batched");
            assertThatThrownBy(loader::flush).hasMessage("fails at map.batched");
            claims.set(1);
            assertThatThrownBy(loader::close).hasMessage("fails at map.claimed");
            claims.set(Integer.MAX_VALUE);
            map.compact();
            assertThat(copyOf(map)).isEqualTo(Map.of(7L, 2L, 8L, 2L));
            map.checkpoint();
            assertThat(reopened("killed")).isEqualTo(copyOf(map));
        }
    }

    /** Closing puts the entries that are already in the log, if that is possible. */
    @Test
    void areNoneWhereClosingCanPutThem() throws IOException {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory(), options())) {
            failing.add("map.batched");
            try (MapLoader<Long, Long> loader = map.loader()) {
                loader.put(7L, 2L);
            }
            assertThat(map).containsOnly(Map.entry(7L, 2L));
            map.checkpoint();
            assertThat(reopened("killed")).containsOnly(Map.entry(7L, 2L));
        }
    }

    @Test
    void areNoneWhereMoreLoadersAreAtWorkThanThereAreLines() {
        assumeThat(TestMaps.storage().isNative())
                .as("one file object must not drop the locks of another")
                .isTrue();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory(), options())) {
            IndexPointer there =
                    IndexPointer.read(directory(), TestMaps.storage()).orElseThrow();
            try (IndexFile file = IndexFile.attach(there.path(), there.opening(), SystemStorage.system())
                    .orElseThrow()) {
                for (int line = 0; line < IndexFileLayout.BATCHES; line++) {
                    Words.setVolatile(file.memory(), IndexFileLayout.batch(line), DEAD_OWNER);
                }
                try (MapLoader<Long, Long> loader = map.loader()) {
                    for (long key = 0; key < 20_000; key++) {
                        loader.put(key, -key);
                    }
                }
                assertThat(map).hasSize(20_000).containsEntry(19_999L, -19_999L);
                map.compact();
                assertThat(Words.getVolatile(file.memory(), IndexFileLayout.batch(0)))
                        .as("freed: its owner has died")
                        .isZero();
            }
        }
    }
}
