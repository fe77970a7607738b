package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.DiskFullException;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of the map from within a change: by the writer of a value, by a codec, by a removal listener. */
@Tag("any-storage")
@Timeout(60)
final class NestedCallsTest {

    private static final int SEGMENTS = 40;
    private static final int LENGTH = 100_000;
    private static final long SEGMENT_BYTES = 2L << 20;

    @TempDir
    Path directory;

    private final List<Throwable> refused = new ArrayList<>();

    /** A sync waits for every claim before it, so the inner change is acknowledged when the outer one has ended. */
    @Test
    void acknowledgesAnInnerChangeWithTheOuterOne() {
        LogOptions options = TestMaps.options().withSync(SyncPolicy.everyAppend());
        try (LarderMap<Long, Long> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options)) {
            map.write(1L, Long.BYTES, (record, at, length) -> map.put(2L, 20L));
            assertThat(map).containsOnlyKeys(1L, 2L);
            assertThat(map.info().log().durablePosition())
                    .isEqualTo(map.info().log().endPosition());
            map.put(3L, 30L);
            assertThat(map.info().log().durablePosition())
                    .isEqualTo(map.info().log().endPosition());
        }
    }

    @Test
    void refusesWhatWouldWaitForItself() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.write(1L, Long.BYTES, (record, at, length) -> refuseAll(map));
            map.listener((key, value, cause) -> refuseAll(map));
            map.put(1L, 2L);
            assertThat(refused)
                    .hasSize(2 * 3)
                    .allSatisfy(e -> assertThat(e)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(directory.toString()));
            map.checkpoint();
            map.compact();
            assertThat(map).containsEntry(1L, 2L);
        }
    }

    /** A sync waits for each record that is being written. A function or a listener writes none, unless a writer calls it. */
    @Test
    void refusesASyncWithinTheWritingOfAValue() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.write(1L, Long.BYTES, (record, at, length) -> refuseSyncs(map));
            map.write(
                    2L,
                    Long.BYTES,
                    (record, at, length) -> map.compute(3L, (key, value) -> {
                        refuseSyncs(map);
                        return 3L;
                    }));
            assertThat(refused)
                    .hasSize(2 * 2)
                    .allSatisfy(e -> assertThat(e)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(directory.toString())
                            .hasMessageContaining("the sync would wait for that value"));
            map.listener((key, value, cause) -> map.sync());
            map.compute(1L, (key, value) -> {
                map.sync();
                return map.restorePoint();
            });
            assertThat(map).containsOnlyKeys(1L, 2L, 3L);
        }
    }

    private void refuseSyncs(LarderMap<Long, Long> map) {
        for (ThrowingCallable call : List.<ThrowingCallable>of(map::sync, map::restorePoint)) {
            refused.add(catchThrowable(call));
        }
    }

    /** Each inner put would overtake the outer put, which would then write its value again. */
    @Test
    void refusesAChangeOfTheKeyWhoseValueIsWritten() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (Runnable inner : List.<Runnable>of(
                    () -> map.put(1L, 5L), () -> map.remove(1L), () -> map.write(1L, 8, (record, at, length) -> {}))) {
                map.set(1L, 7L);
                assertThatThrownBy(() -> map.write(1L, Long.BYTES, (record, at, length) -> inner.run()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(directory.toString())
                        .hasMessageContaining("cannot change the key");
                assertThat(map.get(1L)).isEqualTo(7L);
            }
            map.write(1L, Long.BYTES, (record, at, length) -> map.putAll(Map.of(2L, 2L, 3L, 3L)));
            assertThat(map).containsOnlyKeys(1L, 2L, 3L);
            map.sync();
        }
    }

    private void refuseAll(LarderMap<Long, Long> map) {
        for (ThrowingCallable call : List.<ThrowingCallable>of(map::checkpoint, map::compact, map::close)) {
            refused.add(catchThrowable(call));
        }
    }

    /** A thread that writes a value for long delays the cleaning, but no thread that puts. */
    @Test
    void letsOthersPutBesideOneWhoWritesForLong() throws Exception {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
            map.set(0L, new byte[LENGTH]);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            CompletableFuture<Void> slow = OtherThread.run(() -> map.write(-1L, Long.BYTES, (record, at, length) -> {
                begun.countDown();
                await(ended);
            }));
            begun.await();
            try {
                for (long put = 0; put * LENGTH < SEGMENTS * SEGMENT_BYTES; put++) {
                    map.set(put % 10, new byte[LENGTH]);
                }
            } finally {
                ended.countDown();
            }
            slow.join();
            map.compact();
            assertThat(map).hasSize(11);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Each run would find that it had itself changed the entry meanwhile, and would cause another run. */
    @Test
    void refusesAFunctionThatChangesTheKeyThatItComputes() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            refuseWithin(map, () -> map.put(1L, map.getOrDefault(1L, 0L) + 1));
            refuseWithin(map, () -> map.merge(1L, 1L, Long::sum));
            refuseWithin(map, () -> map.compute(1L, (key, value) -> 7L));
            refuseWithin(map, () -> map.putAll(Map.of(1L, 7L, 2L, 8L)));
            refuseWithin(map, () -> {
                map.remove(1L);
                map.put(1L, 9L);
            });
            map.put(1L, 5L);
            assertThat(map.compute(1L, (key, value) -> map.merge(3L, 1L, Long::sum)))
                    .isEqualTo(1);
            assertThatThrownBy(() -> map.getOrLoad(4L, key -> map.getOrLoad(4L, again -> 1L)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a loader calls the map for the key that it loads");
            assertThat(map.computeIfAbsent(5L, key -> {
                        map.put(5L, 1L);
                        return 2L;
                    }))
                    .isEqualTo(1);
            map.sync();
        }
    }

    private static void refuseWithin(LarderMap<Long, Long> map, Runnable change) {
        assertThatThrownBy(() -> map.compute(1L, (key, value) -> {
                    change.run();
                    return 0L;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot change the key whose value it makes");
    }

    @Test
    void saysThatItIsClosedWhateverIsAsked() {
        LarderMap<Long, Long> map = TestMaps.longs(directory);
        map.put(1L, 1L);
        MapSnapshot<Long, Long> snapshot = map.snapshot();
        map.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> map.read(1L, (segment, offset, length) -> {}),
                () -> map.readAll(List.of(1L), (key, segment, offset, length) -> {}),
                () -> map.computeIfAbsent(1L, key -> key),
                () -> map.values().removeIf(value -> true),
                () -> snapshot.read(1L, (segment, offset, length) -> {}))) {
            assertThatThrownBy(call).isInstanceOf(dev.larder.memory.ClosedException.class);
        }
    }

    /** The map gets back the space that a handler holds only when it has ended: the put from inside would wait for itself. */
    @Test
    void saysThatAHandlerHoldsTheRoomThatItsOwnPutNeeds() {
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withMaxBytes(24L << 20));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            map.set(0L, new byte[LENGTH]);
            map.read(
                    0L,
                    (segment, offset, length) -> assertThatThrownBy(() -> putOver(map))
                            .isInstanceOf(DiskFullException.class)
                            .hasMessageContaining("readers and snapshots hold")
                            .hasMessageContaining("this thread does, in a handler"));
            putOver(map);
            assertThat(map).hasSize(10);
        }
    }

    private static void putOver(LarderMap<Long, byte[]> map) {
        for (long put = 0; put * LENGTH < SEGMENTS * SEGMENT_BYTES; put++) {
            map.set(put % 10, new byte[LENGTH]);
        }
    }
}
