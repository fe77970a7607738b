package dev.larder.lab.search;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Estimates how far the geometric mean of some ratios may be from the true one. It repeatedly draws as many ratios from
 * the given ones, with replacement; 95 % of the means of these draws are in the interval.
 */
final class Bootstrap {

    private static final int DRAWS = 10_000;
    private static final double OUTSIDE = 0.025;

    private final SplittableRandom random;

    Bootstrap(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * A geometric mean and its 95 % interval.
     *
     * @param low NaN, like {@code high}, if there was only one ratio
     */
    record Interval(double mean, double low, double high) {

        /** Returns it for reciprocal ratios. */
        Interval inverse() {
            return new Interval(1 / mean, 1 / high, 1 / low);
        }
    }

    /** Returns the interval of ratios, given their natural logarithms. */
    Interval of(double[] logarithms) {
        double mean = Math.exp(Arrays.stream(logarithms).average().orElse(Double.NaN));
        if (logarithms.length < 2) {
            return new Interval(mean, Double.NaN, Double.NaN);
        }
        double[] means = new double[DRAWS];
        Arrays.setAll(means, draw -> drawnMean(logarithms));
        Arrays.sort(means);
        int outside = (int) (DRAWS * OUTSIDE);
        return new Interval(mean, Math.exp(means[outside]), Math.exp(means[DRAWS - 1 - outside]));
    }

    private double drawnMean(double[] logarithms) {
        double sum = 0;
        for (int i = 0; i < logarithms.length; i++) {
            sum += logarithms[random.nextInt(logarithms.length)];
        }
        return sum / logarithms.length;
    }
}
