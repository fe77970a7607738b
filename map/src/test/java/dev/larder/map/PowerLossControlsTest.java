package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.IntegrityMode;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Disks that break their promises: the very checker that passes the map must catch each of them. */
@Tag(Effort.LONG)
@Tag("in-memory")
@Timeout(600)
final class PowerLossControlsTest {

    private static final int RUNS_MOST = 5;

    /** Runs until the checker finds an error; returns the findings. */
    private static List<Throwable> findings(IntegrityMode integrity, Function<Storage, LyingStorage> lie) {
        List<Throwable> found = List.of();
        for (int seed = 1; seed <= RUNS_MOST && found.isEmpty(); seed++) {
            found = PowerLossRun.lying(integrity, PowerLossRun.Kind.PLAIN, seed, lie)
                    .findings();
        }
        return found;
    }

    /** The control of the controls. */
    @Test
    void findsNothingOnAnHonestDisk() {
        PowerLossRun run = PowerLossRun.lying(IntegrityMode.SEAL, PowerLossRun.Kind.PLAIN, 1, LyingStorage::new);
        assertThat(run.images()).isGreaterThan(1);
        assertThat(run.findings()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void catchesFlushesThatDoNothing(IntegrityMode integrity) {
        Function<Storage, LyingStorage> lie = power -> new LyingStorage(power) {
            @Override
            void force(StorageFile file, MemorySegment mapped) {}

            @Override
            void forceAll(StorageFile file) {}
        };
        assertThat(findings(integrity, lie)).isNotEmpty();
    }

    /** The control file says that records were synced, but the disk does not have them. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void catchesSegmentsThatAreNotFlushed(IntegrityMode integrity) {
        Function<Storage, LyingStorage> lie = power -> new LyingStorage(power) {
            @Override
            void force(StorageFile file, MemorySegment mapped) {
                if (!isSegment(file)) {
                    super.force(file, mapped);
                }
            }
        };
        assertThat(findings(integrity, lie)).isNotEmpty();
    }

    /** A flush leaves out one of its pages, near the end, where the newest pages are. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void catchesAPageThatIsLeftOut(IntegrityMode integrity) {
        assertThat(findings(integrity, LeavingOutAPage::new)).isNotEmpty();
    }

    private static final class LeavingOutAPage extends LyingStorage {

        private static final int PAGE_BYTES = 4096;
        private static final int PAGES = 32;

        private final SplittableRandom random = new SplittableRandom(1);

        LeavingOutAPage(Storage storage) {
            super(storage);
        }

        @Override
        void force(StorageFile file, MemorySegment mapped) {
            long pages = (mapped.byteSize() - 1) / PAGE_BYTES;
            if (!isSegment(file) || pages < PAGES) {
                super.force(file, mapped);
                return;
            }
            long out = (pages - page()) * PAGE_BYTES;
            super.force(file, mapped.asSlice(0, out));
            super.force(file, mapped.asSlice(out + PAGE_BYTES));
        }

        private synchronized int page() {
            return 1 + random.nextInt(PAGES - 1);
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void catchesADirectoryThatIsNotSynced(IntegrityMode integrity) {
        Function<Storage, LyingStorage> lie = power -> new LyingStorage(power) {
            @Override
            public void syncDirectory(Path directory) {}
        };
        assertThat(findings(integrity, lie)).isNotEmpty();
    }

    /** The disk lacks the carried records when the cleaner drops the segment, as if the cleaner had not synced before. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void catchesACleanerThatDoesNotSync(IntegrityMode integrity) {
        assertThat(findings(integrity, power -> new LyingBetween(power, "clean.scanned", "clean.synced", true)))
                .isNotEmpty();
    }

    /** The log on the disk begins with a segment whose file is gone, as if the new first one were not recorded before. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void catchesADropThatIsNotDurable(IntegrityMode integrity) {
        assertThat(findings(integrity, power -> new LyingBetween(power, "drop.moved", "drop.durable", false)))
                .isNotEmpty();
    }

    /** Forgets the flushes of segments, or of all other files, between two steps. */
    private static final class LyingBetween extends LyingStorage {

        private final String from;
        private final String to;
        private final boolean ofSegments;
        private volatile boolean lying;

        LyingBetween(Storage storage, String from, String to, boolean ofSegments) {
            super(storage);
            this.from = from;
            this.to = to;
            this.ofSegments = ofSegments;
        }

        @Override
        void reached(String step) {
            lying = step.equals(from) || (lying && !step.equals(to));
        }

        @Override
        void force(StorageFile file, MemorySegment mapped) {
            if (!lying || ofSegments != isSegment(file)) {
                super.force(file, mapped);
            }
        }
    }

    /** The log alone is the whole truth: a checkpoint that loses any page costs time, and nothing else. */
    @Test
    void needsNoFlushOfTheImage() {
        Function<Storage, LyingStorage> lie = power -> new LyingStorage(power) {
            @Override
            void forceAll(StorageFile file) {
                if (!String.valueOf(file.path().getFileName()).startsWith(CheckpointLayout.FILE_NAME)) {
                    super.forceAll(file);
                }
            }
        };
        assertThat(PowerLossRun.lying(IntegrityMode.NONE, PowerLossRun.Kind.PLAIN, 1, lie)
                        .findings())
                .isEmpty();
    }

    /** The wrong bytes are a page of zeros, which a disk has where it was never written, or a single byte. */
    @Test
    void noticesEveryByteThatIsAnother() {
        for (int version = 1; version < 20; version++) {
            byte[] value = DerivedValue.of(5, version);
            assertThat(DerivedValue.version(5, value)).isEqualTo(version);
            int other = version * 37 % value.length;
            value[other] ^= 1;
            assertThatThrownBy(() -> DerivedValue.version(5, value)).isInstanceOf(AssertionError.class);
            byte[] zeros = new byte[value.length];
            assertThatThrownBy(() -> DerivedValue.version(5, zeros)).isInstanceOf(AssertionError.class);
        }
    }
}
