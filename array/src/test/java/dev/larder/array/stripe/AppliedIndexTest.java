package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A caller that waits for an index that is never applied hears of that. */
final class AppliedIndexTest {

    private final AppliedIndex index = new AppliedIndex();
    private final List<String> told = new ArrayList<>();

    private void await(long least) {
        index.await(least, () -> told.add(least + " applied"), () -> told.add(least + " ended"));
    }

    @Test
    void aWaitEndsAsItsIndexIsApplied() {
        await(2);
        await(1);
        index.reached(1);
        assertThat(told).containsExactly("1 applied");
        index.reached(5);
        assertThat(told).containsExactly("1 applied", "2 applied");
    }

    @Test
    void waitsEndWithTheMemberAndLaterOnesDoAsWell() {
        index.reached(1);
        await(2);
        assertThat(told).isEmpty();
        index.end();
        assertThat(told).containsExactly("2 ended");
        await(3);
        await(1);
        assertThat(told).containsExactly("2 ended", "3 ended", "1 applied");
        assertThat(index.get()).isEqualTo(1);
    }

    @Test
    void oneThatFailsKeepsNobodyWaiting() {
        for (long least : new long[] {1, 2}) {
            index.await(
                    least,
                    () -> {
                        throw new IllegalStateException("fails at " + least);
                    },
                    () -> {
                        throw new IllegalStateException("fails in the end");
                    });
            await(least);
        }
        assertThatThrownBy(() -> index.reached(1)).hasMessage("fails at 1");
        assertThat(told).containsExactly("1 applied");
        assertThatThrownBy(index::end).hasMessage("fails in the end");
        assertThat(told).containsExactly("1 applied", "2 ended");
    }
}
