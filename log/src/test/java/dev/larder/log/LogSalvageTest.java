package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.ProblemList;
import dev.larder.memory.Allocation;
import dev.larder.memory.DiskFullException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Salvage reads the sound records of a damaged log, and names the damage. */
@Tag("any-storage")
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
        if (integrity != IntegrityMode.SEAL) { // SEAL leaves out the whole range
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
        assertThat(report.problems()).singleElement().asString().contains("seal", report.lost() + " records", "bytes");
        assertThat(report.lost()).isGreaterThanOrEqualTo(inBlock);
        assertThat(report.lostBytes()).isBetween(1L, SegmentLayout.BLOCK_BYTES + 4096);
        assertThat(read).hasSize((int) (RECORDS - report.lost()));
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
        assertThat(report.problems()).hasSize(3);
        assertThat(report.problems().get(0)).contains(segment(0).toString(), "header");
        assertThat(report.problems().get(1)).contains(segment(1).toString(), "missing");
        long lost = positions.stream()
                .filter(position -> Position.segment(position) == 1)
                .count();
        assertThat(read).hasSize(RECORDS - (int) lost);
        assertThat(report.problems().get(2)).contains(segment(2).toString(), lost + " are lost");
        assertThat(report.lost()).isEqualTo(lost);
    }

    private void cut(int number, long bytes) throws IOException {
        try (FileChannel file = FileChannel.open(segment(number), StandardOpenOption.WRITE)) {
            file.truncate(bytes);
        }
    }

    /** Every record that ends before the cut is read, and no byte behind the cut is accessed. */
    @ParameterizedTest
    @CsvSource({"NONE, 1500000", "RECORD, 1500000", "SEAL, 1500000", "RECORD, 900001", "SEAL, 1048576", "SEAL, 8200"})
    void readsASegmentThatWasCut(IntegrityMode integrity, long bytes) throws IOException {
        write(integrity);
        cut(1, bytes);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems().getFirst()).contains(segment(1).toString(), bytes + " bytes");
        long before = positions.stream().filter(at -> Position.segment(at) == 0).count();
        long behind = positions.stream().filter(at -> Position.segment(at) > 1).count();
        long sealed = bytes & -SegmentLayout.BLOCK_BYTES;
        long proven = integrity == IntegrityMode.SEAL ? sealed : bytes;
        long within = IntStream.range(0, RECORDS)
                .filter(i -> Position.segment(positions.get(i)) == 1
                        && Position.offset(positions.get(i)) + RecordWord.sizeBytes(written.get(i).length) <= proven)
                .count();
        assertThat(read).hasSize((int) (before + within + behind));
        assertThat(report.lost()).isEqualTo(RECORDS - read.size());
        assertThat(read.getLast()).isEqualTo(written.getLast());
    }

    @Test
    void saysThatTheLastSegmentIsMissing() throws IOException {
        write(IntegrityMode.RECORD);
        int last = Position.segment(positions.getLast());
        Files.delete(segment(last));
        SalvageReport report = salvage(new ArrayList<>());
        assertThat(report.problems())
                .singleElement()
                .asString()
                .contains(segment(last).toString(), "missing");
    }

    /** An older copy of the last segment, made before a later sync: it has no END, and needs none. */
    @Test
    void saysThatTheLastSegmentIsOlderThanTheLog() throws IOException {
        write(IntegrityMode.RECORD);
        byte[] older = Files.readAllBytes(segment(Position.segment(positions.getLast())));
        long end;
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(new byte[100]);
            end = log.sync();
        }
        Files.write(segment(Position.segment(end)), older);
        SalvageReport report = salvage(new ArrayList<>());
        assertThat(report.records()).isEqualTo(RECORDS);
        assertThat(report.problems())
                .singleElement()
                .asString()
                .contains(segment(Position.segment(end)).toString(), "synced up to " + Position.toString(end));
    }

    @Test
    void leavesOutTheSegmentOfAnotherLog(@TempDir Path other) throws IOException {
        write(IntegrityMode.RECORD);
        try (Log log = TestLogs.open(other, IntegrityMode.RECORD);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 2, 1000);
        }
        Files.copy(other.resolve(SegmentLayout.fileName(1)), segment(1), StandardCopyOption.REPLACE_EXISTING);
        long lost = positions.stream().filter(at -> Position.segment(at) == 1).count();
        for (boolean control : new boolean[] {true, false}) {
            if (!control) {
                Files.delete(directory.resolve("log.ctl"));
            }
            List<byte[]> read = new ArrayList<>();
            SalvageReport report = salvage(read);
            assertThat(report.problems().getFirst()).contains(segment(1).toString(), "another log");
            assertThat(report.lost()).isEqualTo(lost);
            assertThat(read).hasSize(RECORDS - (int) lost);
        }
    }

    /** A repair copies the records to another disk, which may be full: that is no damage of this log. */
    @Test
    void endsWithAnErrorOfTheSink() {
        write(IntegrityMode.RECORD);
        DiskFullException full = new DiskFullException("the target is full");
        List<Long> read = new ArrayList<>();
        assertThatThrownBy(() -> LogSalvage.run(directory, TestLogs.storage(), (position, segment, offset, length) -> {
                    read.add(position);
                    if (read.size() == 3) {
                        throw full;
                    }
                }))
                .isSameAs(full);
        assertThat(read).isEqualTo(positions.subList(0, 3));
    }

    /** The header of one segment is damaged just where it says how its records are checked. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void checksRecordsAsTheOtherFilesSay(boolean control) throws IOException {
        write(IntegrityMode.RECORD);
        try (FileChannel file = FileChannel.open(segment(0), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {0}), SegmentLayout.INTEGRITY);
        }
        damage(positions.get(777) + RecordWord.BYTES, 3);
        if (!control) {
            Files.delete(directory.resolve("log.ctl"));
        }
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems()).hasSize(2);
        assertThat(report.problems().get(0)).contains(segment(0).toString(), "header");
        assertThat(report.problems().get(1)).contains(Position.toString(positions.get(777)), "fails its check");
        assertThat(read).hasSize(RECORDS - 1);
    }

    @Test
    void leavesOutWhatWasAddedBehindASegment() throws IOException {
        write(IntegrityMode.RECORD);
        Files.write(segment(1), new byte[5000], StandardOpenOption.APPEND);
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        long size = Files.size(segment(1));
        assertThat(report.problems())
                .singleElement()
                .asString()
                .contains(segment(1).toString(), size + " bytes, its header says " + (size - 5000));
        assertThat(read).hasSize(RECORDS);
    }

    /** The rows of a large segment are longer than the smallest segment. */
    @Test
    void readsALargeSegmentWithoutAControlFile() throws IOException {
        long large = 2L << 30;
        LogOptions options = TestLogs.options()
                .withIntegrity(IntegrityMode.RECORD)
                .withLayout(layout -> layout.withLargestSegmentBytes(large)
                        .withFirstSegmentBytes(large)
                        .withAllocation(Allocation.GROW));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
        }
        Files.delete(directory.resolve("log.ctl"));
        List<byte[]> read = new ArrayList<>();
        SalvageReport report = salvage(read);
        assertThat(report.problems()).isEmpty();
        assertThat(read).containsExactly(TestLogs.bytes("one"));
    }

    @Test
    void theListSaysWhereItWasCut() {
        ProblemList problems = new ProblemList(3);
        for (int i = 0; i < 5; i++) {
            problems.add("problem " + i);
        }
        assertThat(problems.toList())
                .containsExactly(
                        "problem 0", "problem 1", "problem 2", "the list is cut at 3 problems; there are 2 more");
        problems.cutTo(2);
        assertThat(problems.toList()).containsExactly("problem 0", "problem 1");
    }

    /** Whatever is damaged, salvage returns only records that were written, in their order. */
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
