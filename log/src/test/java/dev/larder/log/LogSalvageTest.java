package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sound of a damaged log is read, and what is not is named. */
@Timeout(120)
final class LogSalvageTest {

    private static final int RECORDS = 6000;
    private static final int SEEDS = 60;

    @TempDir
    Path directory;

    private final List<byte[]> written = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();

    private void write(IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] bytes = TestLogs.bytes(i % 2000, i);
                written.add(bytes);
                positions.add(appender.append(bytes));
            }
            log.sync();
        }
    }

    private SalvageReport salvage(List<byte[]> read) {
        return LogSalvage.run(
                directory,
                TestLogs.storage(),
                (position, segment, offset, length) -> read.add(TestLogs.copy(segment, offset, length)));
    }

    private Path segment(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    private void damage(long position, int bytes) throws IOException {
        Path file = segment(Position.segment(position));
        byte[] all = Files.readAllBytes(file);
        int at = (int) Position.offset(position);
        for (int i = 0; i < bytes; i++) {
            all[at + i] ^= 0x5a;
        }
        Files.write(file, all);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void readsEverythingOfASoundLog(IntegrityMode integrity) {
        write(integrity);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems()).isEmpty();
        assertThat(report.records()).isEqualTo(RECORDS);
        assertThat(read).usingElementComparator(java.util.Arrays::compare).isEqualTo(written);
    }

    @Test
    void leavesOutARecordWhosePayloadIsDamaged() throws IOException {
        write(IntegrityMode.RECORD);
        damage(positions.get(777) + RecordWord.BYTES, 3);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems())
                .singleElement()
                .asString()
                .contains(
                        "fails its check",
                        Position.toString(positions.get(777)),
                        segment(0).toString());
        written.remove(777);
        assertThat(read).usingElementComparator(java.util.Arrays::compare).isEqualTo(written);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void findsTheNextRecordBehindADamagedWord(IntegrityMode integrity) throws IOException {
        write(integrity);
        damage(positions.get(100), 8);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems()).isNotEmpty();
        assertThat(report.problems().toString()).contains(Position.toString(positions.get(100)));
        assertThat(read.getLast()).isEqualTo(written.getLast());
        if (integrity != IntegrityMode.SEAL) { // there the whole range is left out
            assertThat(read).hasSize(RECORDS - 1);
        }
    }

    @Test
    void leavesOutWhatLiesInARangeThatFailsItsSeal() throws IOException {
        write(IntegrityMode.SEAL);
        damage(positions.get(100) + RecordWord.BYTES + 1, 1);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        long inBlock = positions.stream()
                .filter(position ->
                        position >>> SegmentLayout.BLOCK_SHIFT == positions.get(100) >>> SegmentLayout.BLOCK_SHIFT)
                .count();
        assertThat(report.problems())
                .hasSizeGreaterThanOrEqualTo((int) inBlock)
                .allMatch(text -> text.contains("seal"));
        assertThat(read).hasSize(RECORDS - report.problems().size());
        assertThat(read.getLast()).isEqualTo(written.getLast());
    }

    @Test
    void readsWithoutAControlFileAndPastAMissingSegmentAndADamagedHeader() throws IOException {
        write(IntegrityMode.RECORD);
        assertThat(segment(2)).exists();
        Files.delete(directory.resolve("log.ctl"));
        Files.delete(segment(1));
        damage(Position.of(0, SegmentLayout.CREATED), 2);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems()).hasSize(2);
        assertThat(report.problems().get(0)).contains(segment(0).toString(), "header");
        assertThat(report.problems().get(1)).contains(segment(1).toString(), "missing");
        long lost = positions.stream()
                .filter(position -> Position.segment(position) == 1)
                .count();
        assertThat(read).hasSize(RECORDS - (int) lost);
    }

    /** Whatever is damaged, what comes out is what was written, in its order. */
    @Test
    void neverGivesOutWhatWasNotWritten() throws IOException {
        write(IntegrityMode.RECORD);
        byte[] sound = Files.readAllBytes(segment(0));
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = sound.clone();
            int at = random.nextInt((int) SegmentLayout.head(sound.length), bytes.length - 9000);
            int length = 1 << random.nextInt(14);
            for (int i = at; i < at + length; i++) {
                bytes[i] = (byte) random.nextInt();
            }
            Files.write(segment(0), bytes);
            List<byte[]> read = new ArrayList<>();
            salvage(read);
            int from = 0;
            for (byte[] record : read) {
                from = indexOf(record, from) + 1;
            }
            assertThat(read).as("seed %d", seed).hasSizeGreaterThan(RECORDS / 2);
        }
    }

    private int indexOf(byte[] record, int from) {
        for (int i = from; i < written.size(); i++) {
            if (MemorySegment.ofArray(record).mismatch(MemorySegment.ofArray(written.get(i))) < 0) {
                return i;
            }
        }
        throw new AssertionError("a record of " + record.length + " bytes was never written");
    }
}
