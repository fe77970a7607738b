package dev.larder.array.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import org.junit.jupiter.api.Test;

/** Targets of random arrays: even, spread over zones, with the fewest changes. */
final class PlannerTest {

    private static final int NODES_MOST = 10;
    private static final int STRIPES_MOST = 24;

    @Test
    void everyTargetIsEvenAndSpreadAndCheapest() {
        int arrays = Effort.of(300, 2_000, 100_000);
        for (int seed = 0; seed < arrays; seed++) {
            Topology array = new RandomArrays(seed, NODES_MOST, STRIPES_MOST).next();
            assertThat(TargetProperties.violations(array, Planner.target(array)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    /** All ways to place a few stripes are tried. */
    @Test
    void noWayToPlaceAFewStripesHasFewerMoves() {
        int arrays = Effort.of(100, 500, 5_000);
        for (int seed = 0; seed < arrays; seed++) {
            Topology array = new RandomArrays(seed, 5, 3).next();
            assertThat(TargetProperties.moves(array, Planner.target(array)))
                    .as("seed %d", seed)
                    .isEqualTo(EveryWay.fewestMoves(array));
        }
    }
}
