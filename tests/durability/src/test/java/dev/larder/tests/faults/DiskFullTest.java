package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.LogOptions;
import dev.larder.memory.Allocation;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that fills up: an exception at the roll, nothing lost, and appends continue once there is room. */
class DiskFullTest {

    private static final int LENGTH = 10_000;

    @TempDir
    Path place;

    @Test
    void shouldSayThatATmpfsIsFull() throws Exception {
        try (SmallFileSystem small = SmallFileSystem.tmpfs(place, 24)) {
            fillAndFree(small.root(), Allocation.RESERVE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESERVE", "ZEROS", "GROW"})
    void shouldSayThatExt4IsFull(Allocation allocation) throws Exception {
        try (SmallFileSystem small = SmallFileSystem.loop(place, "ext4", 40)) {
            fillAndFree(small.root(), allocation);
        }
    }

    @Test
    void shouldSayThatBtrfsIsFull() throws Exception {
        try (SmallFileSystem small = SmallFileSystem.loop(place, "btrfs", 256)) {
            assertThat(SystemStorage.system().fileSystem(small.root()).allocation())
                    .isEqualTo(Allocation.GROW);
            fillAndFree(small.root(), Allocation.GROW);
        }
    }

    /** A compare-and-set that faults ends the JVM: only native calls can ask for a page without one. */
    private static void fillAndFree(Path root, Allocation allocation) throws Exception {
        assumeTrue(
                allocation != Allocation.GROW || SystemStorage.system().isNative(),
                "without native calls a full disk may end the JVM where space is not reserved");
        Path ballast = root.resolve("ballast");
        Files.write(ballast, new byte[8 << 20]);
        LogOptions options = LogOptions.defaults()
                .withLargestSegmentBytes(4L << 20)
                .withPrepareBytes(0)
                .withLayout(layout -> layout.withAllocation(allocation));
        int[] appended = {0};
        try (LarderQueue queue = LarderQueue.open(root.resolve("queue"), options);
                Appender appender = queue.appender()) {
            requireFull(() -> fill(appender, appended));
            assertThat(Numbered.count(queue)).isEqualTo(appended[0]);
            requireFull(() -> fillByBatches(appender));
            Files.delete(ballast);
            Numbered.append(appender, appended[0], appended[0] + 100, LENGTH);
            assertThat(queue.sync()).isEqualTo(queue.info().endPosition());
            assertThat(Numbered.count(queue)).isEqualTo(appended[0] + 100);
        }
        try (LarderQueue again = LarderQueue.open(root.resolve("queue"), options)) {
            assertThat(Numbered.count(again)).isEqualTo(appended[0] + 100);
            assertThat(again.verify().problems()).isEmpty();
        }
    }

    private static void requireFull(ThrowingCallable call) throws IOException {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(DiskFullException.class).hasMessageContaining("cannot");
        GuideTexts.requireKnown(DiskFullException.class, String.valueOf(thrown.getMessage()));
    }

    private static void fill(Appender appender, int[] appended) {
        for (int i = 0; i < 100_000; i++) {
            appender.append(Numbered.message(appended[0], LENGTH));
            appended[0]++;
        }
    }

    /** A batch that finds no room appends nothing. */
    private static void fillByBatches(Appender appender) {
        Batch batch = appender.batch();
        for (int i = 0; i < 90; i++) {
            batch.add(Numbered.message(1_000_000 + i, LENGTH));
        }
        batch.flush();
    }
}
