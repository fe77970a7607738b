package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries that expire are reclaimed also if they were put by an earlier opening of the map. */
@Timeout(120)
final class ReopenedExpiryTest {

    private static final Duration LIFETIME = Duration.ofMillis(1500);
    private static final int KEYS = 20_000;
    private static final byte[] VALUE = new byte[1000];

    /** The last segment is not cleaned. It has a tenth of the entries. */
    private static final long REST = KEYS / 5;

    private final StoppedClock clock = new StoppedClock(1_800_000_000_000L);

    @TempDir
    Path directory;

    private LogOptions log() {
        return HookedOptions.withStorage(TestMaps.options(), clock);
    }

    private LarderMap<Long, byte[]> open(Path path, boolean background) {
        Cleaning cleaning = Cleaning.defaults().withBackground(background).withMaxBytes(32L << 20);
        MapOptions options = MapOptions.defaults().withLog(log()).withCleaning(cleaning);
        return LarderMap.open(path, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    private LarderMap<Long, byte[]> open() {
        return open(directory, false);
    }

    private static void fill(LarderMap<Long, byte[]> map) {
        for (long key = 0; key < KEYS; key++) {
            map.set(key, VALUE, LIFETIME);
        }
    }

    private static void fillForEver(LarderMap<Long, byte[]> map) {
        for (long key = KEYS; key < 2 * KEYS; key++) {
            map.set(key, VALUE);
        }
    }

    private void passLifetime() {
        clock.pass(LIFETIME.toMillis());
    }

    private void requireCompactable(Path path) {
        try (LarderMap<Long, byte[]> map = open(path, false)) {
            assertThat(map.longSize()).isEqualTo(KEYS);
            assertThat(map.hasMetExpiry()).isFalse();
            map.compact();
            assertThat(map.longSize()).isLessThan(REST);
            assertThat(map.info().space().expired()).isGreaterThan(KEYS - REST);
        }
    }

    @Test
    void aCompactionReclaimsWhatACheckpointHas() {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
        }
        passLifetime();
        requireCompactable(directory);
    }

    @Test
    void aCompactionReclaimsWhatTheLogHas() {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
            map.leaveOutLastCheckpoint();
        }
        passLifetime();
        requireCompactable(directory);
    }

    @Test
    void aCompactionReclaimsWhatTheLogHasBehindACheckpointWithoutExpiringEntries() {
        open().close();
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
            map.leaveOutLastCheckpoint();
        }
        passLifetime();
        requireCompactable(directory);
    }

    @Test
    void aCompactionReclaimsWhatALoaderHasPut() {
        try (LarderMap<Long, byte[]> map = open();
                MapLoader<Long, byte[]> loader = map.loader()) {
            for (long key = 0; key < KEYS; key++) {
                loader.put(key, VALUE, LIFETIME);
            }
        }
        passLifetime();
        requireCompactable(directory);
    }

    @Test
    void aCompactionReclaimsWhatWasRepaired() {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
        }
        Path repaired = directory.resolve("repaired");
        assertThat(MapRepair.repair(directory, repaired, log()).entries()).isEqualTo(KEYS);
        passLifetime();
        requireCompactable(repaired);
    }

    @Test
    void aCompactionReclaimsWhatACheckpointOfAnEarlierReleaseHas() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
        }
        forgetWhetherEntriesExpire();
        passLifetime();
        requireCompactable(directory);
    }

    @Test
    void theBackgroundTaskReclaimsIt() {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
        }
        passLifetime();
        try (LarderMap<Long, byte[]> map = open(directory, true)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> map.longSize() < REST);
        }
    }

    @Test
    void putsFindTheRoomOfExpiredEntries() {
        try (LarderMap<Long, byte[]> map = open()) {
            fill(map);
        }
        passLifetime();
        try (LarderMap<Long, byte[]> map = open()) {
            fillForEver(map);
            assertThat(map.get((long) KEYS)).isEqualTo(VALUE);
        }
    }

    /** No entry expires, so nothing could be gained. */
    @Test
    void aMapWithoutExpiringEntriesIsNotCompacted() {
        try (LarderMap<Long, byte[]> map = open()) {
            fillForEver(map);
        }
        try (LarderMap<Long, byte[]> map = open()) {
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isZero();
        }
    }

    /** An earlier release does not say whether entries expire. The first pass finds that none does. */
    @Test
    void aMapOfAnEarlierReleaseIsCompactedOnce() throws IOException {
        try (LarderMap<Long, byte[]> map = open()) {
            fillForEver(map);
        }
        forgetWhetherEntriesExpire();
        try (LarderMap<Long, byte[]> map = open()) {
            map.compact();
            map.set(0L, VALUE);
            map.compact(); // the segment that was the last one
            long cleaned = map.info().space().cleanedBytes();
            assertThat(cleaned).isGreaterThan((long) KEYS * VALUE.length);
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isEqualTo(cleaned);
        }
        try (LarderMap<Long, byte[]> map = open()) {
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isZero();
            assertThat(map.longSize()).isEqualTo(KEYS + 1);
        }
    }

    /** Clears the field of the checkpoint that earlier releases do not write. */
    private void forgetWhetherEntriesExpire() throws IOException {
        try (FileChannel file = FileChannel.open(
                        directory.resolve(CheckpointLayout.FILE_NAME),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment header = file.map(MapMode.READ_WRITE, 0, CheckpointLayout.STEPS_AT, arena);
            Words.setPlain(header, CheckpointLayout.ENDLESS, 0);
            FileHeader.write(
                    header,
                    CheckpointLayout.FORMAT,
                    CheckpointLayout.VERSION,
                    CheckpointLayout.HEADER_BYTES,
                    Features.NONE);
        }
    }
}
