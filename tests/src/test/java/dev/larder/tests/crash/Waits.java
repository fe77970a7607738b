package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.crash.DeathWatch.Death;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** How long survivors have waited for the dead, over all deaths of a test. */
final class Waits {

    private static final long WAIT_MAX_NANOS = 20_000_000;

    private final List<Death> deaths = new ArrayList<>();

    void add(List<Death> more) {
        deaths.addAll(more);
    }

    /** One death in a hundred is let pass: what a survivor's JVM stops for by itself cannot be told from waiting. */
    void requireShort() {
        assertThat(late()).as("waits of more than 20 ms").hasSizeLessThanOrEqualTo(deaths.size() / 100);
    }

    /** The deaths for which a survivor waited longer than it may, beyond what the scheduler kept from it. */
    private List<Death> late() {
        return deaths.stream()
                .filter(death -> death.waitNanos() - death.noiseNanos() > WAIT_MAX_NANOS)
                .toList();
    }

    /** Tells medians and longest times, and names those that were late. */
    String report() {
        StringBuilder text = new StringBuilder();
        text.append("measured_deaths=").append(deaths.size());
        text.append(" release_ms=").append(milliseconds(Death::releaseNanos));
        text.append(" wait_ms=").append(milliseconds(Death::waitNanos));
        text.append(" wait_beyond_scheduler_ms=")
                .append(milliseconds(death -> Math.max(0, death.waitNanos() - death.noiseNanos())));
        text.append(" late=").append(late().size());
        late().forEach(death -> text.append("\nwaited long: ").append(death));
        return text.toString();
    }

    private String milliseconds(ToLongFunction<Death> time) {
        if (deaths.isEmpty()) {
            return "[]";
        }
        long[] sorted = deaths.stream().mapToLong(time).sorted().toArray();
        return LongStream.of(sorted[sorted.length / 2], sorted[sorted.length - 1])
                .mapToObj(nanos -> String.valueOf(nanos / 1e6))
                .toList()
                .toString();
    }
}
