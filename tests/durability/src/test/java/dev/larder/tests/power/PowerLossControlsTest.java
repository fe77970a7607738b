package dev.larder.tests.power;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs and disks that break their promises: the same checker that passes the log must catch each of them. */
@Tag("in-memory")
class PowerLossControlsTest {

    private static final int IMAGES = 400;

    /**
     * A broken promise that the checker sees, or a synced log that cannot be opened or read. Which comes first depends on where
     * the threads are when the power goes.
     */
    private static final Pattern CAUGHT =
            Pattern.compile("^(lost although synced|refused: |torn: |served |not sound |came back: )");

    /** A storage over another one whose power is cut; it changes what files do. */
    private static class LyingStorage extends DelegatingStorage {
        private final UnaryOperator<StorageFile> files;

        LyingStorage(Storage storage, UnaryOperator<StorageFile> files) {
            super(storage);
            this.files = files;
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(files);
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(files);
        }
    }

    /** A disk whose flushes do nothing. */
    private static StorageFile forcesNothing(StorageFile file) {
        return new DelegatingFile(file) {
            @Override
            public void force(MemorySegment mapped) {}

            @Override
            public void forceAll() {}
        };
    }

    /** A storage that flushes once more when a flush fails, and believes the second one. */
    private static StorageFile triesAgain(StorageFile file) {
        return new DelegatingFile(file) {
            @Override
            public void force(MemorySegment mapped) {
                try {
                    super.force(mapped);
                } catch (StorageException e) {
                    super.force(mapped);
                }
            }
        };
    }

    private static LogOptions options(IntegrityMode integrity) {
        return LogOptions.defaults()
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    /** Runs until the checker finds a fault; returns its message, or {@code nothing}. */
    private static String findings(PoweredLog.Opener opener, UnaryOperator<Storage> lie) throws InterruptedException {
        long images = 0;
        for (long seed = 1; images < IMAGES; seed++) {
            ImageCheck check = new ImageCheck(opener, RecoveryRecord.none(), seed);
            try (PowerLossStorage power = new PowerLossStorage(seed)) {
                images += new PowerLossRun(opener, lie, power, seed).run(check, 24, 4L << 20);
            } catch (AssertionError e) {
                return String.valueOf(e.getMessage());
            }
        }
        return "nothing";
    }

    /** The control of the controls: on an honest storage the same run finds nothing. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldFindNothingInTheLog(IntegrityMode integrity) throws InterruptedException {
        long seed = 1;
        ImageCheck check = new ImageCheck(PoweredQueue.opener(options(integrity)), RecoveryRecord.none(), seed);
        try (PowerLossStorage power = new PowerLossStorage(seed)) {
            PoweredLog.Opener opener = PoweredQueue.opener(options(integrity));
            assertThat(new PowerLossRun(opener, UnaryOperator.identity(), power, seed).run(check, 12, 4L << 20))
                    .isPositive();
        }
    }

    @Test
    void shouldCatchALengthPublishedBeforeItsPayload() throws InterruptedException {
        assertThat(findings(UncheckedLog::new, UnaryOperator.identity())).startsWith("torn");
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldCatchASyncWithoutTheDirectory(IntegrityMode integrity) throws InterruptedException {
        UnaryOperator<Storage> lie = power -> new DelegatingStorage(power) {
            @Override
            public void syncDirectory(Path directory) {}
        };
        assertThat(findings(PoweredQueue.opener(options(integrity)), lie)).containsPattern(CAUGHT);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldCatchAFlushThatDoesNothing(IntegrityMode integrity) throws InterruptedException {
        UnaryOperator<Storage> lie = power -> new LyingStorage(power, PowerLossControlsTest::forcesNothing);
        assertThat(findings(PoweredQueue.opener(options(integrity)), lie)).containsPattern(CAUGHT);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldCatchAFailedFlushThatIsTriedAgain(IntegrityMode integrity) {
        assertThat(afterAFailedFlush(integrity, power -> new LyingStorage(power, PowerLossControlsTest::triesAgain)))
                .containsPattern(CAUGHT);
    }

    /** The log itself, on the same disk: it promises nothing more, and keeps its earlier promises. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldFindNothingAfterAFailedFlush(IntegrityMode integrity) {
        assertThat(afterAFailedFlush(integrity, UnaryOperator.identity())).isEqualTo("failed, nothing lost");
    }

    private static String afterAFailedFlush(IntegrityMode integrity, UnaryOperator<Storage> lie) {
        SplittableRandom random = new SplittableRandom(3);
        List<Appended> appended = new ArrayList<>();
        long durable = -1;
        boolean failed = false;
        try (PowerLossStorage power = new PowerLossStorage(3)) {
            PoweredLog log = PoweredQueue.open(lie.apply(power), options(integrity));
            try {
                PoweredLog.Writer writer = log.writer();
                for (int i = 0; i < 20; i++) {
                    append(writer, appended, i, random);
                    if (i == 12) {
                        power.failForce(1);
                    }
                    durable = log.sync();
                }
            } catch (LogFailedException e) {
                failed = true;
            } finally {
                closeThoughFailed(log);
            }
            return findings(integrity, power, appended, durable, failed, random);
        }
    }

    private static void closeThoughFailed(PoweredLog log) {
        try {
            log.close();
        } catch (LogFailedException e) {
            assertThat(e).hasMessageContaining("a flush failed");
        }
    }

    private static void append(
            PoweredLog.Writer writer, List<Appended> appended, int sequence, SplittableRandom random) {
        List<Message> message = List.of(new Message(0, sequence));
        int[] length = {5_000 + random.nextInt(5_000)};
        appended.add(new Appended(writer.append(message, length), length[0], message.getFirst()));
    }

    private static String findings(
            IntegrityMode integrity,
            PowerLossStorage power,
            List<Appended> appended,
            long durable,
            boolean failed,
            SplittableRandom random) {
        for (int i = 0; i < 20; i++) {
            ImageCheck check = new ImageCheck(PoweredQueue.opener(options(integrity)), RecoveryRecord.none(), i);
            try {
                check.check(power.image(random), appended, durable);
            } catch (AssertionError e) {
                return String.valueOf(e.getMessage());
            }
        }
        return failed ? "failed, nothing lost" : "nothing";
    }
}
