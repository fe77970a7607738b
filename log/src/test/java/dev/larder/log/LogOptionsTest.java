package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogOptionsTest {

    @Test
    void defaultsLeaveTheLogsOwnOptionsOpen() {
        LogOptions options = LogOptions.defaults();
        assertThat(options.integrity()).isEmpty();
        assertThat(options.largestSegmentBytes()).isZero();
        assertThat(options.allocation()).isEmpty();
        assertThat(options.sync()).isEqualTo(SyncPolicy.every(Duration.ofSeconds(1)));
        assertThat(options.access()).isEqualTo(Access.OWNER);
        assertThat(options.earlyWriteback()).isTrue();
        assertThat(options.readOnly() || options.verifyReads() || options.allowRemote())
                .isFalse();
    }

    @Test
    void eachWithChangesOneThing() {
        LogOptions defaults = LogOptions.defaults();
        ClaimResolver keep = (segment, offset, length, position) -> true;
        Steps steps = step -> {};
        Storage storage = Storage.portable();
        LogOptions changed = defaults.withIntegrity(IntegrityMode.NONE)
                .withLargestSegmentBytes(4L << 20)
                .withAllocation(Allocation.ZEROS)
                .withSync(SyncPolicy.everyAppend())
                .withAccess(Access.GROUP)
                .withReadOnly(true)
                .withVerifyReads(true)
                .withAllowRemote(true)
                .withPrepareBytes(5)
                .withEarlyWriteback(false)
                .withStorage(storage)
                .withResolver(keep)
                .withSteps(steps);
        assertThat(changed)
                .isEqualTo(new LogOptions(
                        java.util.Optional.of(IntegrityMode.NONE),
                        4L << 20,
                        java.util.Optional.of(Allocation.ZEROS),
                        SyncPolicy.everyAppend(),
                        Access.GROUP,
                        true,
                        true,
                        true,
                        5,
                        false,
                        storage,
                        keep,
                        steps));
        assertThat(LogOptions.defaults()).isEqualTo(defaults);
    }

    @ParameterizedTest
    @ValueSource(longs = {2L << 20, 4L << 20, 256L << 20, 4L << 30})
    void takesSegmentsOfAPowerOfTwo(long bytes) {
        assertThat(LogOptions.defaults().withLargestSegmentBytes(bytes).largestSegmentBytes())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, 1L << 20, 3L << 20, (2L << 20) + 8, 8L << 30, Long.MIN_VALUE, Long.MAX_VALUE})
    void refusesOtherSegmentsAndNamesTheRange(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.defaults().withLargestSegmentBytes(bytes))
                .withMessageContainingAll(String.valueOf(bytes), "2097152", "4294967296");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (64L << 30) + 1})
    void refusesMorePreparedSpaceThanTheRange(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.defaults().withPrepareBytes(bytes))
                .withMessageContainingAll(String.valueOf(bytes), "68719476736");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000999S", "PT-1S", "PT1H0.001S", "PT1000000000H", "PT2562047788015215H"})
    void refusesSyncIntervalsOutOfRange(Duration interval) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SyncPolicy.every(interval))
                .withMessageContainingAll(interval.toString(), "1 ms", "1 hour");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT1S", "PT1H"})
    void takesSyncIntervalsWithinTheRange(Duration interval) {
        assertThat(SyncPolicy.every(interval).interval()).isEqualTo(interval);
    }

    @Test
    void otherSyncPoliciesHaveNoInterval() {
        assertThat(SyncPolicy.none().kind()).isEqualTo(SyncPolicy.Kind.NONE);
        assertThat(SyncPolicy.everyAppend().kind()).isEqualTo(SyncPolicy.Kind.EVERY_APPEND);
    }
}
