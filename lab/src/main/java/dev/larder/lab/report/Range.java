package dev.larder.lab.report;

/**
 * A stretch of an axis, in positions of its {@link Scale}.
 *
 * @param low the position of the near end
 * @param high the position of the far end, above {@code low}
 */
record Range(double low, double high) {

    Range {
        assert low < high;
    }

    /** Returns how far along a position stands, from 0 to 1; what is beyond an end stands at it. */
    double share(double position) {
        return Math.clamp((position - low) / (high - low), 0, 1);
    }

    /** Returns the range with more room at the far end, as a share of its length. */
    Range longer(double share) {
        return new Range(low, high + share * (high - low));
    }
}
