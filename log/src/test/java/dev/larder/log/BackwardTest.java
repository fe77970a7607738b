package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.RandomLog.Found;
import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading backwards, and counting, against the plain list that reading forward gives. */
@Tag("any-storage")
@Timeout(120)
final class BackwardTest {

    @TempDir
    Path directory;

    private static List<Found> readBackward(LogReader reader) {
        List<Found> found = new ArrayList<>();
        int delivered = 1;
        while (delivered > 0) {
            delivered = reader.drainBackward(
                    (segment, offset, length) ->
                            found.add(new Found(reader.position(), length, Crc32c.of(segment, offset, length))),
                    7);
        }
        return found;
    }

    private static void check(Log log) {
        List<Found> all = RandomLog.read(log);
        try (LogReader reader = log.reader(log.endPosition())) {
            assertThat(readBackward(reader)).isEqualTo(all.reversed());
            assertThat(reader.sequence()).isZero();
            mix(reader, all);
        }
    }

    /** Reads back and forth, a random number of records each time. */
    private static void mix(LogReader reader, List<Found> all) {
        SplittableRandom random = new SplittableRandom(all.size());
        int at = 0;
        for (int i = 0; i < 200; i++) {
            boolean back = random.nextBoolean();
            int steps = random.nextInt(random.nextInt(10) == 0 ? all.size() : 20);
            List<Found> found = new ArrayList<>();
            RecordHandler handler = (segment, offset, length) ->
                    found.add(new Found(reader.position(), length, Crc32c.of(segment, offset, length)));
            if (back) {
                assertThat(reader.drainBackward(handler, steps)).isEqualTo(Math.min(steps, at));
                assertThat(found).isEqualTo(all.subList(at - found.size(), at).reversed());
                at -= found.size();
            } else {
                assertThat(reader.drain(handler, steps)).isEqualTo(Math.min(steps, all.size() - at));
                assertThat(found).isEqualTo(all.subList(at, at + found.size()));
                at += found.size();
            }
            assertThat(reader.sequence()).isEqualTo(at);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, NONE", "2, RECORD", "3, SEAL", "4, NONE", "5, RECORD", "6, SEAL"})
    void readsARandomLogBackwards(long seed, IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            new RandomLog(seed).fillUpTo(appender, 3);
            check(log);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true).withVerifyReads(true))) {
            check(log);
        }
    }

    @Test
    void followsAWriterBackAndForth() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            for (int i = 0; i < 3000; i++) {
                byte[] payload = TestLogs.bytes(1000, i);
                appender.append(payload);
                List<byte[]> seen = new ArrayList<>();
                RecordHandler handler = (segment, offset, length) -> seen.add(TestLogs.copy(segment, offset, length));
                assertThat(reader.poll(handler)).isTrue();
                assertThat(reader.pollBackward(handler)).isTrue();
                assertThat(reader.poll(handler)).isTrue();
                assertThat(seen).containsExactly(payload, payload, payload);
            }
        }
    }

    @Test
    void staysBehindARecordWhoseHandlerThrew() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            appender.append(TestLogs.bytes("one"));
            appender.append(TestLogs.bytes("two"));
            reader.moveTo(log.endPosition());
            assertThatThrownBy(() -> reader.pollBackward((segment, offset, length) -> {
                        throw new IllegalStateException("thrown");
                    }))
                    .hasMessage("thrown");
            assertThat(reader.position()).isEqualTo(log.endPosition());
            assertThat(readBackward(reader)).hasSize(2);
        }
    }

    /** A record that is being written is not visible yet, in either direction. */
    @Test
    void leavesOutWhatIsBeingWritten() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogAppender second = log.appender();
                LogReader reader = log.reader()) {
            appender.append(TestLogs.bytes("one"));
            appender.append(3, (segment, offset, length) -> {
                second.append(TestLogs.bytes("three"));
                reader.moveTo(log.endPosition());
                assertThat(readBackward(reader)).hasSize(1);
            });
            reader.moveTo(log.endPosition());
            assertThat(readBackward(reader)).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void findsDamageOnTheWayBack(IntegrityMode integrity) throws IOException {
        long damaged;
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            appender.append(new byte[100]);
            damaged = appender.append(new byte[100]);
            appender.append(new byte[100]);
            log.sync();
        }
        try (RandomAccessFile file = new RandomAccessFile(
                directory.resolve(SegmentLayout.fileName(0)).toFile(), "rw")) {
            file.seek(Position.offset(damaged) + 4);
            int byteThere = file.read(); // random, so no fixed value is sure to differ
            file.seek(Position.offset(damaged) + 4);
            file.write(byteThere ^ 0x5A);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true).withVerifyReads(true));
                LogReader reader = log.reader()) {
            reader.moveTo(log.endPosition());
            assertThatThrownBy(() -> readBackward(reader))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("0000000000.seg");
        }
    }

    @Test
    void countsBetweenTwoPositions() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            new RandomLog(9).fillUpTo(appender, 4);
            List<Found> all = RandomLog.read(log);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(all.size());
                int to = random.nextInt(from, all.size());
                assertThat(log.count(all.get(from).position(), all.get(to).position()))
                        .isEqualTo(to - from);
            }
            assertThat(log.count(log.firstPosition(), log.endPosition())).isEqualTo(all.size());
            long middle = all.get(all.size() / 2).position();
            assertThatIllegalArgumentException().isThrownBy(() -> log.count(middle, log.firstPosition()));
            assertThatThrownBy(() -> log.count(middle, log.endPosition() + 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Position.toString(log.endPosition() + 8));
            assertThatThrownBy(() -> log.count(middle, Position.of(9, 8192)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
