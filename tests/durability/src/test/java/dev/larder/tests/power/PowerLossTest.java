package dev.larder.tests.power;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power losses by the thousand: the disk at the last completed sync, and any part of the changes since.
 *
 * <p>{@code -Dlarder.power.seed=...} runs a seed that a failure has named.
 */
@Tag("in-memory")
class PowerLossTest {

    private static final int IMAGES = Effort.of(24, 340, 3_400);
    private static final int IMAGES_A_RUN = 24;

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldKeepWhatWasSyncedAndCutTheRest(IntegrityMode integrity) throws Exception {
        long seed = Long.getLong("larder.power.seed", System.nanoTime());
        System.out.println("power loss, " + integrity + ": seed " + seed);
        try (RecoveryRecord recoveries = RecoveryRecord.start()) {
            long images = 0;
            for (long run = 0; images < IMAGES; run++) {
                images += run(options(integrity, seed + run), recoveries, seed + run);
            }
            recoveries.checkEvents();
            assertThat(images).isGreaterThanOrEqualTo(IMAGES);
        }
    }

    private static LogOptions options(IntegrityMode integrity, long seed) {
        return LogOptions.defaults()
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20 << Math.floorMod(seed, 3))
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    private static long run(LogOptions options, RecoveryRecord recoveries, long seed) throws InterruptedException {
        PoweredLog.Opener opener = PoweredQueue.opener(options);
        ImageCheck check = new ImageCheck(opener, recoveries, seed);
        try (PowerLossStorage power = new PowerLossStorage(seed)) {
            return new PowerLossRun(opener, UnaryOperator.identity(), power, seed).run(check, IMAGES_A_RUN, 4L << 20);
        } catch (AssertionError e) {
            throw new AssertionError(
                    "seed " + seed + ", " + options.durability().integrity() + ": " + e.getMessage(), e);
        }
    }
}
