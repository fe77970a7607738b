package dev.larder.lab.result;

import dev.larder.cli.Figures;
import java.util.Arrays;
import java.util.Collection;

/** A set of measured values, without the unmeasured ones (NaN). */
public final class Sample {

    private final double[] sorted;

    public Sample(Collection<Double> values) {
        sorted = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
    }

    public boolean isEmpty() {
        return sorted.length == 0;
    }

    public double mean() {
        return Arrays.stream(sorted).average().orElse(Double.NaN);
    }

    /** The median; between the two middle values for an even count. */
    public double median() {
        if (isEmpty()) {
            return Double.NaN;
        }
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** The smallest value that at least this share of all values does not exceed (nearest rank). */
    public double quantile(double share) {
        if (isEmpty()) {
            return Double.NaN;
        }
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    public double max() {
        return quantile(1);
    }

    public double min() {
        return isEmpty() ? Double.NaN : sorted[0];
    }

    /** {@code mean}, {@code median}, {@code p95}, {@code max}. */
    public Figures figures() {
        return new Figures()
                .put("mean", mean())
                .put("median", median())
                .put("p95", quantile(0.95))
                .put("max", max());
    }
}
