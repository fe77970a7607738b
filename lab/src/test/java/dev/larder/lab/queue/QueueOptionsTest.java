package dev.larder.lab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.machine.Budget;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueOptionsTest {

    private static final long MIB = 1L << 20;

    static QueueOptions options(
            int message, SegmentState state, long burst, long total, @Nullable Long limit, @Nullable Path directory) {
        return new QueueOptions(
                new QueueOptions.Messages(message, message, AppendMode.BOTH),
                new QueueOptions.Bursts(burst, total, burst, Duration.ZERO, 1),
                new QueueOptions.Segments(state, null, 4 * MIB, true),
                new QueueOptions.Place(directory, false, limit, null),
                null,
                1,
                false);
    }

    /** The same on a file system that compresses. */
    static QueueOptions rehearsal(long burst, long total) {
        return new QueueOptions(
                new QueueOptions.Messages(1024, 64, AppendMode.SINGLE),
                new QueueOptions.Bursts(burst, total, burst, Duration.ZERO, 1),
                new QueueOptions.Segments(SegmentState.FRESH, null, 4 * MIB, true),
                new QueueOptions.Place(null, true, null, null),
                null,
                1,
                false);
    }

    @Test
    void knowsHowManyMessagesAndBurstsThereAre() {
        QueueOptions options = options(512, SegmentState.FRESH, 128 * MIB, 16_384 * MIB, null, null);
        assertThat(options.messagesPerBurst()).isEqualTo(262_144);
        assertThat(options.bursts().perQueue()).isEqualTo(128);
        assertThat(options.burstBytesOnDisk()).isEqualTo(262_144L * 520);
    }

    @Test
    void keepsATwentiethWhereSegmentsAreRecycled() {
        assertThat(options(16, SegmentState.RECYCLED, MIB, 80 * MIB, null, null).keptBytes())
                .isEqualTo(4 * MIB);
        assertThat(options(16, SegmentState.FRESH, MIB, 80 * MIB, null, null).keptBytes())
                .isNull();
    }

    @Test
    void diskBudgetRefusesWithTheWholeSum() {
        Budget budget = new Budget().add("queue", 3 * MIB).add("nothing", 0).add("baselines", MIB);
        assertThatCode(() -> budget.check(Path.of("data"), 4 * MIB)).doesNotThrowAnyException();
        assertThatThrownBy(() -> budget.check(Path.of("data"), 4 * MIB - 1))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("4 MiB = 3 MiB queue + 1 MiB baselines");
    }
}
