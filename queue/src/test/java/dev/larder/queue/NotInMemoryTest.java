package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.NotInMemoryException;
import dev.larder.log.layer.DiskWaits;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.doubles.EvictingStorage;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tailers of threads that may not wait for the disk, where pages have left the memory. */
@Timeout(120)
final class NotInMemoryTest {

    private static final int MESSAGES = 3_000;

    /** Four segments of 2 MiB, and a message in eight reaches over the end of a page. */
    private static final int BYTES = 2_000;

    /** The fewest errors of a pass: there are six blocks, and the preparation of segments may have touched some of them. */
    private static final int ERRORS_LEAST = 2;

    private static final int ERRORS_MOST = 20;
    private static final int TOO_MANY_ERRORS = 100;

    @TempDir
    Path directory;

    private final EvictingStorage storage = new EvictingStorage(HookedOptions.storage(TestQueues.options()));

    private final AtomicInteger readings = new AtomicInteger();

    private LogOptions options(IntegrityMode integrity) {
        return HookedOptions.withStorage(TestQueues.options(), storage).withIntegrity(integrity);
    }

    private void fill(IntegrityMode integrity) {
        try (LarderQueue queue = LarderQueue.open(directory, options(integrity));
                Appender appender = queue.appender()) {
            for (int i = 0; i < MESSAGES; i++) {
                int number = i;
                appender.append(BYTES, (segment, offset, length) -> {
                    segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, number);
                    segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset + BYTES - Integer.BYTES, number);
                });
            }
        }
        storage.onReading(pages -> readings.incrementAndGet());
    }

    private static boolean withoutWaiting(BooleanSupplier calls) {
        boolean before = DiskWaits.ofThisThread().forbid(true);
        try {
            return calls.getAsBoolean();
        } finally {
            DiskWaits.ofThisThread().forbid(before);
        }
    }

    private void assertNotInMemory(ThrowingCallable call) {
        int before = readings.get();
        assertThatThrownBy(call)
                .isInstanceOf(NotInMemoryException.class)
                .hasMessageContaining("are not in memory")
                .hasNoCause();
        assertThat(readings).hasValue(before);
    }

    private static MessageHandler into(List<Integer> read) {
        return (segment, offset, length) -> {
            int number = segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
            assertThat(length).isEqualTo(BYTES);
            assertThat(segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset + BYTES - Integer.BYTES))
                    .isEqualTo(number);
            read.add(number);
        };
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void aReadThatWouldWaitIsAnErrorAndMovesNothing(IntegrityMode integrity) {
        fill(integrity);
        try (LarderQueue queue = LarderQueue.open(directory, options(integrity));
                Tailer tailer = queue.tailer()) {
            storage.evict();
            List<Integer> read = new ArrayList<>();
            assertNotInMemory(() -> withoutWaiting(() -> tailer.poll(into(read))));
            assertNotInMemory(
                    () -> withoutWaiting(() -> tailer.toSequence(MESSAGES / 2).poll(into(read))));
            assertThat(tailer.poll(into(read))).isTrue();
            assertThat(withoutWaiting(() -> tailer.poll(into(read)))).isTrue();
            assertThat(read).containsExactly(0, 1);
            assertNotInMemory(() -> withoutWaiting(() -> drain(tailer, read)));
            assertThat(read).hasSizeBetween(500, 530).isEqualTo(numbers(0, read.size()));
            assertNotInMemory(() -> withoutWaiting(() -> tailer.poll(into(read))));
            drain(tailer, read);
            assertThat(read).isEqualTo(numbers(0, MESSAGES));
            storage.evict();
            assertNotInMemory(() -> withoutWaiting(() -> drainBackward(tailer, read)));
            assertNotInMemory(() -> withoutWaiting(() -> tailer.toSequence(1).poll(into(read))));
            assertThat(read).isEqualTo(numbers(0, MESSAGES));
        }
    }

    private static boolean drain(Tailer tailer, List<Integer> read) {
        boolean any = false;
        while (tailer.poll(into(read))) {
            any = true;
        }
        return any;
    }

    private static boolean drainBackward(Tailer tailer, List<Integer> read) {
        boolean any = false;
        while (tailer.pollBackward(into(read))) {
            any = true;
        }
        return any;
    }

    private static List<Integer> numbers(int from, int to) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    /** One tailer stops at a page that is not in memory, another tailer reads a message there, and the first continues. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void whatAnotherTailerHasBroughtInIsReadInBothDirections(IntegrityMode integrity) {
        fill(integrity);
        try (LarderQueue queue = LarderQueue.open(directory, options(integrity));
                Tailer tailer = queue.tailer();
                Tailer patient = queue.tailer()) {
            storage.evict();
            List<Integer> read = new ArrayList<>();
            int errors = 0;
            while (read.size() < MESSAGES && errors < TOO_MANY_ERRORS) {
                errors += goesOn(() -> drain(tailer, read)) ? 0 : 1;
                patient.toSequence(Math.min(read.size(), MESSAGES - 1)).poll((segment, offset, length) -> {});
            }
            assertThat(read).isEqualTo(numbers(0, MESSAGES));
            assertThat(errors).isBetween(ERRORS_LEAST, ERRORS_MOST);
            storage.evict();
            read.clear();
            while (read.size() < MESSAGES && errors < TOO_MANY_ERRORS) {
                errors += goesOn(() -> drainBackward(tailer, read)) ? 0 : 1;
                patient.toSequence(Math.max(MESSAGES - 1 - read.size(), 0)).poll((segment, offset, length) -> {});
            }
            assertThat(read.reversed()).isEqualTo(numbers(0, MESSAGES));
            assertThat(errors).isBetween(2 * ERRORS_LEAST, 2 * ERRORS_MOST);
        }
    }

    private static boolean goesOn(BooleanSupplier calls) {
        try {
            withoutWaiting(calls);
            return true;
        } catch (NotInMemoryException e) {
            return false;
        }
    }
}
