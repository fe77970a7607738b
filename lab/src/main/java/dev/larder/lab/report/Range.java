package dev.larder.lab.report;

/**
 * A part of an axis, in positions of its {@link Scale}.
 *
 * @param low the position of the near end
 * @param high the position of the far end, above {@code low}
 */
record Range(double low, double high) {

    Range {
        assert low < high;
    }

    /** Returns a position as a share of the range, from 0 to 1; clamps it to the ends. */
    double share(double position) {
        return Math.clamp((position - low) / (high - low), 0, 1);
    }

    /** Returns the range with more room at the far end, as a share of its length. */
    Range longer(double share) {
        return new Range(low, high + share * (high - low));
    }
}
