package dev.larder.tests.power;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounters.Counter;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.queue.LarderQueue;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power losses of a log that drops its oldest segments and uses their files again: what is served is what was appended,
 * from the first segment that is left on, and no byte of a file's former life.
 *
 * <p>{@code -Dlarder.power.seed=...} tries a seed that a failure has named.
 */
@Tag("in-memory")
class PowerLossRetentionTest {

    private static final int IMAGES = Boolean.getBoolean("larder.soak") ? 3_400 : 100;
    private static final int IMAGES_A_RUN = 12;
    private static final long RUN_BYTES = 48L << 20;

    /** When files are used again for the second time. */
    private static final long BYTES_BEFORE = 14L << 20;

    /** Whose pages are in memory; else no file would be used again. */
    private static final class Resident extends DelegatingStorage {

        Resident(Storage storage) {
            super(storage);
        }

        @Override
        public boolean isResident(MemorySegment mapped) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldServeNothingOfAFilesFormerLife(IntegrityMode integrity) throws Exception {
        long seed = Long.getLong("larder.power.seed", System.nanoTime());
        System.out.println("power loss with retention, " + integrity + ": seed " + seed);
        try (RecoveryRecord recoveries = RecoveryRecord.start()) {
            long images = 0;
            long recycled = 0;
            for (long run = 0; images < IMAGES; run++) {
                try (PowerLossStorage power = new PowerLossStorage(seed + run)) {
                    images += run(options(integrity), power, recoveries, seed + run);
                    recycled += recycled(options(integrity), power);
                }
            }
            recoveries.checkEvents();
            assertThat(recycled).isPositive();
        }
    }

    private static LogOptions options(IntegrityMode integrity) {
        return LogOptions.defaults()
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withRetention(retention -> retention.withBytes(6L << 20))
                .withSync(SyncPolicy.none());
    }

    private static long run(LogOptions options, PowerLossStorage power, RecoveryRecord recoveries, long seed)
            throws InterruptedException {
        PoweredLog.Opener opener = PoweredQueue.opener(options);
        ImageCheck check = new ImageCheck(opener, recoveries, seed);
        try {
            return new PowerLossRun(opener, Resident::new, power, seed)
                    .run(check, IMAGES_A_RUN, RUN_BYTES, BYTES_BEFORE + Math.floorMod(seed, 16) * (256L << 10));
        } catch (AssertionError e) {
            throw new AssertionError(
                    "seed " + seed + ", " + options.durability().integrity() + ": " + e.getMessage(), e);
        }
    }

    private static long recycled(LogOptions options, PowerLossStorage power) {
        try (LarderQueue queue = LarderQueue.open(PoweredQueue.DIRECTORY, options.withStorage(power))) {
            return queue.counters().getOrDefault(Counter.RECYCLED, 0L);
        }
    }
}
