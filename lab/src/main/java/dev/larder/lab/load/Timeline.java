package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Response times by when the request was to leave: a histogram for each of at most 300 intervals. */
final class Timeline {

    private static final int INTERVALS_MAX = 300;
    private static final double SHORTEST_SECONDS = 0.1;
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 2;
    private static final double MICRO = 1e3;

    private final double intervalSeconds;
    private final List<Histogram> intervals = new ArrayList<>();

    Timeline(double seconds) {
        intervalSeconds = Math.max(SHORTEST_SECONDS, seconds / INTERVALS_MAX);
    }

    void add(long intended, long responseNanos) {
        int index = (int) (intended / (intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
        while (intervals.size() <= index) {
            intervals.add(new Histogram(1, HIGHEST_NANOS, DIGITS));
        }
        intervals.get(index).recordValue(Math.clamp(responseNanos, 0, HIGHEST_NANOS));
    }

    /** Returns {@code second}, {@code requests}, {@code p50_us}, {@code p99_us}, {@code max_us} for each interval. */
    List<Figures> rows() {
        List<Figures> rows = new ArrayList<>();
        for (int index = 0; index < intervals.size(); index++) {
            Histogram interval = intervals.get(index);
            boolean empty = interval.getTotalCount() == 0;
            rows.add(new Figures()
                    .put("second", index * intervalSeconds)
                    .put("requests", interval.getTotalCount())
                    .put("p50_us", empty ? Double.NaN : interval.getValueAtPercentile(50) / MICRO)
                    .put("p99_us", empty ? Double.NaN : interval.getValueAtPercentile(99) / MICRO)
                    .put("max_us", empty ? Double.NaN : interval.getMaxValue() / MICRO));
        }
        return rows;
    }
}
