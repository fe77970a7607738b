package dev.larder.lab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.machine.Budget;
import dev.larder.lab.result.LabException;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class QueueOptionsTest {

    private static final long MIB = 1L << 20;

    /** Returns the small options of tests, followed by those of a test. */
    static QueueOptions options(String arguments) {
        String small = "--segment 4MiB --append both --memory-limit none --warm-up 8MiB ";
        return Settings.parse(QueueOptions.class, (small + arguments).split(" ", -1));
    }

    @Test
    void knowsHowManyMessagesAndBurstsThereAre() {
        QueueOptions options = options("--message 512 --burst 128MiB --total 16GiB");
        assertThat(options.messagesPerBurst()).isEqualTo(262_144);
        assertThat(options.bursts().perQueue()).isEqualTo(128);
        assertThat(options.burstBytesOnDisk()).isEqualTo(262_144L * 520);
    }

    @Test
    void refusesMoreBurstsThanItCanCount() {
        assertThatThrownBy(() -> options("--message 64 --burst 4KiB --total 16TiB"))
                .hasMessageContaining("4294967296 bursts of 4 KiB: the most is 10000000");
    }

    @Test
    void keepsATwentiethWhereSegmentsAreRecycled() {
        assertThat(options("--state recycled --burst 1MiB --total 80MiB").keptBytes())
                .isEqualTo(4 * MIB);
        assertThat(options("--burst 1MiB --total 80MiB").keptBytes()).isNull();
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
