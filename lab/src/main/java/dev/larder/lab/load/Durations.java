package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Durations of one kind in nanoseconds, and their figures for a result. */
public final class Durations {

    /** Default number of digits kept of each. */
    private static final int DIGITS = 3;

    private static final int POINTS_PER_NINE = 10;
    private static final double HUNDRED = 100;
    private static final List<String> PERCENTILES = List.of("p50", "p90", "p99", "p999", "p9999");
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private final Histogram histogram;

    /** None yet; keeps three digits of each. */
    public Durations() {
        this(DIGITS);
    }

    /** None yet; keeps so many digits of each. */
    public Durations(int digits) {
        histogram = new Histogram(1, LONGEST_NANOS, digits);
    }

    /** Adds one. */
    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }

    /** Adds other ones. */
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

    /** Returns the duration at a percentile. */
    public double nanosAt(double percentile) {
        return histogram.getValueAtPercentile(percentile);
    }

    /**
     * Returns figures by name: {@code mean}, {@code max}, and percentiles such as {@code p50} or {@code p999}.
     *
     * @param form of their names, with a {@code %s}, such as {@code late_%s_us}; it ends with the unit, us or ms
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

    /** Returns {@code requests} and times in microseconds; a percentile with too few requests is null. */
    public Figures borne() {
        Figures figures = new Figures().put("requests", count()).putAll(figures("%s_us", "mean"));
        for (String name : PERCENTILES) {
            boolean isBorne = count() * (100 - percentile(name)) / 100 >= 1 - 1e-6;
            figures.put(name + "_us", isBorne ? nanos(name) / 1e3 : Double.NaN);
        }
        return figures.putAll(figures("%s_us", "max"));
    }

    /** Returns the same with the curve of all percentiles. */
    public Figures borneWithCurve() {
        return borne().put("percentiles", curve());
    }

    /**
     * Returns the curve, {@code [percentile, us]} each: ten points for each nine (0, 20.6, 36.9, ... 90, ... 99, ...), while a
     * duration lies above, and 100. A result rounds fractions to four decimals, which is 100 % from a million on, but keeps
     * decimals exactly.
     */
    List<List<Number>> curve() {
        int steps = count() == 0 ? -1 : (int) Math.floor(Math.log10((double) count()) * POINTS_PER_NINE);
        DoubleStream grid = IntStream.rangeClosed(0, steps)
                .mapToDouble(step -> HUNDRED * (1 - Math.pow(10, -(double) step / POINTS_PER_NINE)));
        return DoubleStream.concat(grid, DoubleStream.of(HUNDRED).limit(steps + 1))
                .mapToObj(percentile -> List.<Number>of(
                        new BigDecimal(percentile).setScale(10, RoundingMode.HALF_EVEN), nanosAt(percentile) / 1e3))
                .toList();
    }
}
