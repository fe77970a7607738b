package dev.larder.lab.report;

/** How the values of an axis are spread along it. A position is what is proportional to the distance on the paper. */
public enum Scale {
    /** Equal differences take equal room. */
    LINEAR,

    /** Equal ratios take equal room. */
    LOGARITHMIC,

    /** Percentiles: each further nine (90 %, 99 %, 99.9 %) takes equal room. */
    NINES;

    private static final double HUNDRED = 100;

    /** Returns where a value stands; negative infinity for what a logarithm has no place for. */
    double position(double value) {
        return switch (this) {
            case LINEAR -> value;
            case LOGARITHMIC -> value <= 0 ? Double.NEGATIVE_INFINITY : Math.log10(value);
            case NINES -> Math.log10(HUNDRED / (HUNDRED - value));
        };
    }

    /** Returns the value that stands at a position. */
    double value(double position) {
        return switch (this) {
            case LINEAR -> position;
            case LOGARITHMIC -> Math.pow(10, position);
            case NINES -> HUNDRED - HUNDRED * Math.pow(10, -position);
        };
    }
}
