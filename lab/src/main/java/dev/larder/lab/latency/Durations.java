package dev.larder.lab.latency;

import dev.larder.lab.result.Figures;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Durations of one kind, to three digits; and what a result says of them, in microseconds. */
final class Durations {

    private static final long LONGEST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;
    private static final int POINTS_PER_HALVING = 5;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final List<String> NAMES = List.of("p50_us", "p90_us", "p99_us", "p999_us", "p9999_us");

    private final Histogram histogram = new Histogram(LONGEST_NANOS, DIGITS);

    void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }

    void clear() {
        histogram.reset();
    }

    long count() {
        return histogram.getTotalCount();
    }

    /** Returns how many lasted longer than a bound. */
    long above(long nanos) {
        return count() - histogram.getCountBetweenValues(0, nanos);
    }

    /** {@code mean_us, p50_us ... p9999_us, max_us}; a percentile that so few cannot bear is null. */
    Figures figures() {
        Figures figures = new Figures().put("mean_us", count() == 0 ? Double.NaN : histogram.getMean() / 1e3);
        for (int index = 0; index < PERCENTILES.length; index++) {
            figures.put(NAMES.get(index), percentile(PERCENTILES[index]));
        }
        return figures.put("max_us", count() == 0 ? Double.NaN : histogram.getMaxValue() / 1e3);
    }

    private double percentile(double percentile) {
        boolean borne = count() * (100 - percentile) / 100 >= 1 - 1e-6;
        return borne ? histogram.getValueAtPercentile(percentile) / 1e3 : Double.NaN;
    }

    /** Returns the curve of percentiles for a chart: {@code percentile, us}, denser where the nines are. */
    List<Figures> curve() {
        List<Figures> curve = new ArrayList<>();
        for (HistogramIterationValue point : histogram.percentiles(POINTS_PER_HALVING)) {
            curve.add(new Figures()
                    .put("percentile", point.getPercentileLevelIteratedTo())
                    .put("us", point.getValueIteratedTo() / 1e3));
        }
        return curve;
    }
}
