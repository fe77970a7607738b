package dev.larder.lab.report;

/** The distribution of values along an axis. A position is proportional to the distance on the paper. */
public enum Scale {
    /** Equal differences take equal room. */
    LINEAR,

    /** Equal ratios take equal room. */
    LOGARITHMIC,

    /** Percentiles: each further nine (90 %, 99 %, 99.9 %) takes equal room. */
    NINES;

    private static final double HUNDRED = 100;

    /** Returns the position of a value; negative infinity for values without a logarithm. */
    double position(double value) {
        return switch (this) {
            case LINEAR -> value;
            case LOGARITHMIC -> value <= 0 ? Double.NEGATIVE_INFINITY : Math.log10(value);
            case NINES -> Math.log10(HUNDRED / (HUNDRED - value));
        };
    }

    /** Returns the value at a position. */
    double value(double position) {
        return switch (this) {
            case LINEAR -> position;
            case LOGARITHMIC -> Math.pow(10, position);
            case NINES -> HUNDRED - HUNDRED * Math.pow(10, -position);
        };
    }
}
