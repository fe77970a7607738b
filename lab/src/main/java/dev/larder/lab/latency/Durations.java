package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Durations of one kind, to three digits; and what a result says of them, in microseconds. */
final class Durations {

    private static final long LONGEST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;
    private static final int POINTS_PER_HALVING = 5;
    private static final double MICRO = 1e3;
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

    /** {@code requests, mean_us, p50_us ... p9999_us, max_us}; a percentile that so few cannot bear is null. */
    Figures figures() {
        boolean none = count() == 0;
        Figures figures =
                new Figures().put("requests", count()).put("mean_us", none ? Double.NaN : histogram.getMean() / MICRO);
        for (int index = 0; index < PERCENTILES.length; index++) {
            figures.put(NAMES.get(index), percentile(PERCENTILES[index]));
        }
        return figures.put("max_us", none ? Double.NaN : histogram.getMaxValue() / MICRO);
    }

    /** The {@link #figures}, and the curve of all percentiles, denser where the nines are: {@code [percentile, us]}. */
    Figures figuresAndCurve() {
        List<List<Double>> curve = new ArrayList<>();
        for (HistogramIterationValue point : histogram.percentiles(POINTS_PER_HALVING)) {
            curve.add(List.of(point.getPercentileLevelIteratedTo(), point.getValueIteratedTo() / MICRO));
        }
        return figures().put("percentiles", curve);
    }

    private double percentile(double percentile) {
        boolean borne = count() * (100 - percentile) / 100 >= 1 - 1e-6;
        return borne ? histogram.getValueAtPercentile(percentile) / MICRO : Double.NaN;
    }
}
