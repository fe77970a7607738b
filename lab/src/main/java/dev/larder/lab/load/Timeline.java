package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Response times by intended moment: a histogram for each of at most 300 intervals. */
final class Timeline {

    private static final int INTERVALS_MAX = 300;
    private static final double SHORTEST_SECONDS = 0.1;
    private static final int DIGITS = 2;

    private final double intervalSeconds;
    private final List<Durations> intervals = new ArrayList<>();
    private long[] answers = new long[INTERVALS_MAX + 1];

    Timeline(double seconds) {
        intervalSeconds = Math.max(SHORTEST_SECONDS, seconds / INTERVALS_MAX);
    }

    void add(long intended, long responseNanos) {
        int index = index(intended);
        while (intervals.size() <= index) {
            intervals.add(new Durations(DIGITS));
        }
        intervals.get(index).record(responseNanos);
        int answered = index(intended + responseNanos);
        if (answered >= answers.length) {
            answers = Arrays.copyOf(answers, 2 * answered + 1);
        }
        answers[answered]++;
    }

    private int index(long nanos) {
        return (int) (nanos / (intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
    }

    /**
     * Returns for each interval {@code second}; of the requests intended for it {@code requests}, {@code mean_us},
     * {@code p50_us}, {@code p99_us}, {@code p999_us}, {@code max_us}; and {@code answered_per_s}.
     */
    List<Figures> rows() {
        List<Figures> rows = new ArrayList<>();
        for (int index = 0; index < intervals.size(); index++) {
            Durations interval = intervals.get(index);
            rows.add(new Figures()
                    .put("second", index * intervalSeconds)
                    .put("requests", interval.count())
                    .put("answered_per_s", answers[index] / intervalSeconds)
                    .putAll(interval.figures("%s_us", "mean p50 p99 p999 max")));
        }
        return rows;
    }
}
