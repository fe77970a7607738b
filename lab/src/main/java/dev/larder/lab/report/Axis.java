package dev.larder.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One axis of a chart.
 *
 * @param label what is measured; with its unit if {@code unit} is {@link Unit#PLAIN}
 * @param unit of the numbers along it
 * @param scale their distribution
 */
public record Axis(String label, Unit unit, Scale scale) {

    private static final double ROOM = 0.05;
    private static final double EDGE = 0.02;
    private static final double[] LEADS = {1, 2, 5};

    /** A mark on an axis. */
    record Tick(double position, String label) {}

    /** Returns a linear axis with the unit in its label. */
    public static Axis plain(String label) {
        return of(label, Unit.PLAIN);
    }

    /** Returns a linear axis. */
    public static Axis of(String label, Unit unit) {
        return new Axis(label, unit, Scale.LINEAR);
    }

    /** Returns a logarithmic axis of response times in microseconds. */
    public static Axis responseTime() {
        return of("response time", Unit.MICROSECONDS).logarithmic();
    }

    /** Returns the axis with a logarithmic scale. */
    public Axis logarithmic() {
        return new Axis(label, unit, Scale.LOGARITHMIC);
    }

    /** Returns an axis of percentiles, on which each further nine takes equal room. */
    public static Axis nines() {
        return new Axis("percentile", Unit.PERCENT, Scale.NINES);
    }

    /** Returns the range of all finite values; linear ones start at zero. */
    Range range(DoubleStream values) {
        double[] finite = values.filter(Double::isFinite).toArray();
        return switch (scale) {
            case LINEAR -> linear(finite);
            case LOGARITHMIC -> logarithmic(finite);
            case NINES -> new Range(0, Math.max(1, highestNine(finite) * (1 + ROOM)));
        };
    }

    private static Range linear(double[] values) {
        double low = Math.min(0, Arrays.stream(values).min().orElse(0));
        double high = Math.max(0, Arrays.stream(values).max().orElse(0));
        return low == high ? new Range(0, 1) : new Range(low, high + ROOM * (high - low));
    }

    /**
     * Returns the range between the round values (1, 2, 5) below and above all values: at least a decade, with some room.
     */
    private static Range logarithmic(double[] values) {
        double least = Arrays.stream(values).filter(value -> value > 0).min().orElse(1);
        double greatest = Arrays.stream(values).max().orElse(1);
        double low = roundBelow(least);
        double high = -roundBelow(1 / Math.max(greatest, least));
        double length = Math.max(1, high - low);
        return new Range(low - EDGE * length, low + (1 + EDGE) * length);
    }

    /** Returns the position of the largest 1, 2 or 5 times a power of ten that does not exceed a value. */
    private static double roundBelow(double value) {
        double decade = Math.floor(Math.log10(value) + 1e-9);
        double lead = Arrays.stream(LEADS)
                .filter(each -> each <= value / Math.pow(10, decade) * (1 + 1e-9))
                .max()
                .orElse(1);
        return decade + Math.log10(lead);
    }

    private static double highestNine(double[] values) {
        return Arrays.stream(values)
                .map(Scale.NINES::position)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** Returns at most about {@code most} ticks. */
    List<Tick> ticks(Range range, int most) {
        return positions(range, Math.max(2, most))
                .filter(position -> position >= range.low() - 1e-9 && position <= range.high() + 1e-9)
                .mapToObj(position -> new Tick(position, tickLabel(position)))
                .toList();
    }

    /** Returns a value for people. */
    String text(double value) {
        return scale == Scale.NINES ? percentile(scale.position(value)) : unit.text(value);
    }

    private String tickLabel(double position) {
        double value = scale.value(position);
        return scale == Scale.NINES ? percentile(position) : unit.text(Math.abs(value) < 1e-12 ? 0 : value);
    }

    /** Returns {@code 99.9 %}: as many digits as there are nines. */
    static String percentile(double position) {
        int decimals = Math.max(0, (int) Math.ceil(position - 1e-9) - 2);
        return String.format(Locale.ROOT, "%." + decimals + "f %%", Scale.NINES.value(position));
    }

    private DoubleStream positions(Range range, int most) {
        return switch (scale) {
            case LINEAR -> multiples(range, step((range.high() - range.low()) / most));
            case LOGARITHMIC -> unit.binary() ? powersOfTwo(range, most) : decades(range, most);
            case NINES ->
                DoubleStream.concat(
                        DoubleStream.of(Scale.NINES.position(50)),
                        multiples(range, Math.max(1, Math.ceil((range.high() - range.low()) / most))));
        };
    }

    private static DoubleStream multiples(Range range, double step) {
        long first = (long) Math.ceil(range.low() / step - 1e-9);
        long last = (long) Math.floor(range.high() / step + 1e-9);
        return LongStream.rangeClosed(first, last).mapToDouble(index -> index * step);
    }

    /** Returns the smallest round step of at least this. */
    private double step(double least) {
        if (unit.binary()) {
            return Math.pow(2, Math.ceil(Math.log(least) / Math.log(2) - 1e-9));
        }
        double decade = Math.pow(10, Math.floor(Math.log10(least)));
        return Stream.of(1, 2, 5, 10)
                .map(lead -> lead * decade)
                .filter(step -> step >= least * (1 - 1e-9))
                .findFirst()
                .orElse(10 * decade);
    }

    private static DoubleStream powersOfTwo(Range range, int most) {
        double two = Math.log10(2);
        double doublings = (range.high() - range.low()) / two;
        return multiples(range, two * Math.max(1, Math.ceil(doublings / most)));
    }

    /** Returns one tick per decade, or several if there is room, or one per several decades if not. */
    private static DoubleStream decades(Range range, int most) {
        double decades = range.high() - range.low();
        if (decades * LEADS.length > most) {
            return multiples(range, Math.max(1, Math.ceil(decades / most)));
        }
        return DoubleStream.iterate(Math.floor(range.low()), decade -> decade <= range.high(), decade -> decade + 1)
                .flatMap(decade -> Arrays.stream(LEADS).map(lead -> decade + Math.log10(lead)));
    }
}
