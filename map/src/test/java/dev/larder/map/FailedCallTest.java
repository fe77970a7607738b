package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.LogOptions;
import dev.larder.log.ValueCodec;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A call that fails costs the change that made it, and nothing else. */
@Timeout(120)
final class FailedCallTest {

    private static final long SEGMENT_BYTES = 2L << 20;
    private static final int LENGTH = 10_000;
    private static final int ROUNDS = 20;

    /** As many as fill a segment, and more. */
    private static final int PUTS = 300;

    @TempDir
    Path directory;

    /** A claim that nobody commits or abandons would hold up every sync, of all processes. */
    @Test
    void leavesNoClaimWhereNoMoreFilesCanBeOpened() {
        FaultyStorage storage = new FaultyStorage(TestMaps.storage());
        LogOptions options = TestMaps.options().withStorage(storage).withPrepareBytes(SEGMENT_BYTES);
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            long key = 0;
            for (int round = 0; round < ROUNDS; round++) {
                map.sync();
                LockSupport.parkNanos(20_000_000); // the next segment is prepared meanwhile
                storage.failFrom(StorageCall.OPEN, 0, () -> new SystemLimitException("too many open files"));
                key = putMany(map, key);
                storage.heal();
                map.sync();
            }
            assertThat(map.longSize()).isEqualTo(key).isGreaterThan(ROUNDS);
        }
    }

    /** Returns the next key: what was refused is tried again once files can be opened. */
    private static long putMany(LarderMap<Long, byte[]> map, long from) {
        long key = from;
        try {
            for (; key < from + PUTS; key++) {
                map.set(key, new byte[LENGTH]);
            }
        } catch (LarderException e) {
            assertThat(e).hasMessageContaining("too many open files");
        }
        return key;
    }

    /** Whether it goes on with the same entries, with more, or with none. */
    @Test
    void putsWhatAnErrorHasLeftOfALoad() {
        AtomicInteger batches = new AtomicInteger();
        LogOptions options = TestMaps.options().withSteps(step -> {
            if (step.equals("map.batched") && batches.incrementAndGet() % 2 == 1) {
                throw new LarderException("cut off");
            }
        });
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts(), options)) {
            try (MapLoader<Long, String> loader = map.loader()) {
                for (long key = 0; key < 100; key++) {
                    loader.put(key, "first " + key);
                }
                assertThatThrownBy(loader::flush).hasMessage("cut off");
                assertThat(map.get(7L)).isNull();
                map.set(8L, "meanwhile");
                loader.put(200L, "behind");
                assertThat(map.get(7L)).as("flushed before another is staged").isEqualTo("first 7");
                loader.flush();
                assertThat(map.get(200L)).isEqualTo("behind");
                loader.put(300L, "last");
                assertThatThrownBy(loader::flush).hasMessage("cut off");
            }
            assertThat(map).hasSize(102).containsEntry(8L, "first 8").containsEntry(300L, "last");
            for (long key = 0; key < 100; key++) {
                assertThat(map.get(key)).isEqualTo("first " + key);
            }
            map.checkpoint();
        }
        try (LarderMap<Long, String> map =
                LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts(), TestMaps.options())) {
            assertThat(map).hasSize(102).containsEntry(99L, "first 99");
        }
    }
}
