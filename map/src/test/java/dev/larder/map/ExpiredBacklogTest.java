package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries that expired without an overwrite take no more room than overwritten entries may. */
@Tag(Effort.LONG)
@Timeout(120)
final class ExpiredBacklogTest {

    private static final Duration LIFETIME = Duration.ofMillis(300);
    private static final int KEYS = 300_000;
    private static final int LENGTH = 100;
    private static final int WRITERS = 3;
    private static final long PUT_BYTES = 512L << 20;
    private static final long SMALL_BYTES = 16L << 20;
    private static final long SEGMENT_BYTES = 2L << 20;
    private static final long SEGMENTS_BYTES = 3 * SEGMENT_BYTES;
    private static final int WHOLE_BEFORE = 3;
    private static final String DAMAGED = "000000000" + WHOLE_BEFORE + ".seg";

    /** After the rows of the segment's two blocks and the head of its first entry. */
    private static final int IN_FIRST_VALUE = 8192 + 60;

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir
    Path directory;

    private LarderMap<Long, byte[]> open(LogOptions log, Lifetime lifetime) {
        MapOptions options = MapOptions.defaults().withLog(log).withLifetime(lifetime);
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    /** The first entry of a segment may live for ever, or be a removal. That says nothing about the other entries. */
    @Test
    void goesThoughTheFirstOfASegmentLivesForEver() {
        StoppedClock clock = new StoppedClock(1_800_000_000_000L);
        try (LarderMap<Long, byte[]> map =
                open(HookedOptions.withStorage(TestMaps.options(), clock), Lifetime.endless())) {
            for (long key = 0; key < KEYS; key++) {
                Duration lifetime = key % 10 == 0 ? Duration.ofDays(1000) : LIFETIME;
                map.set(key, new byte[LENGTH], lifetime);
            }
            assertThat(map.info().space().liveBytes()).isGreaterThan((long) KEYS * LENGTH);
            clock.pass(LIFETIME.toMillis());
            map.sync();
            awaitAtMost(map, 2L * KEYS * LENGTH / 10 + SMALL_BYTES + SEGMENTS_BYTES);
            assertThat(map.info().space().liveBytes()).isLessThan((long) KEYS * LENGTH / 2);
            assertThat(map.get(KEYS - 10L)).hasSize(LENGTH);
        }
    }

    /** A damaged segment does not tell how much of it has expired. The cleaner names it when it reaches it, and not before. */
    @Test
    void goesUpToASegmentThatIsDamaged() throws IOException {
        StoppedClock clock = new StoppedClock(1_800_000_000_000L);
        LogOptions log = HookedOptions.withStorage(TestMaps.options(), clock);
        try (LarderMap<Long, byte[]> map = open(log, Lifetime.sinceWrite(LIFETIME))) {
            for (long key = 0; key < KEYS; key++) {
                map.set(key, new byte[LENGTH]);
            }
        }
        FlippedBit.in(directory.resolve(DAMAGED), IN_FIRST_VALUE);
        try (LarderMap<Long, byte[]> map = open(log, Lifetime.sinceWrite(LIFETIME))) {
            clock.pass(LIFETIME.toMillis());
            awaitFailure(map);
            assertThat(map.info().space().cleanedBytes()).isGreaterThanOrEqualTo(WHOLE_BEFORE * SEGMENT_BYTES);
            assertThat(map.info().space().failure().orElseThrow()).contains(DAMAGED);
        }
    }

    private static void awaitFailure(LarderMap<Long, byte[]> map) {
        long start = System.nanoTime();
        while (map.info().space().failure().isEmpty() && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Waits, because carried entries, and dropped files that are not yet released, take space for a moment. */
    private static void awaitAtMost(LarderMap<Long, byte[]> map, long most) {
        long start = System.nanoTime();
        long bytes = map.info().space().fileBytes();
        while (bytes > most && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(1_000_000);
            bytes = map.info().space().fileBytes();
        }
        assertThat(bytes).isLessThanOrEqualTo(most);
    }

    /** Several threads can clean: writers help, or the files would grow with everything ever written. */
    @Test
    @Tag(Effort.LONG)
    void doesNotGrowBehindWhoWritesFasterThanIsCleaned() {
        assumeTrue(TestMaps.storage().isNative(), "the same without native calls, and slower");
        AtomicLong put = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        try (LarderMap<Long, byte[]> map = open(TestMaps.options(), Lifetime.sinceWrite(LIFETIME))) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                long own = (long) writer << 40;
                writers.add(OtherThread.run(() -> {
                    for (long key = own; !ended.get() && put.addAndGet(LENGTH) < PUT_BYTES; key++) {
                        map.set(key, new byte[LENGTH]);
                    }
                }));
            }
            writers.forEach(CompletableFuture::join);
            assertThat(put).hasValueGreaterThanOrEqualTo(PUT_BYTES);
            assertThat(map.info().space().fileBytes()).isLessThan(PUT_BYTES / 4);
        } finally {
            ended.set(true);
        }
    }
}
