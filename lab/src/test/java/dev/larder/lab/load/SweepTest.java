package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Sweep.Edge;
import dev.larder.lab.result.Directories;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final double CAPACITY = 2_000;
    private static final int ATTEMPTS = SOAK ? 3 : 1;

    @TempDir
    Path directory;

    @Test
    void findsAnEdgeWithinItsPrecision() {
        for (double capacity : new double[] {1, 99, 100, 12_345, 1e6}) {
            List<Edge> edges = new Sweep(rate -> rate > capacity, 0.02, 3).run(1);
            assertThat(edges).hasSize(3).allSatisfy(edge -> {
                assertThat(edge.keptUp()).isLessThanOrEqualTo(capacity);
                assertThat(edge.saturated()).isGreaterThan(capacity);
                assertThat(edge.rate()).isBetween(capacity * 0.98, capacity * 1.02);
            });
        }
    }

    @Test
    void anUnluckyLoadDoesNotDecide() {
        Random random = new Random(7);
        Sweep sweep = new Sweep(rate -> rate > CAPACITY || (rate > 100 && random.nextInt(12) == 0), 0.02, 7);
        assertThat(Sweep.median(sweep.run(100))).isBetween(CAPACITY * 0.95, CAPACITY * 1.02);
    }

    /** A busy machine may move an edge down, never up: the test then searches again. */
    @Test
    @Tag(Effort.QUIET)
    void stopsByItselfWhereATargetSaturates() {
        List<Edge> found = new ArrayList<>();
        boolean near = false;
        for (int attempt = 0; attempt < ATTEMPTS && !near; attempt++) {
            List<Edge> edges = edges(directory.resolve("attempt-" + attempt));
            found.addAll(edges);
            near = edges.stream().allMatch(edge -> edge.rate() >= CAPACITY * 0.95);
        }
        assertThat(found).allSatisfy(edge -> assertThat(edge.rate()).isLessThan(CAPACITY * 1.05));
        Assumptions.assumeTrue(near || SOAK, "the machine held up the target in all of " + ATTEMPTS + " sweeps");
        assertThat(near).as("near " + CAPACITY + ": " + found).isTrue();
    }

    private static List<Edge> edges(Path place) {
        Figures behaviour = new Figures().put("behaviour", "capacity").put("per_second", CAPACITY);
        try (LoadProcesses processes = new LoadProcesses(Directories.create(place), behaviour)) {
            List<Double> tried = new ArrayList<>();
            return new Sweep(rate -> saturates(processes, rate, tried), 0.02, SOAK ? 3 : 1).run(500);
        }
    }

    private static boolean saturates(LoadProcesses processes, double rate, List<Double> tried) {
        tried.add(rate);
        LoadPlan plan = LoadPlan.of(rate, SOAK ? 5 : 1.5);
        return processes
                .conductor
                .load(processes.conductor.settings(LoadProcesses.keys(), plan, tried.size()), "sweep")
                .flag("saturated");
    }
}
