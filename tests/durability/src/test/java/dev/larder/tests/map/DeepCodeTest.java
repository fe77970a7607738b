package dev.larder.tests.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.OtherThread;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The caller's code calls itself, within a call of the map, deeper than the JVM's stack traces reach. The map still knows that
 * the thread is inside. This package is not the map's, because methods of the map's package count as inside.
 */
@Timeout(120)
final class DeepCodeTest {

    private static final int DEEP = 3000;

    /** A thread that wrongly takes this one for gone acts within milliseconds, so before this time. */
    private static final Duration LONG = Duration.ofMillis(200);

    @TempDir
    Path directory;

    private static int dive(int depth, Runnable bottom) {
        if (depth == 0) {
            bottom.run();
            return 0;
        }
        return 1 + dive(depth - 1, bottom);
    }

    private static void awaitALittle(CompletableFuture<?> other) {
        try {
            other.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return; // the other thread waits for this one
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private LarderMap<Long, byte[]> open() {
        boolean isNative = System.getProperty("larder.test.storage", "system").equals("system");
        Storage storage = isNative ? SystemStorage.system() : SystemStorage.portable();
        LogOptions options = HookedOptions.withStorage(LogOptions.defaults(), storage)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    @Test
    void aClaimStaysItsWritersWhileAnotherThreadSyncs() {
        try (LarderMap<Long, byte[]> map = open()) {
            map.set(1L, new byte[] {1});
            map.write(
                    1L,
                    1,
                    (segment, offset, length) -> dive(DEEP, () -> {
                        awaitALittle(OtherThread.call(() -> {
                            map.sync();
                            return true;
                        }));
                        segment.set(ValueLayout.JAVA_BYTE, offset, (byte) 2);
                    }));
            assertThat(map.get(1L)).containsExactly(2);
            map.set(1L, new byte[] {3});
            map.sync();
            assertThat(map.get(1L)).containsExactly(3);
        }
    }

    @Test
    void aPinStaysWhileAnotherThreadCleans() {
        byte[] first = new byte[1000];
        first[999] = 7;
        try (LarderMap<Long, byte[]> map = open()) {
            map.set(-1L, first);
            boolean present = map.read(
                    -1L,
                    (segment, offset, length) -> dive(DEEP, () -> {
                        long start = System.nanoTime();
                        while (System.nanoTime() - start < LONG.toNanos()) {
                            awaitALittle(OtherThread.call(() -> overwrite(map)));
                        }
                        assertThat(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                                .isEqualTo(first);
                    }));
            assertThat(present).isTrue();
            assertThat(map.get(-1L)).isEqualTo(first);
        }
    }

    private static boolean overwrite(LarderMap<Long, byte[]> map) {
        for (int round = 0; round < 3; round++) {
            for (long key = 0; key < 1000; key++) {
                map.set(key, new byte[1000]);
            }
        }
        map.compact();
        return map.info().space().cleanedBytes() > 0;
    }
}
