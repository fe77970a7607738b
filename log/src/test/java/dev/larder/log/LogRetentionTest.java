package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.larder.log.layer.HookedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogRetentionTest {

    @TempDir
    private Path directory;

    @Test
    void dropsNothingByDefault() {
        assertThat(LogOptions.defaults().retention()).isEqualTo(LogRetention.none());
        assertThat(LogRetention.none().isNone()).isTrue();
        assertThat(LogRetention.none().withAbsence(Duration.ofDays(1)).isNone()).isTrue();
        assertThat(LogRetention.none().withBytes(4L << 20).isNone()).isFalse();
        assertThat(LogRetention.none().withAge(Duration.ZERO).isNone()).isFalse();
    }

    @Test
    void eachWithChangesOneThing() {
        LogRetention all = LogRetention.none()
                .withBytes(4L << 20)
                .withAge(Duration.ofDays(7))
                .withAbsence(Duration.ofHours(1));
        assertThat(all)
                .isEqualTo(new LogRetention(
                        OptionalLong.of(4L << 20), Optional.of(Duration.ofDays(7)), Optional.of(Duration.ofHours(1))));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, (128L << 10) - 1, Long.MIN_VALUE})
    void refusesFewerBytesThanTwoSegments(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogRetention.none().withBytes(bytes))
                .withMessageContainingAll(String.valueOf(bytes), "131072");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "P36501D", "PT2562047788015215H"})
    void refusesAgesOutOfRange(Duration age) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogRetention.none().withAge(age))
                .withMessageContainingAll("age", age.toString(), "PT0S", "PT876000H");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.999S", "P36501D"})
    void refusesAbsencesOutOfRange(Duration absence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogRetention.none().withAbsence(absence))
                .withMessageContainingAll("absence", absence.toString(), "PT1S", "PT876000H");
    }

    /** If segments were half of the retained bytes or more, dropping one would take records that were just appended. */
    @Test
    void keepsMostOfTheBytesWhateverSegmentsMayGrowTo() {
        long kept = 16L << 20;
        LogOptions options = HookedOptions.withStorage(LogOptions.defaults(), TestLogs.storage())
                .withSync(SyncPolicy.none())
                .withPrepareBytes(0)
                .withRetention(retention -> retention.withBytes(kept));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            byte[] record = new byte[50_000];
            long appended = 0;
            while (appended < 3 * kept) {
                appended += record.length;
                appender.append(record);
                long left = log.bytesBetween(log.firstPosition(), log.endPosition());
                assertThat(left).isGreaterThanOrEqualTo(Math.min(appended, kept / 2));
            }
            Await.until(() -> log.bytesBetween(log.firstPosition(), log.endPosition()) <= kept);
        }
    }

    /** A record that needs a larger segment gets one. */
    @Test
    void aRecordMayBeLargerThanTheSegmentsOfWhatIsKept() {
        LogOptions options = HookedOptions.withStorage(LogOptions.defaults(), TestLogs.storage())
                .withRetention(retention -> retention.withBytes(8L << 20));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            byte[] large = TestLogs.bytes(5 << 20, 1);
            long position = appender.append(large);
            try (LogReader reader = log.reader(position)) {
                assertThat(TestLogs.payloads(reader)).singleElement().isEqualTo(large);
            }
        }
    }

    /** A log keeps the retention it was created with. An opening without one drops by that, an opening with one by its own. */
    @Test
    void belongsToTheLogUnlessAnOpeningSaysOtherwise() {
        Log.open(directory, TestLogs.options().withRetention(retention -> retention.withBytes(4L << 20)))
                .close();
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 9, 100_000);
            Await.until(() -> Position.segment(log.firstPosition()) == 8);
        }
        LogOptions more = TestLogs.options().withRetention(retention -> retention.withBytes(20L << 20));
        try (Log log = Log.open(directory, more);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 17, 100_000);
            assertThat(Position.segment(log.firstPosition())).isEqualTo(8);
        }
    }
}
