package dev.larder.array.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.plan.ExecutorRun.Parts;
import dev.larder.tests.support.Effort;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An executor that asks for the next steps reaches its target, and no stripe is without its majority on the way. */
final class ExecutorTest {

    private static final int NODES_MOST = 10;
    private static final int STRIPES_MOST = 24;

    /** The executor is killed after every step. The new plans lead to the same end. */
    @Test
    void anExecutorThatIsKilledAtEachStepReachesTheSameTarget() {
        int arrays = Effort.of(60, 120, 20_000);
        for (int seed = 0; seed < arrays; seed++) {
            Topology array = new RandomArrays(seed, NODES_MOST, STRIPES_MOST).next();
            assertThat(ExecutorRun.violations(Parts.SOUND, array, new Random(seed)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    /** Leaders change and members fall behind meanwhile, and steps of other epochs come late. */
    @Test
    void anExecutorThatIsDisturbedReachesItsTargetOnceThereIsPeace() {
        int arrays = Effort.of(60, 120, 20_000);
        for (int seed = 0; seed < arrays; seed++) {
            Topology array = new RandomArrays(seed, NODES_MOST, STRIPES_MOST).next();
            assertThat(ExecutorRun.violationsWhileDisturbed(array, new Random(seed)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }
}
