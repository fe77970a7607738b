package dev.larder.arraycli.demo;

import java.util.ArrayList;
import java.util.List;

/** What happened second by second. */
final class Timeline {

    private final List<Sample> samples = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    /**
     * A second.
     *
     * @param second its end, since the beginning
     * @param operations how many were done in a second
     * @param longestMillis the longest wait of an operation that ended in it, or waits still
     * @param retries how many attempts have failed in it
     * @param leaders the node that leads each stripe, in the order of the stripes; {@code -} for none
     */
    record Sample(double second, double operations, double longestMillis, long retries, String leaders) {}

    /**
     * Something that happened.
     *
     * @param second when, since the beginning
     * @param text what
     */
    record Event(double second, String text) {}

    void add(Sample sample) {
        samples.add(sample);
    }

    void add(Event event) {
        events.add(event);
    }

    List<Sample> samples() {
        return List.copyOf(samples);
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    double longestMillis() {
        return samples.stream().mapToDouble(Sample::longestMillis).max().orElse(0);
    }
}
