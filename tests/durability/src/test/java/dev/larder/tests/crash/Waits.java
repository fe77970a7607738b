package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.crash.DeathWatch.Death;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** How long survivors have waited after deaths, over all deaths of a test. */
final class Waits {

    private static final long WAIT_MAX_NANOS = 20_000_000;

    /** The number of standard deviations that chance exceeds once in a thousand times. */
    private static final double CHANCE = 3.1;

    private final List<Death> deaths = new ArrayList<>();
    private final List<Death> undisturbed = new ArrayList<>();

    void add(List<Death> more) {
        deaths.addAll(more);
    }

    /** Adds measurements of moments at which no process died. */
    void addUndisturbed(List<Death> more) {
        undisturbed.addAll(more);
    }

    /** Tolerates one death in a hundred: a pause of a survivor's own JVM cannot be told from waiting. */
    void requireShort() {
        assertThat(late(deaths)).as("waits of more than 20 ms").hasSizeLessThanOrEqualTo(deaths.size() / 100);
    }

    /** If puts wait for room, they do so whether a process dies or not: so a death must make no wait longer. */
    void requireNoLongerThanUndisturbed() {
        assertThat(deaths).as("measured deaths").isNotEmpty();
        assertThat(undisturbed).as("measured moments without one").isNotEmpty();
        assertThat(deviations())
                .as("standard deviations by which waits after a death rank above those where nobody died")
                .isLessThan(CHANCE);
    }

    /**
     * Returns by how many standard deviations the waits after a death rank above the others: Mann and Whitney, On a Test of
     * Whether one of Two Random Variables is Stochastically Larger than the Other, 1947.
     */
    private double deviations() {
        double above = deaths.stream()
                .mapToDouble(death -> undisturbed.stream()
                        .mapToInt(other -> Long.compare(beyondScheduler(death), beyondScheduler(other)))
                        .mapToDouble(sign -> (sign + 1) / 2.0)
                        .sum())
                .sum();
        double pairs = (double) deaths.size() * undisturbed.size();
        double deviation = Math.sqrt(pairs * (deaths.size() + undisturbed.size() + 1) / 12);
        return deviation == 0 ? 0 : (above - pairs / 2) / deviation;
    }

    /** Returns the deaths after which a survivor waited longer than it may, apart from the scheduler's delays. */
    private static List<Death> late(List<Death> of) {
        return of.stream()
                .filter(death -> death.waitNanos() - death.noiseNanos() > WAIT_MAX_NANOS)
                .toList();
    }

    /** Returns medians and longest times, and the late deaths by name. */
    String report() {
        StringBuilder text = new StringBuilder();
        text.append("measured_deaths=").append(deaths.size());
        text.append(" release_ms=").append(milliseconds(deaths, Death::releaseNanos));
        text.append(" wait_ms=").append(milliseconds(deaths, Death::waitNanos));
        text.append(" wait_beyond_scheduler_ms=").append(milliseconds(deaths, Waits::beyondScheduler));
        text.append(" late=").append(late(deaths).size());
        text.append(" undisturbed=").append(undisturbed.size());
        text.append(" undisturbed_beyond_scheduler_ms=").append(milliseconds(undisturbed, Waits::beyondScheduler));
        text.append(" undisturbed_late=").append(late(undisturbed).size());
        text.append(" deviations=").append(deviations());
        late(deaths).forEach(death -> text.append("\nwaited long: ").append(death));
        return text.toString();
    }

    private static long beyondScheduler(Death death) {
        return Math.max(0, death.waitNanos() - death.noiseNanos());
    }

    private static String milliseconds(List<Death> of, ToLongFunction<Death> time) {
        if (of.isEmpty()) {
            return "[]";
        }
        long[] sorted = of.stream().mapToLong(time).sorted().toArray();
        return LongStream.of(sorted[sorted.length / 2], sorted[sorted.length - 1])
                .mapToObj(nanos -> String.valueOf(nanos / 1e6))
                .toList()
                .toString();
    }
}
