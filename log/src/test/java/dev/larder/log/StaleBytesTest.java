package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The bytes behind a cut: whole records that were never synced, each with a sound check. No walk enters them. But a
 * reader that had kept the position of one was led to it, and read on from there.
 */
@Tag(Effort.LONG)
@Timeout(300)
@Tag("in-memory")
final class StaleBytesTest {

    private static final Path DIRECTORY = Path.of("/", "stale");

    private final SplittableRandom random = new SplittableRandom(9);

    private static LogOptions options(Storage storage, IntegrityMode integrity) {
        return HookedOptions.withStorage(TestLogs.options(), storage).withIntegrity(integrity);
    }

    private static void look(Storage storage, String name, Consumer<MemorySegment> work) {
        try (StorageFile file = storage.open(DIRECTORY.resolve(name), true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            work.accept(file.map(0, file.sizeBytes(), true, arena));
        }
    }

    private static void change(Storage storage, String name, Consumer<MemorySegment> change) {
        look(storage, name, change);
        try (StorageFile file = storage.open(DIRECTORY.resolve(name), true).orElseThrow()) {
            file.forceAll();
        }
    }

    private static List<Long> append(LogAppender appender, int from, int to, int length) {
        List<Long> positions = new ArrayList<>();
        for (int i = from; i < to; i++) {
            positions.add(appender.append(TestLogs.bytes(length, i)));
        }
        return positions;
    }

    /**
     * One page was lost and everything behind it reached the disk, or the power failed once more at a step of the
     * recovery. The hint is of any time since the sync: it was stored with the record before it.
     */
    @ParameterizedTest
    @CsvSource({
        "NONE, 0",
        "NONE, 15",
        "NONE, 30",
        "RECORD, 0",
        "RECORD, 15",
        "RECORD, 30",
        "SEAL, 0",
        "SEAL, 15",
        "SEAL, 30"
    })
    void refusesThePositionOfARecordThatWasCut(IntegrityMode integrity, int hinted) {
        try (PowerLossStorage power = new PowerLossStorage(1);
                Log log = Log.open(DIRECTORY, options(power, integrity));
                LogAppender appender = log.appender()) {
            List<Long> synced = append(appender, 0, 10, 20_000);
            log.sync();
            List<Long> lost = append(appender, 10, 40, 20_000);
            long hint = hinted < lost.size() ? lost.get(hinted) : log.endPosition();
            power.syncAll();
            try (PowerLossStorage image = power.image(random)) {
                long page = Position.offset(lost.getFirst()) & -4096L;
                change(image, "0000000000.seg", memory -> {
                    memory.asSlice(page + 4096, 4096).fill((byte) 0);
                    Words.setRelease(memory, SegmentLayout.HINT, hint);
                });
                List<PowerLossStorage> inRecovery = new ArrayList<>();
                image.beforeEachStep(() -> {
                    for (int i = 0; i < 4; i++) {
                        inRecovery.add(image.image(random));
                    }
                });
                Log.open(DIRECTORY, options(image, integrity)).close();
                image.beforeEachStep(() -> {});
                checkCut(image, integrity, synced, lost);
                assertThat(inRecovery).hasSizeGreaterThan(20);
                for (PowerLossStorage second : inRecovery) {
                    checkCut(second, integrity, synced, lost);
                    second.close();
                }
            }
        }
    }

    /** The first lost record stood where END is now, so its position is the end. */
    private static void checkCut(Storage storage, IntegrityMode integrity, List<Long> synced, List<Long> lost) {
        for (int opening = 0; opening < 2; opening++) {
            try (Log log = Log.open(DIRECTORY, options(storage, integrity));
                    LogReader reader = log.reader()) {
                assertThat(TestLogs.payloads(reader)).hasSize(synced.size());
                long before = reader.position();
                for (long position : lost.subList(1, lost.size())) {
                    assertThatThrownBy(() -> reader.moveTo(position))
                            .as(Position.toString(position))
                            .isInstanceOf(GoneException.class)
                            .hasMessageContainingAll(Position.toString(position), DIRECTORY.toString(), "cut");
                    assertThat(reader.position()).isEqualTo(before);
                }
                reader.moveTo(lost.getFirst());
                assertThat(TestLogs.payloads(reader)).isEmpty();
                for (int i = 0; i < synced.size(); i++) {
                    reader.moveTo(synced.get(i));
                    assertThat(TestLogs.payloads(reader)).hasSize(synced.size() - i);
                }
            }
        }
    }

    /** A hint has no check, so damage goes unseen; it must not make existing records count as cut. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void findsEveryRecordOfASegmentWhoseHintIsDamaged(IntegrityMode integrity) {
        try (PowerLossStorage power = new PowerLossStorage(2)) {
            List<Long> positions;
            try (Log log = Log.open(DIRECTORY, options(power, integrity));
                    LogAppender appender = log.appender()) {
                positions = append(appender, 0, 150, 20_000);
                log.sync();
            }
            for (long hint : new long[] {0, 8192 + 4096, 500_000, 500_001, TestLogs.MIB_2 - 8, TestLogs.MIB_2 - 4}) {
                change(power, "0000000000.seg", memory -> Words.setRelease(memory, SegmentLayout.HINT, hint));
                try (Log log = Log.open(DIRECTORY, options(power, integrity));
                        LogReader reader = log.reader()) {
                    for (int i = 0; i < positions.size(); i++) {
                        reader.moveTo(positions.get(i));
                        assertThat(TestLogs.payloads(reader)).hasSize(positions.size() - i);
                    }
                }
            }
        }
    }

    /**
     * A chain continues over zeros alone: where a log continues in the segment that it was left in, and in each later
     * one, every byte behind the end is zero. So nothing has to be cleaned, and no hole to be punched.
     */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void goesOnOverZerosAlone(IntegrityMode integrity) {
        int seeds = Effort.of(1, 2, 20);
        for (int seed = 0; seed < seeds; seed++) {
            try (PowerLossStorage power = new PowerLossStorage(seed)) {
                goOn(power, integrity, 3);
            }
        }
    }

    /** Appends, closes and continues: after a clean close, in this boot and the next, and after losses of power. */
    private void goOn(PowerLossStorage storage, IntegrityMode integrity, int lives) {
        List<PowerLossStorage> next = new ArrayList<>();
        for (int opening = 0; opening < 2; opening++) {
            try (Log log = Log.open(DIRECTORY, options(storage, integrity));
                    LogAppender appender = log.appender()) {
                assertZerosBehindTheEnd(storage, log);
                appendInEveryWay(log, appender);
                next.add(storage.image(random));
                assertZerosBehindTheEnd(storage, log);
                log.sync();
            }
        }
        next.add(storage.image(random));
        for (PowerLossStorage image : next) {
            try (image) {
                if (lives > 0) {
                    goOn(image, integrity, lives - 1);
                }
            }
        }
    }

    private void appendInEveryWay(Log log, LogAppender appender) {
        for (int i = 0; i < 4; i++) {
            append(appender, 0, random.nextInt(3), random.nextInt(200_000));
            assertThatThrownBy(() -> appender.append(random.nextInt(5000), (segment, offset, length) -> {
                        segment.asSlice(offset, length).fill((byte) 0x55);
                        throw new IllegalStateException("given up");
                    }))
                    .hasMessage("given up");
            try (RecordBatch batch = appender.batch()) {
                batch.add(TestLogs.bytes(random.nextInt(9000), i));
                batch.add(TestLogs.bytes(random.nextInt(9000), i));
            }
            if (random.nextBoolean()) {
                log.sync();
            }
        }
    }

    private static void assertZerosBehindTheEnd(Storage storage, Log log) {
        long end = log.endPosition();
        int tail = Position.segment(end);
        for (String name : storage.list(DIRECTORY)) {
            int number = SegmentLayout.numberOf(name);
            if (number >= tail) {
                long from = number > tail ? SegmentLayout.head(TestLogs.MIB_2) : Position.offset(end);
                look(
                        storage,
                        name,
                        memory -> assertThat(firstOther(memory.asSlice(from)))
                                .as(name + " behind " + from)
                                .isEqualTo(-1));
            }
        }
    }

    /** Returns the offset of the first byte that is not zero; -1 if there is none. */
    private static long firstOther(MemorySegment bytes) {
        return bytes.mismatch(MemorySegment.ofArray(new byte[(int) bytes.byteSize()]));
    }
}
