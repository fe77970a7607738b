package dev.larder.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** The unit and format of the numbers of an axis: {@code 12.3 µs}, {@code 4 KiB}, {@code 20 k/s}. */
public enum Unit {
    /** Time in nanoseconds. */
    NANOSECONDS(1, 1000),

    /** Time in microseconds. */
    MICROSECONDS(1e3, 1000),

    /** Time in milliseconds. */
    MILLISECONDS(1e6, 1000),

    /** Time in seconds. */
    SECONDS(1e9, 1000),

    /** Bytes, in powers of 1024. */
    BYTES(1, 1024),

    /** Events a second. */
    PER_SECOND(1, 1000),

    /** Things. */
    COUNT(1, 1000),

    /** Percent. */
    PERCENT(1, 0),

    /** The unit in the axis's label. */
    PLAIN(1, 0);

    private static final int DIGITS = 3;

    private final double smallest;
    private final int step;

    Unit(double smallest, int step) {
        this.smallest = smallest;
        this.step = step;
    }

    /** Returns the unit in a figure's name: {@code p99_us} is a time in microseconds, {@code p99_us_over_mmap} a ratio. */
    public static Unit of(String figure) {
        if (figure.contains("_over_")) {
            return PLAIN;
        }
        if (figure.matches("(.*_)?us(_.*)?")) {
            return MICROSECONDS;
        }
        if (figure.matches("(.*_)?ms(_.*)?")) {
            return MILLISECONDS;
        }
        if (figure.contains("bytes")) {
            return BYTES;
        }
        return figure.matches("(.*_)?per_s(_.*)?") ? PER_SECOND : PLAIN;
    }

    private List<String> symbols() {
        return switch (this) {
            case NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS -> List.of("ns", "µs", "ms", "s");
            case BYTES -> List.of("B", "KiB", "MiB", "GiB", "TiB");
            case PER_SECOND -> List.of("/s", "k/s", "M/s", "G/s");
            case COUNT -> List.of("", "k", "M", "G");
            case PERCENT -> List.of("%");
            case PLAIN -> List.of("");
        };
    }

    /** Returns a value for people, with three digits and its unit; a dash for NaN. */
    public String text(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        double absolute = Math.abs(value) * smallest;
        int symbol = symbol(absolute);
        String digits = digits(Math.copySign(scaled(absolute, symbol), value));
        return value == 0 ? "0" : (digits + " " + symbols().get(symbol)).strip();
    }

    /** Returns the largest unit in which the rounded value is at least 1: 999.9 ns are 1 µs. */
    private int symbol(double absolute) {
        int symbol = 0;
        while (step > 0 && symbol < symbols().size() - 1 && scaled(absolute, symbol) >= step) {
            symbol++;
        }
        return symbol;
    }

    private double scaled(double absolute, int symbol) {
        return rounded(absolute / Math.pow(step, symbol));
    }

    private static double rounded(double value) {
        return Math.abs(value) >= Math.pow(10, DIGITS)
                ? Math.rint(value)
                : new BigDecimal(value).round(new MathContext(DIGITS)).doubleValue();
    }

    private static String digits(double value) {
        return Math.abs(value) >= Math.pow(10, DIGITS)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** Returns whether tick distances are powers of two, not of ten. */
    boolean binary() {
        return this == BYTES;
    }
}
