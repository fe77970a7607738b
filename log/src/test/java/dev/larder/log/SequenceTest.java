package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Records by their number, against the plain list that reading forward gives. */
@Tag("any-storage")
@Timeout(120)
final class SequenceTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"1, NONE", "2, RECORD", "3, SEAL", "4, NONE", "5, RECORD", "6, SEAL"})
    void findsEveryRecordOfARandomLog(long seed, IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            new RandomLog(seed).fillUpTo(appender, 4);
            SequenceChecks.checkAll(log);
            log.sync();
            SequenceChecks.checkAll(log);
            assertThat(log.verify().problems()).isEmpty();
        }
        try (Log log = TestLogs.open(directory)) {
            SequenceChecks.checkAll(log);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true).withVerifyReads(true))) {
            SequenceChecks.checkAll(log);
        }
    }

    /** After a crash, memory is intact or counts as lost; the remaining records are counted alike. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void findsThemAfterACrash(IntegrityMode integrity) {
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(
                crashed,
                TestLogs.options().withIntegrity(integrity),
                appender -> new RandomLog(8).fillUpTo(appender, 3));
        try (Log log = TestLogs.open(crashed);
                LogAppender appender = log.appender()) {
            new RandomLog(9).fillUpTo(appender, Position.segment(log.endPosition()) + 2);
            SequenceChecks.checkAll(log);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** Blocks that no process has walked yet have no index, so a reader walks them: the index is an aid, and never the truth. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void findsThemWithoutAnyIndex(IntegrityMode integrity) {
        fill(integrity, 5);
        forEachRowWord(word -> 0);
        forEachBase(word -> 0);
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            SequenceChecks.checkAll(log);
        }
        try (Log log = TestLogs.open(directory)) {
            SequenceChecks.checkAll(log);
            assertThat(log.verify().problems()).isEmpty();
            assertThat(row(log, 2, 1)).as("left by the one who walked").isNotZero();
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void believesNoDamagedIndex(IntegrityMode integrity) {
        fill(integrity, 4);
        SplittableRandom random = new SplittableRandom(3);
        forEachRowWord(word -> word ^ (1L << random.nextInt(64)));
        forEachBase(word -> word ^ (1L << random.nextInt(64)));
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThat(log.verify().problems())
                    .anyMatch(problem -> problem.contains("its row fails its check"))
                    .anyMatch(problem -> problem.contains("its time fails its check"))
                    .anyMatch(problem -> problem.contains("the base sequence in its header fails its check"));
            SequenceChecks.checkAll(log);
        }
    }

    /** A process killed between the number and its check has stored no valid number, and the next process stores it. */
    @Test
    void takesAnUnfinishedBaseForNone() throws IOException {
        fill(IntegrityMode.SEAL, 3);
        try (RandomAccessFile file = open(1)) {
            file.seek(SegmentLayout.BASE_CHECK);
            file.writeLong(0);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThat(log.verify().problems()).isEmpty();
            SequenceChecks.checkAll(log);
        }
    }

    /** A wrong row with a sound check is found by a verification, which counts. */
    @Test
    void verifyComparesWhatRowsSayWithWhatItCounts() throws IOException {
        fill(IntegrityMode.SEAL, 2);
        try (RandomAccessFile file = open(1)) {
            long salt = Long.reverseBytes(at(file, SegmentLayout.SALT));
            file.seek(SegmentLayout.ROWS + SegmentLayout.ROW_BYTES + 16);
            file.writeLong(Long.reverseBytes(RowWord.index(salt, Position.of(1, SegmentLayout.BLOCK_BYTES), 7, 64)));
            file.seek(SegmentLayout.BASE_SEQUENCE);
            file.writeLong(Long.reverseBytes(12));
            file.writeLong(Long.reverseBytes(RowWord.baseCheck(salt, Position.of(1, 0), 12)));
            file.seek(SegmentLayout.ROWS + 24);
            file.writeLong(Long.reverseBytes(RowWord.time(salt, Position.of(1, 0), 1)));
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThat(log.verify().problems())
                    .anyMatch(problem -> problem.contains("0000000001.seg") && problem.contains("does not name its"))
                    .anyMatch(problem -> problem.contains("its header says that 11 records come before it"))
                    .anyMatch(problem -> problem.contains("its time 1 is before"));
        }
    }

    @Test
    void saysThatThereIsNoSuchRecord() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            appender.append(TestLogs.bytes("one"));
            appender.append(TestLogs.bytes("two"));
            reader.moveToSequence(1);
            assertThatThrownBy(() -> reader.moveToSequence(3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(directory + ": there is no record 3; the next one is 2, the first one 0");
            assertThatIllegalArgumentException().isThrownBy(() -> reader.moveToSequence(-1));
            assertThat(TestLogs.texts(reader)).containsExactly("two");
        }
    }

    /** Once, the largest number overflowed, and the search ended in the first segment. */
    @Test
    void saysWhichRecordIsNextAlsoForTheLargestNumber() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            int records = TestLogs.fillUpTo(appender, 2, 1000);
            for (long wanted : new long[] {records + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> reader.moveToSequence(wanted))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("no record " + wanted + "; the next one is " + records + ",");
            }
        }
    }

    /** A record behind a live writer's claim has no number yet: the number depends on whether the claim is committed. */
    @Test
    void aRecordBehindAnOpenClaimHasNoSequenceYet() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogAppender second = log.appender();
                LogReader reader = log.reader()) {
            appender.append(TestLogs.bytes("zero"));
            appender.append(5, (segment, offset, length) -> {
                second.append(TestLogs.bytes("two"));
                assertThatThrownBy(() -> reader.moveToSequence(2))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("the next one is 1");
            });
            reader.moveToSequence(2);
            assertThat(TestLogs.texts(reader)).containsExactly("two");
        }
    }

    private void fill(IntegrityMode integrity, int segments) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            new RandomLog(segments).fillUpTo(appender, segments);
            log.sync();
        }
    }

    private static long row(Log log, int segment, int block) {
        try (RandomAccessFile file = new RandomAccessFile(
                log.directory().resolve(SegmentLayout.fileName(segment)).toFile(), "r")) {
            return at(file, SegmentLayout.ROWS + block * SegmentLayout.ROW_BYTES + 16);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private RandomAccessFile open(int segment) throws IOException {
        return new RandomAccessFile(
                directory.resolve(SegmentLayout.fileName(segment)).toFile(), "rw");
    }

    private static long at(RandomAccessFile file, long offset) throws IOException {
        file.seek(offset);
        return file.readLong();
    }

    private void forEachRowWord(LongUnaryOperator change) {
        for (int block = 0; block < 2; block++) {
            change(SegmentLayout.ROWS + block * SegmentLayout.ROW_BYTES + 16, change);
            change(SegmentLayout.ROWS + block * SegmentLayout.ROW_BYTES + 24, change);
        }
    }

    private void forEachBase(LongUnaryOperator change) {
        change(SegmentLayout.BASE_SEQUENCE, change);
    }

    /** Changes a word in every segment where it is not 0. */
    private void change(long offset, LongUnaryOperator change) {
        for (int segment = 0;
                directory.resolve(SegmentLayout.fileName(segment)).toFile().exists();
                segment++) {
            try (RandomAccessFile file = open(segment)) {
                long word = Long.reverseBytes(at(file, offset));
                file.seek(offset);
                file.writeLong(Long.reverseBytes(word == 0 ? 0 : change.applyAsLong(word)));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
