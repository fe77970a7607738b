package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.LarderException;
import dev.larder.memory.NewerFormatException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.support.Effort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged, foreign and newer files: the right exception for each, or no harm. Never a wrong byte, never a hang. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("in-memory")
class DamageTest {

    private static final Path DIRECTORY = Path.of("/", "damage");
    private static final int MESSAGES = 20;
    private static final int LENGTH = 20_000;

    /**
     * The distance of the bits that are flipped: over many 64-bit words it meets each bit. In fewer than {@link #FEW_BYTES}
     * bytes, every bit is flipped.
     */
    private static final int BITS_STEP = Effort.of(61, 9, 1);

    private static final int FEW_BYTES = 256;

    private final SplittableRandom random = new SplittableRandom(5);
    private final PowerLossStorage whole = new PowerLossStorage(5);

    private static LogOptions options(IntegrityMode integrity) {
        return LogOptions.defaults()
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    @BeforeEach
    void fill() {
        fill(whole, IntegrityMode.SEAL);
    }

    private static void fill(PowerLossStorage storage, IntegrityMode integrity) {
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options(integrity), storage));
                Appender appender = queue.appender()) {
            Numbered.append(appender, 0, MESSAGES, LENGTH);
            queue.sync();
        }
        storage.syncAll();
    }

    @AfterEach
    void close() {
        whole.close();
    }

    /** Damages a file of a fresh copy, and checks the copy. */
    private void damaged(
            PowerLossStorage of, String file, Consumer<MemorySegment> damage, Consumer<PowerLossStorage> check) {
        try (PowerLossStorage copy = of.image(random)) {
            try (StorageFile opened = copy.open(DIRECTORY.resolve(file), true).orElseThrow();
                    Arena arena = Arena.ofShared()) {
                damage.accept(opened.map(0, opened.sizeBytes(), true, arena));
                opened.forceAll();
            }
            check.accept(copy);
        }
    }

    private static void flip(MemorySegment memory, long bit) {
        byte before = memory.get(ValueLayout.JAVA_BYTE, bit >>> 3);
        memory.set(ValueLayout.JAVA_BYTE, bit >>> 3, (byte) (before ^ 1 << (bit & 7)));
    }

    private static int open(PowerLossStorage storage) {
        try (LarderQueue queue =
                LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options(IntegrityMode.SEAL), storage))) {
            return Numbered.count(queue);
        }
    }

    @ParameterizedTest
    @CsvSource({"log.ctl, 128", "0000000000.seg, 136"})
    void shouldRefuseAFlippedBitInAHeader(String file, int headerBytes) {
        for (long bit = 0; bit < headerBytes * 8L; bit++) {
            long flipped = bit;
            damaged(whole, file, memory -> flip(memory, flipped), storage -> {
                String what = file + ", bit " + flipped;
                Class<?> expected = flipped < 64 ? ForeignFileException.class : CorruptException.class;
                assertThatThrownBy(() -> open(storage))
                        .as(what)
                        .isInstanceOf(expected)
                        .hasMessageContaining(DIRECTORY.resolve(file).toString());
            });
        }
    }

    /** The words that processes share have no checksum: the log does not believe a damaged one, or it refuses to open. */
    @ParameterizedTest
    @CsvSource({
        "log.ctl, 128, 1088",
        "log.ctl, 4096, 4128",
        "log.ctl, 8192, 8224",
        "log.ctl, 12288, 12416",
        "0000000000.seg, 128, 4160"
    })
    void shouldLoseNothingByAFlippedBitInASharedWord(String file, int from, int to) {
        for (long bit = from * 8L; bit < to * 8L; bit += to - from < FEW_BYTES ? 1 : BITS_STEP) {
            long flipped = bit;
            damaged(
                    whole,
                    file,
                    memory -> flip(memory, flipped),
                    storage -> checkNothingWrong(storage, file + ", bit " + flipped));
        }
    }

    private static void checkNothingWrong(PowerLossStorage storage, String what) {
        try {
            assertThat(open(storage)).as(what).isEqualTo(MESSAGES);
        } catch (LarderException e) {
            assertThat(e).as(what).hasMessageContaining(DIRECTORY.toString());
        }
    }

    /** Counters are no data: the log makes a damaged file of them anew. */
    @Test
    void shouldMakeDamagedCountersAnew() {
        for (long bit = 0; bit < 64 * 8; bit++) {
            long flipped = bit;
            damaged(
                    whole,
                    "log.cnt",
                    memory -> flip(memory, flipped),
                    storage -> assertThat(open(storage)).as("bit " + flipped).isEqualTo(MESSAGES));
        }
    }

    @ParameterizedTest
    @CsvSource({"log.ctl, LOGCTL", "0000000000.seg, LOGSEG"})
    void shouldNameANewerVersion(String file, String format) {
        damaged(
                whole,
                file,
                memory -> FileHeader.write(memory, format, 2, 128, Features.NONE),
                storage -> assertThatThrownBy(() -> open(storage))
                        .isInstanceOf(NewerFormatException.class)
                        .hasMessageContaining("version 2")
                        .hasMessageContaining(file));
    }

    @ParameterizedTest
    @CsvSource({"log.ctl, LOGCTL", "0000000000.seg, LOGSEG"})
    void shouldHonourEachMaskOfFeatures(String file, String format) {
        damaged(
                whole,
                file,
                memory -> FileHeader.write(memory, format, 1, 128, new Features(4, 0, 0)),
                storage -> assertThat(open(storage)).isEqualTo(MESSAGES));
        damaged(whole, file, memory -> FileHeader.write(memory, format, 1, 128, new Features(0, 4, 0)), storage -> {
            assertThatThrownBy(() -> open(storage))
                    .isInstanceOf(NewerFormatException.class)
                    .hasMessageContaining("read-only");
            LogOptions reading = HookedOptions.withStorage(options(IntegrityMode.SEAL), storage)
                    .withReadOnly(true);
            try (LarderQueue queue = LarderQueue.open(DIRECTORY, reading)) {
                assertThat(Numbered.count(queue)).isEqualTo(MESSAGES);
            }
        });
        damaged(whole, file, memory -> FileHeader.write(memory, format, 1, 128, new Features(0, 0, 4)), storage -> {
            assertThatThrownBy(() -> open(storage)).isInstanceOf(NewerFormatException.class);
            LogOptions reading = HookedOptions.withStorage(options(IntegrityMode.SEAL), storage)
                    .withReadOnly(true);
            assertThatThrownBy(() -> {
                        try (LarderQueue queue = LarderQueue.open(DIRECTORY, reading)) {
                            Numbered.count(queue);
                        }
                    })
                    .isInstanceOf(NewerFormatException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"log.ctl", "0000000000.seg"})
    void shouldRefuseAForeignFile(String file) {
        byte[] elf = "\u007fELF of another program".getBytes(StandardCharsets.US_ASCII);
        damaged(
                whole,
                file,
                memory -> MemorySegment.copy(elf, 0, memory, ValueLayout.JAVA_BYTE, 0, elf.length),
                storage -> assertThatThrownBy(() -> open(storage))
                        .isInstanceOf(ForeignFileException.class)
                        .hasMessageContaining(file));
    }

    @ParameterizedTest
    @CsvSource({
        "log.ctl, 0",
        "log.ctl, 100",
        "log.ctl, 8192",
        "0000000000.seg, 0",
        "0000000000.seg, 100",
        "0000000000.seg, 4096",
        "0000000000.seg, 1048576"
    })
    void shouldRefuseATruncatedFile(String file, long bytes) {
        try (PowerLossStorage copy = whole.image(random)) {
            copy.truncate(DIRECTORY.resolve(file), bytes);
            assertThatThrownBy(() -> open(copy))
                    .isInstanceOf(TruncatedException.class)
                    .hasMessageContaining(file);
        }
    }

    /** Every flipped bit of synced data is reported: by verify, and by reads that come from the disk. */
    @ParameterizedTest
    @EnumSource(
            value = IntegrityMode.class,
            names = {"RECORD", "SEAL"})
    void shouldReportAFlippedBitInAPayload(IntegrityMode integrity) {
        try (PowerLossStorage storage = new PowerLossStorage(6)) {
            fill(storage, integrity);
            for (int i = 0; i < 300; i++) {
                long bit = 8 * (8192L + random.nextInt(MESSAGES * LENGTH));
                damaged(
                        storage,
                        "0000000000.seg",
                        memory -> flip(memory, bit),
                        copy -> checkReported(integrity, copy, bit));
            }
        }
    }

    private static void checkReported(IntegrityMode integrity, PowerLossStorage storage, long bit) {
        String what = integrity + ", bit " + bit;
        LogOptions reading = HookedOptions.withStorage(options(integrity), storage);
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, reading)) {
            assertThat(queue.verify().problems()).as(what).isNotEmpty();
            assertThatThrownBy(() -> Numbered.count(queue)).as("cold, " + what).isInstanceOf(CorruptException.class);
        }
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, reading.withVerifyReads(true))) {
            assertThatThrownBy(() -> Numbered.count(queue)).as(what).isInstanceOf(CorruptException.class);
        }
    }
}
