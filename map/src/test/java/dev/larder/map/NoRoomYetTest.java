package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.DiskFullException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes that may not wait. */
@Timeout(120)
final class NoRoomYetTest {

    private static final long MIB = 1L << 20;
    private static final int LENGTH = 100_000;
    private static final int KEYS = 50;

    @TempDir
    Path directory;

    /** Returns options for files of at most 24 MiB, which only compact() and a put that may wait clean. */
    private static MapOptions bounded() {
        return MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withMaxBytes(24 * MIB).withBackground(false));
    }

    private LarderMap<Long, byte[]> open(MapOptions options) {
        return LarderMap.open(directory.resolve("map"), ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    private static void set(LarderMap<Long, byte[]> map, long key, int length) {
        map.set(key, new byte[length]);
    }

    private static byte[] put(LarderMap<Long, byte[]> map, long key, int length) {
        return map.withoutWaiting(() -> map.put(key, new byte[length]));
    }

    /** Puts over a few keys until a put would have to clean; returns the key of that put. */
    private static long putUntilRefused(LarderMap<Long, byte[]> map) {
        for (long i = 0; i < 10_000; i++) {
            try {
                put(map, i % KEYS, LENGTH);
            } catch (NoRoomYetException e) {
                assertThat(e).hasMessageContaining("no room yet");
                return i % KEYS;
            }
        }
        throw new AssertionError("no put was refused");
    }

    @Test
    void aPutThatWouldCleanIsRefusedAndOneThatMayWaitCleans() {
        try (LarderMap<Long, byte[]> map = open(bounded())) {
            long refused = putUntilRefused(map);
            assertThat(map.info().space().cleanedBytes()).isZero();
            byte[] before = map.get(refused);
            assertThatThrownBy(() -> put(map, refused, 7)).isInstanceOf(NoRoomYetException.class);
            assertThatThrownBy(() -> map.withoutWaiting(() -> map.merge(refused, new byte[7], (old, given) -> given)))
                    .isInstanceOf(NoRoomYetException.class);
            assertThat(map.withoutWaiting(() -> map.get(refused))).isEqualTo(before);
            assertThat(map.longSize()).isEqualTo(KEYS);
            set(map, refused, 7); // waits, and cleans
            assertThat(map.info().space().cleanedBytes()).isPositive();
            assertThat(put(map, refused, 8)).hasSize(7);
        }
    }

    @Test
    void aFullMapRefusesUntilSomethingIsRemoved() {
        try (LarderMap<Long, byte[]> map = open(bounded())) {
            long keys = 0;
            try {
                for (; keys < 10_000; keys++) {
                    set(map, keys, LENGTH);
                }
                throw new AssertionError("the map is never full");
            } catch (DiskFullException e) {
                assertThat(e).hasMessageContaining("the map is full");
            }
            long next = keys;
            assertThatThrownBy(() -> put(map, next, LENGTH)).isInstanceOf(NoRoomYetException.class);
            assertThat(map.containsKey(next)).isFalse();
            for (long key = 0; key < keys / 2; key++) {
                map.remove(key);
            }
            map.compact();
            assertThat(put(map, next, LENGTH)).isNull();
        }
    }

    /** The cleaner stands still in the middle of a segment, as a slow cleaner does. */
    @Test
    void doesNotWaitForACleanerThatStandsStill() throws Exception {
        CountDownLatch cleaning = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Thread[] cleaner = new Thread[1];
        MapOptions options = bounded()
                .withLog(HookedOptions.with(
                        TestMaps.options(),
                        doors -> doors.withFailpoints(step -> {
                            if (Thread.currentThread().equals(cleaner[0]) && step.startsWith("clean.")) {
                                cleaning.countDown();
                                assertTrue(await(goesOn));
                            }
                        })));
        try (LarderMap<Long, byte[]> map = open(options);
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            long refused = putUntilRefused(map);
            Future<?> waits = other.submit(() -> {
                cleaner[0] = Thread.currentThread();
                set(map, refused, 7);
            });
            assertThat(await(cleaning)).isTrue();
            assertThatThrownBy(() -> put(map, refused, 8)).isInstanceOf(NoRoomYetException.class);
            goesOn.countDown();
            waits.get();
            assertThat(put(map, refused, 8)).hasSize(7);
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void isRefusedAtOnceWhereEachChangeSyncs() {
        try (LarderMap<Long, byte[]> map =
                open(MapOptions.defaults().withLog(TestMaps.options().withSync(SyncPolicy.everyAppend())))) {
            assertThatThrownBy(() -> put(map, 1, 7))
                    .isInstanceOf(NoRoomYetException.class)
                    .hasMessageContaining("everyAppend");
            assertThat(map).isEmpty();
            set(map, 1, 7);
            assertThat(map.get(1L)).hasSize(7);
        }
    }

    @Test
    void aDiskThatIsFullIsNoRoomYet() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("map"));
        SmallStorage storage = new SmallStorage(TestMaps.storage(), folder, 24 * MIB);
        MapOptions options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), storage))
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withSharing(Sharing.defaults().withFolder(Files.createDirectory(directory.resolve("index"))));
        try (LarderMap<Long, byte[]> map = open(options)) {
            long refused = putUntilRefused(map);
            assertThat(map.info().space().cleanedBytes()).isZero();
            set(map, refused, 7);
            assertThat(map.get(refused)).hasSize(7);
        }
    }

    @Test
    void endsWithTheCall() {
        try (LarderMap<Long, byte[]> map = open(bounded())) {
            long refused = putUntilRefused(map);
            assertThatThrownBy(() -> map.withoutWaiting(() -> {
                        assertThatThrownBy(() -> put(map, refused, 7)).isInstanceOf(NoRoomYetException.class);
                        return put(map, refused, 7);
                    }))
                    .isInstanceOf(NoRoomYetException.class);
            assertThatThrownBy(() -> map.withoutWaiting(() -> {
                        throw new IllegalArgumentException("as asked");
                    }))
                    .hasMessage("as asked");
            set(map, refused, 7);
            assertThat(map.get(refused)).hasSize(7);
        }
    }
}
