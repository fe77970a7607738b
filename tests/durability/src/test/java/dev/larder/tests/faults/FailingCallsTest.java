package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.tests.support.Samples;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In a run of create, append, roll, sync, close and reopen, every storage call fails once, at each time that it is made. Each
 * failure gives the right exception, nothing acknowledged is lost, and the queue opens again.
 */
@Tag("in-memory")
class FailingCallsTest {

    private static final Path DIRECTORY = Path.of("/", "failing", "calls");
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Only a virtual thread makes this call, or one that has met a page which cannot be read. */
    private static final Set<StorageCall> NEVER_MADE = EnumSet.of(StorageCall.POPULATE_FOR_READ);

    /** A run of calls, until one of them fails. */
    private static final class Script {
        private final LogOptions options;
        private int appended;
        private int acknowledged;
        private int durable;
        private Optional<LarderException> failure = Optional.empty();

        Script(FaultyStorage storage) {
            options = HookedOptions.withStorage(options(), storage);
        }

        void run() {
            for (int lap = 0; lap < 2 && failure.isEmpty(); lap++) {
                try (LarderQueue queue = LarderQueue.open(DIRECTORY, options)) {
                    lap(queue);
                } catch (LarderException e) {
                    failure = Optional.of(failure.orElse(e));
                }
            }
        }

        private void lap(LarderQueue queue) {
            try (Appender appender = queue.appender()) {
                for (int i = 0; i < 10; i++) {
                    append(appender, i);
                    if (i % 3 == 2) {
                        int before = acknowledged;
                        queue.sync();
                        durable = before;
                    }
                }
            } catch (LarderException e) {
                failure = Optional.of(e);
            }
        }

        private void append(Appender appender, int i) {
            if (i % 5 == 4) {
                appendBatch(appender);
            } else {
                appender.append(message(appended++, 300_000));
                acknowledged = appended;
            }
        }

        private void appendBatch(Appender appender) {
            Batch batch = appender.batch();
            batch.add(message(appended++, 1000));
            batch.add(message(appended++, 2000));
            batch.flush();
            acknowledged = appended;
            batch.close();
        }
    }

    private static LogOptions options() {
        return LogOptions.defaults()
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.every(Duration.ofHours(1)));
    }

    private static byte[] message(int number, int length) {
        byte[] bytes = Samples.bytes(number, length);
        java.lang.foreign.MemorySegment.ofArray(bytes).set(INT, 0, number);
        return bytes;
    }

    private static Supplier<RuntimeException> failure(StorageCall call) {
        return call == StorageCall.ALLOCATE || call == StorageCall.WRITE
                ? () -> new DiskFullException("cannot " + call + ": No space left on device")
                : () -> new StorageException("cannot " + call + ": Input/output error");
    }

    @ParameterizedTest
    @EnumSource(StorageCall.class)
    void shouldLoseNothingAtAnyFailure(StorageCall call) {
        int turns = 0;
        while (runWithFailure(call, turns + 1)) {
            turns++;
        }
        assertThat(turns > 0).as(call + " is made").isEqualTo(!NEVER_MADE.contains(call));
    }

    /** Runs the script with a failure of this turn of the call; returns whether the call was made so often. */
    private static boolean runWithFailure(StorageCall call, int turn) {
        try (PowerLossStorage power = new PowerLossStorage(turn)) {
            FaultyStorage faulty = new FaultyStorage(power);
            faulty.fail(call, turn, failure(call));
            Script script = new Script(faulty);
            script.run();
            boolean reached = faulty.count(call) >= turn;
            String when = call + " " + turn;
            script.failure.ifPresent(e -> checkKind(call, e, when));
            assertThat(script.failure.isPresent() && !reached).as(when).isFalse();
            faulty.heal();
            checkReadable(faulty, script.acknowledged, when);
            checkAfterPowerLoss(power, script.durable, when, turn);
            return reached;
        }
    }

    private static void checkKind(StorageCall call, LarderException e, String when) {
        switch (call) {
            case FORCE, FORCE_ALL, SYNC_DIRECTORY, START_WRITEBACK ->
                assertThat(e).as(when).isInstanceOfAny(LogFailedException.class, StorageException.class);
            case ALLOCATE, WRITE -> assertThat(e).as(when).isInstanceOf(DiskFullException.class);
            default -> assertThat(e).as(when).isInstanceOfAny(StorageException.class, LogFailedException.class);
        }
        boolean failed = e instanceof LogFailedException; // perhaps in the background, and reported later
        assertThat(e).as(when).hasMessageContaining(failed ? "a flush failed" : "cannot " + call);
    }

    /** Checks that, in the same boot, every message whose append returned is there. */
    private static void checkReadable(FaultyStorage storage, int acknowledged, String when) {
        LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options(), storage));
        assertThat(read(queue)).as(when).containsAll(numbers(acknowledged)).isSorted();
        assertThat(queue.verify().problems()).as(when).isEmpty();
        try {
            queue.close();
        } catch (LogFailedException e) {
            assertThat(e).as(when).hasMessageContaining("a flush failed"); // it stays failed until the next boot
        }
    }

    private static void checkAfterPowerLoss(PowerLossStorage power, int durable, String when, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 3; i++) {
            try (PowerLossStorage image = power.image(random);
                    LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options(), image))) {
                assertThat(read(queue))
                        .as(when + ", power loss")
                        .containsAll(numbers(durable))
                        .isSorted();
                queue.appender().append(message(1_000_000, 10));
                queue.sync();
                assertThat(read(queue)).as(when + ", power loss").endsWith(1_000_000);
            }
        }
    }

    private static List<Integer> numbers(int count) {
        return java.util.stream.IntStream.range(0, count).boxed().toList();
    }

    private static List<Integer> read(LarderQueue queue) {
        List<Integer> numbers = new ArrayList<>();
        try (Tailer tailer = queue.tailer()) {
            while (tailer.poll((segment, offset, length) -> {
                int number = segment.get(INT, offset);
                assertThat(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(message(number, length));
                numbers.add(number);
            })) {
                assert !numbers.isEmpty();
            }
        }
        return numbers;
    }

    /** After one failed flush the log takes nothing more, for every process, and also when it is opened again in this boot. */
    @Test
    void shouldTakeNothingMoreAfterAFailedFlush() {
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            FaultyStorage faulty = new FaultyStorage(power);
            LogOptions options = HookedOptions.withStorage(options(), faulty);
            LarderQueue queue = LarderQueue.open(DIRECTORY, options);
            try (Appender appender = queue.appender()) {
                appender.append(message(0, 100));
                long durable = queue.sync();
                appender.append(message(1, 100));
                faulty.fail(StorageCall.FORCE, faulty.count(StorageCall.FORCE) + 1, failure(StorageCall.FORCE));
                assertThatThrownBy(queue::sync).isInstanceOf(LogFailedException.class);
                long forces = faulty.count(StorageCall.FORCE);
                assertThatThrownBy(queue::sync).isInstanceOf(LogFailedException.class);
                assertThat(faulty.count(StorageCall.FORCE)).as("tried again").isEqualTo(forces);
                assertThat(queue.durablePosition()).isEqualTo(durable);
                assertThat(read(queue)).containsExactly(0, 1);
            }
            assertThatThrownBy(queue::close).isInstanceOf(LogFailedException.class);
            LarderQueue again = LarderQueue.open(DIRECTORY, options);
            assertThatThrownBy(again::appender).isInstanceOf(LogFailedException.class);
            assertThatThrownBy(again::sync).isInstanceOf(LogFailedException.class);
            assertThat(read(again)).containsExactly(0, 1);
            assertThatThrownBy(again::close).isInstanceOf(LogFailedException.class);
        }
    }

    /** A write-back that failed in the background leaves clean pages that were never written. */
    @Test
    void shouldPromiseNothingAfterAFailedWriteback() {
        try (PowerLossStorage power = new PowerLossStorage(2)) {
            FaultyStorage faulty = new FaultyStorage(power);
            faulty.failFrom(StorageCall.START_WRITEBACK, 1, failure(StorageCall.START_WRITEBACK));
            LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options(), faulty));
            try (Appender appender = queue.appender()) {
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 100_000; i++) {
                                appender.append(message(i, 1000));
                            }
                        })
                        .isInstanceOf(LogFailedException.class);
                assertThatThrownBy(queue::sync).isInstanceOf(LogFailedException.class);
            }
            assertThatThrownBy(queue::close).isInstanceOf(LogFailedException.class);
        }
    }

    /** A clock that jumps by years, or to the epoch, does not change what is synced and when. */
    @Test
    void shouldNotMindAClockThatJumps() {
        try (PowerLossStorage power = new PowerLossStorage(3)) {
            FaultyStorage faulty = new FaultyStorage(power);
            LogOptions options = HookedOptions.withStorage(options(), faulty);
            long[] times = {4_000_000_000_000L, 0, -1, Long.MAX_VALUE, 1};
            for (int i = 0; i < times.length; i++) {
                faulty.setCurrentTimeMillis(times[i]);
                try (LarderQueue queue = LarderQueue.open(DIRECTORY, options);
                        Appender appender = queue.appender()) {
                    for (int j = 0; j < 8; j++) {
                        appender.append(message(i * 8 + j, 300_000));
                    }
                    assertThat(queue.sync()).isEqualTo(queue.info().endPosition());
                    assertThat(read(queue)).isEqualTo(numbers((i + 1) * 8));
                }
            }
        }
    }
}
