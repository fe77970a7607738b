package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Signals;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A target is stopped for 2 s under 1,000 requests a second: about 2,000 answers are late, by times that lie evenly between 0
 * and 2 s. A client that waited for its answers would have seen only one late answer.
 */
@DisabledOnOs(OS.WINDOWS)
@Tag(Effort.QUIET)
final class StoppedTargetTest {

    private static final double RATE = 1_000;
    private static final long STOP_NANOS = 2_000_000_000;
    private static final long LATE_NANOS = 50_000_000;
    private static final double SHARE = 0.05;
    private static final double DISTURBED_MILLIS = 50;
    private static final int ATTEMPTS = 4;

    @TempDir
    Path directory;

    @Test
    void everyRequestOfTheStopCounts() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (isAsInTheory(Files.createDirectory(directory.resolve("attempt-" + attempt)))) {
                return;
            }
        }
        Assumptions.abort("the machine disturbed every one of " + ATTEMPTS + " loads");
    }

    /** Returns false if the machine itself has stopped the processes for longer than the theory allows. */
    private static boolean isAsInTheory(Path place) {
        Figures behaviour = new Figures().put("behaviour", "capacity").put("per_second", 1_000_000);
        try (LoadProcesses processes = new LoadProcesses(place, behaviour)) {
            LoadSettings settings =
                    processes.conductor.settings(LoadProcesses.keys(), ArrivalKind.CONSTANT, LoadPlan.of(RATE, 5), 1);
            long pid = processes.target.pid();
            CompletableFuture<Long> stopped = OtherThread.call(() -> stopDuringTheLoad(place, pid));
            Figures seen = processes.conductor.load(settings, "stopped");
            assertThat(seen.whole("sent")).isEqualTo(5_000);
            assertThat(seen.whole("unanswered")).isZero();
            Path responses = place.resolve(seen.text("directory")).resolve("responses");
            String off = farOff(late(responses), stopped.join());
            double disturbed = disturbedMillis(seen);
            assertThat(off.isEmpty() || disturbed > DISTURBED_MILLIS)
                    .as("the machine was held up for " + disturbed + " ms only, and yet " + off)
                    .isTrue();
            return off.isEmpty();
        }
    }

    /** Returns how long threads were held up, without the stop itself. */
    private static double disturbedMillis(Figures seen) {
        double[] hiccups = seen.rows("hiccups").stream()
                .mapToDouble(hiccup -> hiccup.number("ms"))
                .sorted()
                .toArray();
        assertThat(hiccups).as("the recorder in the target has seen the stop").isNotEmpty();
        return Arrays.stream(hiccups).limit(hiccups.length - 1).sum()
                + Math.max(0, hiccups[hiccups.length - 1] - STOP_NANOS / 1e6);
    }

    private static long[] late(Path responses) {
        LongStream.Builder times = LongStream.builder();
        Responses.read(
                responses,
                (segment, offset, length) ->
                        times.add(Response.answered(segment, offset) - Response.intended(segment, offset)));
        return times.build().filter(time -> time > LATE_NANOS).sorted().toArray();
    }

    /** Returns the difference from the theory: answers are late by times that lie evenly between 0 and the length of the stop. */
    private static String farOff(long[] late, long stopNanos) {
        StringBuilder off = new StringBuilder();
        compare("late answers", late.length, (stopNanos - LATE_NANOS) / 1e9 * RATE, off);
        if (late.length == 0) {
            return off.toString();
        }
        for (double quantile : new double[] {0.5, 0.9, 0.99}) {
            double theory = LATE_NANOS + quantile * (stopNanos - LATE_NANOS);
            compare("quantile " + quantile, (double) late[(int) (quantile * late.length)], theory, off);
        }
        return off.toString();
    }

    private static void compare(String what, double found, double theory, StringBuilder off) {
        if (Math.abs(found - theory) > SHARE * theory) {
            off.append(what)
                    .append(": ")
                    .append(found)
                    .append(" instead of ")
                    .append(theory)
                    .append("; ");
        }
    }

    /** Stops a process a second after the begin of the load, and returns for how long. */
    private static long stopDuringTheLoad(Path place, long pid) {
        await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(place.resolve("001-stopped/responses")));
        Pacer pacer = new Pacer(0);
        pacer.await(System.nanoTime() + 1_000_000_000);
        Signals.send("STOP", pid);
        long start = System.nanoTime();
        pacer.await(start + STOP_NANOS);
        Signals.send("CONT", pid);
        return System.nanoTime() - start;
    }
}
