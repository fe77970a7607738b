package dev.larder.tests.power;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power losses of a queue that drops its oldest segments and reuses their files, while two named tailers read along. The queue
 * serves what was appended, from the first segment that is left on, and no byte of a file's former life. The places of names
 * are where they were synced, or later, and never behind the end.
 *
 * <p>{@code -Dlarder.power.seed=...} runs a seed that a failure has named.
 */
@Tag(Effort.LONG)
@Tag("in-memory")
class PowerLossRetentionTest {

    private static final int IMAGES = Effort.of(20, 340, 3_400);
    private static final int IMAGES_A_RUN = 12;
    private static final int CONTROL_RUNS = 20;
    private static final long RUN_BYTES = 48L << 20;

    /** After so many bytes, files are used again for the second time. */
    private static final long BYTES_BEFORE = 14L << 20;

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
                    Poisoned poisoned = new Poisoned(power, true);
                    images += run(options(integrity), poisoned, power, recoveries, seed + run);
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

    private static long run(
            LogOptions options, Storage storage, PowerLossStorage power, RecoveryRecord recoveries, long seed)
            throws InterruptedException {
        PoweredLog.Opener opener = new NamedReaders().opener(options);
        ImageCheck check = new ImageCheck(opener, recoveries, seed);
        try {
            return new PowerLossRun(opener, same -> storage, power, seed)
                    .run(check, IMAGES_A_RUN, RUN_BYTES, BYTES_BEFORE + Math.floorMod(seed, 16) * (256L << 10));
        } catch (AssertionError e) {
            throw new AssertionError(
                    "seed " + seed + ", " + options.durability().integrity() + ": " + e.getMessage(), e);
        }
    }

    private static long recycled(LogOptions options, PowerLossStorage power) {
        try (LarderQueue queue = LarderQueue.open(PoweredQueue.DIRECTORY, HookedOptions.withStorage(options, power))) {
            return queue.counters().getOrDefault(LogCounter.RECYCLED, 0L);
        }
    }

    private static String findings(UnaryOperator<Storage> lie) throws InterruptedException {
        for (long seed = 1; seed <= CONTROL_RUNS; seed++) {
            try (PowerLossStorage power = new PowerLossStorage(seed)) {
                run(options(IntegrityMode.NONE), lie.apply(power), power, RecoveryRecord.none(), seed);
            } catch (AssertionError | RuntimeException e) {
                return String.valueOf(e.getMessage());
            }
        }
        return "nothing";
    }

    /** The log uses files again as they are: running readers see it, or the check of an image does. */
    @Test
    void shouldCatchFilesThatAreNotZeroed() throws InterruptedException {
        assertThat(findings(power -> new Poisoned(power, false))).containsPattern("poisoned|served|passes the limit");
    }

    /** Bookmarks that are never flushed. */
    @Test
    void shouldCatchPlacesThatAreNotFlushed() throws InterruptedException {
        assertThat(findings(power -> new Unflushed(new Poisoned(power, true))))
                .containsPattern("place of \\w+ lost although synced");
    }

    /** A disk that does not flush the file of the bookmarks. */
    private static final class Unflushed extends DelegatingStorage {

        Unflushed(Storage storage) {
            super(storage);
        }

        @Override
        public Optional<StorageFile> open(Path path, boolean writable) {
            return super.open(path, writable).map(file -> path.endsWith("log.bmk") ? unflushed(file) : file);
        }

        private static StorageFile unflushed(StorageFile file) {
            return new DelegatingFile(file) {
                @Override
                public void force(MemorySegment mapped) {}
            };
        }
    }
}
