package dev.larder.arraycli.demo;

import java.util.ArrayList;
import java.util.List;

/** The events and samples of a demo, second by second. */
final class Timeline {

    private final List<Sample> samples = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    /**
     * A second.
     *
     * @param second its end, since the beginning
     * @param operations the operations done per second
     * @param longestMillis the longest wait of an operation that ended in this second, or still waits
     * @param retries how many attempts failed in it
     * @param leaders the node that leads each stripe, in the order of the stripes; {@code -} for none
     */
    record Sample(double second, double operations, double longestMillis, long retries, String leaders) {}

    /**
     * An event.
     *
     * @param second its time, since the beginning
     * @param text its description
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
