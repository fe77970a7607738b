package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.tests.support.Effort;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A target that draws and notes the time of each answer: the instrument must report the drawn times within 1 %. A machine that
 * holds up the two processes rightly changes the figures, so a disturbed load is repeated.
 */
@Tag(Effort.QUIET)
final class KnownDelaysTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final double RATE = 10_000;
    private static final double SECONDS = SOAK ? 105 : 10.5;
    private static final int ATTEMPTS = SOAK ? 5 : 2;
    private static final double SHARE = 0.01;
    private static final double DISTURBED_SHARE = 0.0005;
    private static final Map<String, Double> PERCENTILES =
            Map.of("p50_us", 50.0, "p90_us", 90.0, "p99_us", 99.0, "p999_us", 99.9);

    @TempDir
    Path directory;

    private double disturbedMillis;

    @Test
    void reportedPercentilesAreThoseThatTheTargetDrew() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            String off = farOff(Files.createDirectory(directory.resolve("attempt-" + attempt)), attempt);
            if (off.isEmpty()) {
                return;
            }
            assertThat(disturbedMillis)
                    .as("nothing disturbed the machine, and yet " + off)
                    .isGreaterThan(DISTURBED_SHARE * SECONDS * 1e3);
        }
        Assumptions.abort("the machine disturbed every one of " + ATTEMPTS + " loads");
    }

    /** Returns the percentiles that are further off than allowed. */
    private String farOff(Path place, int seed) throws IOException {
        Path log = place.resolve("delays");
        Figures behaviour = new Figures()
                .put("behaviour", "delays")
                .put("shortest_us", 20_000)
                .put("mean_us", 40_000)
                .put("seed", seed)
                .put("log", log);
        try (LoadProcesses processes = new LoadProcesses(place, behaviour)) {
            LoadPlan plan = new LoadPlan(RATE, SECONDS, 10, 1_000_000);
            Figures seen =
                    processes.conductor.load(processes.conductor.settings(LoadProcesses.keys(), plan, seed), "delays");
            processes.target.ask("finish", new Figures());
            disturbedMillis = seen.rows("hiccups").stream()
                    .mapToDouble(hiccup -> hiccup.number("ms"))
                    .sum();
            return compare(seen, sorted(log));
        }
    }

    private static String compare(Figures seen, long[] drawn) {
        Figures all = seen.rows("operations").getFirst();
        assertThat(all.whole("requests")).isEqualTo(drawn.length).isEqualTo(seen.whole("sent"));
        assertThat(all.whole("unanswered")).isZero();
        assertThat((double) drawn.length).isBetween(0.97 * RATE * SECONDS, 1.03 * RATE * SECONDS);
        return farOff(all, drawn);
    }

    private static String farOff(Figures all, long[] drawn) {
        StringBuilder off = new StringBuilder();
        PERCENTILES.forEach((name, percentile) -> {
            double expected = drawn[(int) Math.ceil(percentile / 100 * drawn.length) - 1] / 1e3;
            if (Math.abs(all.number(name) - expected) > SHARE * expected) {
                off.append(name)
                        .append(" is ")
                        .append(all.number(name))
                        .append(", drawn was ")
                        .append(expected)
                        .append("; ");
            }
        });
        return off.toString();
    }

    private static long[] sorted(Path log) throws IOException {
        try (DataInputStream stream = new DataInputStream(Files.newInputStream(log))) {
            long[] values = new long[(int) (Files.size(log) / Long.BYTES)];
            ByteBuffer.wrap(stream.readAllBytes()).asLongBuffer().get(values);
            Arrays.sort(values);
            return values;
        }
    }
}
