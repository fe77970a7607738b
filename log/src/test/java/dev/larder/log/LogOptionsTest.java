package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.larder.log.layer.ClaimResolver;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.LogHooks;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogOptionsTest {

    @Test
    void defaultsLeaveTheLogsOwnOptionsOpen() {
        LogOptions options = LogOptions.defaults();
        assertThat(options.durability())
                .isEqualTo(new LogDurability(Optional.empty(), SyncPolicy.every(Duration.ofSeconds(1)), true));
        assertThat(options.layout()).isEqualTo(new LogLayout(0, 0, Optional.empty(), 128L << 20, false, false, 4096));
        assertThat(options.access()).isEqualTo(new LogAccess(Access.OWNER, false, false, false));
        assertThat(HookedOptions.of(options))
                .isEqualTo(new LogHooks(SystemStorage.system(), ClaimResolver.PAD, Failpoints.NONE, false, false));
    }

    @Test
    void eachWithChangesOneThing() {
        ClaimResolver keep = (segment, offset, length, position) -> true;
        Failpoints steps = step -> {};
        LogLayout layout = LogLayout.defaults();
        LogDurability durability = LogDurability.defaults();
        LogAccess access = LogAccess.defaults();
        LogHooks doors = LogHooks.defaults();
        Storage storage = SystemStorage.portable();
        assertThat(layout.withLargestSegmentBytes(4L << 20))
                .isEqualTo(new LogLayout(4L << 20, 0, layout.allocation(), layout.prepareBytes(), false, false, 4096));
        assertThat(layout.withFirstSegmentBytes(64L << 10))
                .isEqualTo(new LogLayout(0, 64L << 10, layout.allocation(), layout.prepareBytes(), false, false, 4096));
        assertThat(layout.withAllocation(Allocation.ZEROS))
                .isEqualTo(
                        new LogLayout(0, 0, Optional.of(Allocation.ZEROS), layout.prepareBytes(), false, false, 4096));
        assertThat(layout.withPrepareBytes(5)).isEqualTo(new LogLayout(0, 0, Optional.empty(), 5, false, false, 4096));
        assertThat(layout.withLockPages(true))
                .isEqualTo(new LogLayout(0, 0, Optional.empty(), layout.prepareBytes(), true, false, 4096));
        assertThat(layout.withHugePages(true))
                .isEqualTo(new LogLayout(0, 0, Optional.empty(), layout.prepareBytes(), false, true, 4096));
        assertThat(durability.withIntegrity(IntegrityMode.NONE))
                .isEqualTo(new LogDurability(Optional.of(IntegrityMode.NONE), durability.sync(), true));
        assertThat(durability.withSync(SyncPolicy.everyAppend()))
                .isEqualTo(new LogDurability(Optional.empty(), SyncPolicy.everyAppend(), true));
        assertThat(durability.withEarlyWriteback(false))
                .isEqualTo(new LogDurability(Optional.empty(), durability.sync(), false));
        assertThat(access.withFiles(Access.GROUP)).isEqualTo(new LogAccess(Access.GROUP, false, false, false));
        assertThat(access.withReadOnly(true)).isEqualTo(new LogAccess(Access.OWNER, true, false, false));
        assertThat(access.withVerifyReads(true)).isEqualTo(new LogAccess(Access.OWNER, false, true, false));
        assertThat(access.withAllowRemote(true)).isEqualTo(new LogAccess(Access.OWNER, false, false, true));
        assertThat(doors.withStorage(storage))
                .isEqualTo(new LogHooks(storage, ClaimResolver.PAD, Failpoints.NONE, false, false));
        assertThat(doors.withResolver(keep))
                .isEqualTo(new LogHooks(doors.storage(), keep, Failpoints.NONE, false, false));
        assertThat(doors.withFailpoints(steps))
                .isEqualTo(new LogHooks(doors.storage(), ClaimResolver.PAD, steps, false, false));
    }

    /** Changes the concerns one after the other: no change resets another concern, or an earlier change. */
    @Test
    void shortCutsReachEveryConcernAndKeepTheRest() {
        LogOptions defaults = LogOptions.defaults();
        ClaimResolver keep = (segment, offset, length, position) -> true;
        Failpoints steps = step -> {};
        Storage storage = SystemStorage.portable();
        LogOptions changed = HookedOptions.with(
                HookedOptions.withFailpoints(
                                HookedOptions.withStorage(
                                        defaults.withLargestSegmentBytes(4L << 20)
                                                .withPrepareBytes(5)
                                                .withIntegrity(IntegrityMode.NONE)
                                                .withSync(SyncPolicy.everyAppend())
                                                .withReadOnly(true)
                                                .withVerifyReads(true)
                                                .withAllowRemote(true),
                                        storage),
                                steps)
                        .withLayout(layout -> layout.withAllocation(Allocation.ZEROS)
                                .withLockPages(true)
                                .withHugePages(true)
                                .withMappedSegments(7))
                        .withRetention(retention -> retention.withBytes(5L << 20))
                        .withDurability(durability -> durability.withEarlyWriteback(false))
                        .withAccess(access -> access.withFiles(Access.GROUP)),
                doors -> doors.withResolver(keep));
        assertThat(changed.layout())
                .isEqualTo(new LogLayout(4L << 20, 0, Optional.of(Allocation.ZEROS), 5, true, true, 7));
        assertThat(changed.durability())
                .isEqualTo(new LogDurability(Optional.of(IntegrityMode.NONE), SyncPolicy.everyAppend(), false));
        assertThat(changed.retention()).isEqualTo(LogRetention.none().withBytes(5L << 20));
        assertThat(changed.access()).isEqualTo(new LogAccess(Access.GROUP, true, true, true));
        assertThat(HookedOptions.of(changed)).isEqualTo(new LogHooks(storage, keep, steps, false, false));
        assertThat(HookedOptions.with(defaults, hooks -> hooks.withLinked(true).withLinked(false)))
                .isEqualTo(defaults);
        assertThat(changed).isNotEqualTo(defaults).hasSameHashCodeAs(changed.withReadOnly(true));
        assertThat(LogOptions.defaults()).isEqualTo(defaults);
    }

    @ParameterizedTest
    @ValueSource(longs = {2L << 20, 4L << 20, 256L << 20, 4L << 30})
    void takesSegmentsOfAPowerOfTwo(long bytes) {
        assertThat(LogLayout.defaults().withLargestSegmentBytes(bytes).largestSegmentBytes())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, 32L << 10, 3L << 20, (64L << 10) + 8, 8L << 30, Long.MIN_VALUE, Long.MAX_VALUE})
    void refusesOtherSegmentsAndNamesTheRange(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.defaults().withLargestSegmentBytes(bytes))
                .withMessageContainingAll(String.valueOf(bytes), "65536", "4294967296");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (64L << 30) + 1})
    void refusesMorePreparedSpaceThanTheRange(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.defaults().withPrepareBytes(bytes))
                .withMessageContainingAll(String.valueOf(bytes), "68719476736");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 32_769})
    void refusesFewerOrMoreMappedSegmentsThanTheRange(int most) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogLayout.defaults().withMappedSegments(most))
                .withMessageContainingAll(String.valueOf(most), "32768");
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
