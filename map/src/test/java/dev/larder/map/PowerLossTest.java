package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.tests.support.Effort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power fails while a map is changed, synced, copied and cleaned, at each step of the cleaner and of a checkpoint, and while
 * pages of the index split and merge. The map then holds what it held after some change, and not before the last synced one. The
 * soak profile runs ten times as much.
 */
@Tag("in-memory")
@Timeout(1800)
final class PowerLossTest {

    /** Images per mode: ten thousand for all three, or a tenth of that. */
    private static final int IMAGES = Effort.of(12, 334, 3_334);

    @ParameterizedTest
    @CsvSource({"NONE, 0", "RECORD, 1", "SEAL, 2"}) // so each kind occurs also in few rounds
    void leavesWhatWasThereAtSomeTime(IntegrityMode integrity, int firstKind) {
        int images = 0;
        for (int round = 0; images < IMAGES; round++) {
            PowerLossRun.Kind kind = kind(firstKind + round);
            PowerLossRun run =
                    PowerLossRun.honest(integrity, kind, integrity.name().hashCode() + round);
            assertThat(run.images())
                    .isGreaterThan(1); // the number follows from the random draws, also for each page of each file
            if (kind == PowerLossRun.Kind.CROWDED) {
                assertThat(run.splits()).isPositive();
                assertThat(run.merges()).isPositive();
            }
            images += run.images();
        }
    }

    private static PowerLossRun.Kind kind(int number) {
        PowerLossRun.Kind[] kinds = PowerLossRun.Kind.values();
        return kinds[number % kinds.length];
    }
}
