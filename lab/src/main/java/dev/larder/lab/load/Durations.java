package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Durations of one kind in nanoseconds, and what a result says of them. */
public final class Durations {

    /** Digits that are kept of each, unless others are asked for. */
    private static final int DIGITS = 3;

    private static final int POINTS_PER_HALVING = 5;
    private static final List<String> PERCENTILES = List.of("p50", "p90", "p99", "p999", "p9999");
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private final Histogram histogram;

    /** None yet; three digits of each are kept. */
    public Durations() {
        this(DIGITS);
    }

    /** None yet; so many digits of each are kept. */
    public Durations(int digits) {
        histogram = new Histogram(1, LONGEST_NANOS, digits);
    }

    /** Adds one. */
    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }

    /** Adds those of another. */
    public void add(Durations others) {
        histogram.add(others.histogram);
    }

    /** Forgets them all. */
    public void clear() {
        histogram.reset();
    }

    /** Returns how many there are. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** Returns how many lasted longer than a bound. */
    public long above(long nanos) {
        return count() - histogram.getCountBetweenValues(0, nanos);
    }

    /** Returns one below which a percentile of them stays. */
    public double nanosAt(double percentile) {
        return histogram.getValueAtPercentile(percentile);
    }

    /**
     * Returns figures by their names: {@code mean}, {@code max}, and percentiles as {@code p50} or {@code p999}.
     *
     * @param form of their names, with a {@code %s}, such as {@code late_%s_us}; its end tells the unit, us or ms
     * @param names with spaces between
     */
    public Figures figures(String form, String names) {
        double unit = form.endsWith("ms") ? 1e6 : 1e3;
        Figures figures = new Figures();
        for (String name : names.split(" ", -1)) {
            figures.put(form.replace("%s", name), count() == 0 ? Double.NaN : nanos(name) / unit);
        }
        return figures;
    }

    private double nanos(String name) {
        return switch (name) {
            case "mean" -> histogram.getMean();
            case "max" -> histogram.getMaxValue();
            default -> nanosAt(percentile(name));
        };
    }

    /** Returns 99.9 for {@code p999}. */
    private static double percentile(String name) {
        String digits = name.substring(1);
        return digits.length() <= 2
                ? Double.parseDouble(digits)
                : Double.parseDouble(digits.substring(0, 2) + "." + digits.substring(2));
    }

    /** Returns the {@code requests} in microseconds as above; a percentile that so few cannot bear is null. */
    public Figures borne() {
        Figures figures = new Figures().put("requests", count()).putAll(figures("%s_us", "mean"));
        for (String name : PERCENTILES) {
            boolean isBorne = count() * (100 - percentile(name)) / 100 >= 1 - 1e-6;
            figures.put(name + "_us", isBorne ? nanos(name) / 1e3 : Double.NaN);
        }
        return figures.putAll(figures("%s_us", "max"));
    }

    /** Returns the same, and the curve of all percentiles, denser where the nines are: {@code [percentile, us]}. */
    public Figures borneWithCurve() {
        List<List<Double>> curve = new ArrayList<>();
        for (HistogramIterationValue point : histogram.percentiles(POINTS_PER_HALVING)) {
            curve.add(List.of(point.getPercentileLevelIteratedTo(), point.getValueIteratedTo() / 1e3));
        }
        return borne().put("percentiles", curve);
    }
}
