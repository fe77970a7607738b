package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.result.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A target that is stopped for 2 s under 1,000 requests a second: about 2,000 answers are late, by anything between
 * nothing and 2 s, evenly. A client that waited for its answers would have seen one.
 */
@DisabledOnOs(OS.WINDOWS)
final class StoppedTargetTest {

    private static final double RATE = 1_000;
    private static final long STOP_NANOS = 2_000_000_000;
    private static final long LATE_NANOS = 50_000_000;
    private static final double SHARE = 0.05;

    @TempDir
    Path directory;

    @Test
    void everyRequestOfTheStopCounts() throws IOException {
        Figures behaviour = new Figures().put("behaviour", "capacity").put("per_second", 1_000_000);
        try (LoadProcesses processes = new LoadProcesses(directory, behaviour)) {
            LoadSettings settings = new LoadSettings(
                    processes.driver,
                    LoadProcesses.keys(),
                    ArrivalKind.CONSTANT,
                    null,
                    LoadPlan.of(RATE, 5),
                    1,
                    Pacer.SPIN_NANOS);
            long pid = processes.target.pid();
            CompletableFuture<Long> stopped = CompletableFuture.supplyAsync(() -> stop(pid));
            Figures seen = processes.conductor.load(settings, "stopped");
            assertLate(seen, stopped.join());
        }
    }

    private void assertLate(Figures seen, long stopNanos) {
        assertThat(seen.whole("sent")).isEqualTo(5_000);
        assertThat(seen.whole("unanswered")).isZero();
        LongStream.Builder times = LongStream.builder();
        Responses.read(
                directory.resolve(seen.text("directory")).resolve("responses"),
                (segment, offset, length) ->
                        times.add(Response.answered(segment, offset) - Response.intended(segment, offset)));
        long[] late = times.build().filter(time -> time > LATE_NANOS).sorted().toArray();
        double expected = (stopNanos - LATE_NANOS) / 1e9 * RATE;
        assertThat((double) late.length).isBetween(expected * (1 - SHARE), expected * (1 + SHARE));
        for (double quantile : new double[] {0.5, 0.9, 0.99}) {
            double theory = LATE_NANOS + quantile * (stopNanos - LATE_NANOS);
            assertThat((double) late[(int) (quantile * late.length)])
                    .as("quantile " + quantile + " of " + Arrays.stream(late).max())
                    .isBetween(theory * (1 - SHARE), theory * (1 + SHARE));
        }
    }

    /** Stops a process a second from now, and returns for how long. */
    private static long stop(long pid) {
        Pacer pacer = new Pacer(0);
        pacer.await(System.nanoTime() + 1_000_000_000);
        signal("STOP", pid);
        long start = System.nanoTime();
        pacer.await(start + STOP_NANOS);
        signal("CONT", pid);
        return System.nanoTime() - start;
    }

    private static void signal(String name, long pid) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(code).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
