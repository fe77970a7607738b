package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.RandomLog.Clock;
import dev.larder.log.RandomLog.Found;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.doubles.PowerLossStorage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records by the time at which they were appended, to the precision of one time for each MiB. */
@Tag("any-storage")
@Timeout(120)
final class SeekTimeTest {

    private static final long LARGEST_RECORD = TestLogs.MIB_2 / 4;

    @TempDir
    Path directory;

    private record Appended(long position, long before, long after) {}

    private static List<Appended> append(LogAppender appender, Clock clock, SplittableRandom random, int segment) {
        List<Appended> all = new ArrayList<>();
        long position = 0;
        while (Position.segment(position) < segment) {
            long before = clock.currentTimeMillis();
            position = appender.append(new byte[random.nextInt(random.nextInt(20) == 0 ? 400_000 : 20_000)]);
            all.add(new Appended(position, before, clock.currentTimeMillis()));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void leavesOutNoRecordOfTheTimeAndFewBeforeIt(long seed) {
        Clock clock = new Clock(TestLogs.storage());
        SplittableRandom random = new SplittableRandom(seed);
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), clock));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            List<Appended> all = append(appender, clock, random, 5);
            for (int i = 0; i < 300; i++) {
                checkTime(reader, all, all.get(random.nextInt(all.size())).before());
            }
            reader.moveToTime(Instant.EPOCH);
            assertThat(reader.position()).isEqualTo(log.firstPosition());
            reader.moveToTime(Instant.MIN);
            assertThat(reader.position()).isEqualTo(log.firstPosition());
            reader.moveToTime(Instant.MAX);
            assertThat(reader.position()).isEqualTo(log.endPosition());
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    private static void checkTime(LogReader reader, List<Appended> all, long millis) {
        reader.moveToTime(Instant.ofEpochMilli(millis));
        long at = reader.position();
        Appended first = all.stream()
                .filter(record -> record.after() >= millis)
                .findFirst()
                .orElseThrow();
        assertThat(at).isLessThanOrEqualTo(first.position());
        assertThat(distance(at, first.position())).isLessThanOrEqualTo(SegmentLayout.BLOCK_BYTES + 2 * LARGEST_RECORD);
    }

    private static long distance(long from, long to) {
        return (Position.segment(to) - Position.segment(from)) * TestLogs.MIB_2
                + Position.offset(to)
                - Position.offset(from);
    }

    /** The machine's clock jumps forward and back; the log's times stand still until the clock has caught up. */
    @Test
    void neverGoesBackWithTheClock() {
        Clock clock = new Clock(TestLogs.storage());
        SplittableRandom random = new SplittableRandom(7);
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), clock));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            for (int i = 1; i < 20; i++) {
                append(appender, clock, random, i);
                clock.jump(random.nextInt(-100_000_000, 100_000_000));
            }
            assertThat(log.verify().problems()).isEmpty();
            List<Found> all = RandomLog.read(log);
            long last = 0;
            for (long millis = 1_767_225_600_000L; millis < 1_767_925_600_000L; millis += 10_000_000) {
                reader.moveToTime(Instant.ofEpochMilli(millis));
                long position = reader.position();
                assertThat(position).isGreaterThanOrEqualTo(last);
                assertThat(position == log.endPosition()
                                || all.stream().anyMatch(found -> found.position() == position))
                        .isTrue();
                last = position;
            }
        }
    }

    /** The log's own time on the disk may be older than its rows; so may the clock of the next boot. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void neverGoesBackOverALossOfPower(IntegrityMode integrity) {
        SplittableRandom random = new SplittableRandom(11);
        for (int seed = 0; seed < 10; seed++) {
            try (PowerLossStorage power = new PowerLossStorage(seed)) {
                Path path = Path.of("/", "times");
                LogOptions options = TestLogs.options().withIntegrity(integrity);
                Clock clock = new Clock(power);
                try (Log log = Log.open(path, HookedOptions.withStorage(options, clock));
                        LogAppender appender = log.appender()) {
                    clock.jump(10_000_000);
                    append(appender, clock, random, 2);
                    log.sync();
                    append(appender, clock, random, 3);
                    try (PowerLossStorage image = power.image(random);
                            Log after = Log.open(path, HookedOptions.withStorage(options, new Clock(image)));
                            LogAppender more = after.appender()) {
                        append(more, clock, random, 5);
                        after.sync();
                        assertThat(after.verify().problems()).isEmpty();
                        SequenceChecks.checkAll(after);
                    }
                }
            }
        }
    }
}
