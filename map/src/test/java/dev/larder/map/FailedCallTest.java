package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call that fails costs only the change that it made. */
@Timeout(120)
final class FailedCallTest {

    private static final long SEGMENT_BYTES = 2L << 20;
    private static final int LENGTH = 10_000;
    private static final int ROUNDS = 20;
    private static final int KEYS = 100;
    private static final long MOST_BYTES = 24L << 20;

    /** More puts than fill a segment. */
    private static final int PUTS = 300;

    @TempDir
    Path directory;

    /** A claim that is neither committed nor abandoned would hold up every sync, in all processes. */
    @Test
    void leavesNoClaimWhereNoMoreFilesCanBeOpened() {
        FaultyStorage storage = new FaultyStorage(TestMaps.storage());
        LogOptions options =
                HookedOptions.withStorage(TestMaps.options(), storage).withPrepareBytes(SEGMENT_BYTES);
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

    /** Returns the next key. A refused put is tried again once files can be opened. */
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

    /** A segment that was dropped while its file could not be opened or renamed is not counted for ever, and is removed. */
    @ParameterizedTest
    @EnumSource(names = {"OPEN", "RENAME"})
    void holdsNothingBackForGoodWhereCleaningFails(StorageCall call) {
        FaultyStorage storage = new FaultyStorage(TestMaps.storage());
        MapOptions options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), storage))
                .withCleaning(Cleaning.defaults().withMaxBytes(MOST_BYTES));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            int refused = 0;
            for (int round = 0; round < ROUNDS; round++) {
                storage.failFrom(call, 0, () -> new SystemLimitException("too many open files"));
                refused += putOver(map) ? 0 : 1;
                storage.heal();
                refused += putOver(map) ? 0 : 1;
            }
            assertThat(refused).as("refused puts").isPositive();
            for (int i = 0; i < ROUNDS * PUTS; i++) {
                map.set((long) i % KEYS, new byte[LENGTH]);
            }
            map.compact();
            assertThat(map.info().space().fileBytes()).isLessThan(MOST_BYTES);
            await().untilAsserted(() -> assertThat(segmentBytes()).isLessThan(MOST_BYTES));
        }
    }

    private long segmentBytes() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toFile).mapToLong(File::length).sum();
        }
    }

    /** Returns whether no put was refused. */
    private static boolean putOver(LarderMap<Long, byte[]> map) {
        try {
            for (int i = 0; i < PUTS; i++) {
                map.set((long) i % KEYS, new byte[LENGTH]);
            }
            return true;
        } catch (LarderException e) {
            assertThat(e).hasStackTraceContaining("too many open files");
            return false;
        }
    }

    /** The left entries are put, whether the loader continues with the same entries, with more, or with none. */
    @Test
    void putsWhatAnErrorHasLeftOfALoad() {
        AtomicInteger batches = new AtomicInteger();
        LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (step.equals("map.batched") && batches.incrementAndGet() % 2 == 1) {
                throw new LarderException("cut off");
            }
        });
        // a cleaner in the background would link the left entries at once
        MapOptions alone = MapOptions.defaults()
                .withLog(options)
                .withCleaning(Cleaning.defaults().withBackground(false));
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts(), alone)) {
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
