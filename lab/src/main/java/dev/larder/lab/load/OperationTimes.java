package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The response times of one kind of request, or of all: nanoseconds to three digits. */
final class OperationTimes {

    /** From how late on a request counts as sent late. */
    static final long LATE_NANOS = 1_000_000;

    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;
    private static final double MICRO = 1e3;
    private static final int PERCENTILE_SCALE = 10;

    private final String operation;
    private final Histogram times = new Histogram(1, HIGHEST_NANOS, DIGITS);
    private final Histogram lateness = new Histogram(1, HIGHEST_NANOS, DIGITS);
    private final Histogram waits = new Histogram(1, HIGHEST_NANOS, DIGITS);
    private final Histogram services = new Histogram(1, HIGHEST_NANOS, DIGITS);
    private long answeredInTime;
    private long errors;
    private long unanswered;
    private long late;

    OperationTimes(String operation) {
        this.operation = operation;
    }

    /** Adds a response whose answer came, or was given up, within the load or after it. */
    void add(long responseNanos, long lateNanos, int status, boolean withinLoad) {
        times.recordValue(clamp(responseNanos));
        lateness.recordValue(clamp(lateNanos));
        if (lateNanos > LATE_NANOS) {
            late++;
        }
        if (status == Response.UNANSWERED) {
            unanswered++;
        } else if (status != Service.SERVED) {
            errors++;
        }
        if (withinLoad && status != Response.UNANSWERED) {
            answeredInTime++;
        }
    }

    /** Adds how long a request waited in the target, and was worked on; -1 where the target does not tell. */
    void addParts(long waitedNanos, long servedNanos) {
        if (waitedNanos >= 0 && servedNanos >= 0) {
            waits.recordValue(clamp(waitedNanos));
            services.recordValue(clamp(servedNanos));
        }
    }

    private static long clamp(long nanos) {
        return Math.clamp(nanos, 0, HIGHEST_NANOS);
    }

    /** Returns how late requests left, in microseconds, at a percentile. */
    double latenessMicros(double percentile) {
        return lateness.getValueAtPercentile(percentile) / MICRO;
    }

    /** Returns the response time in microseconds at a percentile. */
    double micros(double percentile) {
        return times.getValueAtPercentile(percentile) / MICRO;
    }

    /** Returns one row of a result, of a load of so many seconds. */
    Figures row(double seconds) {
        long count = times.getTotalCount();
        Figures row = new Figures()
                .put("operation", operation)
                .put("requests", count)
                .put("offered_per_s", count / seconds)
                .put("answered_per_s", answeredInTime / seconds)
                .put("errors", errors)
                .put("unanswered", unanswered)
                .put("mean_us", count == 0 ? Double.NaN : times.getMean() / MICRO)
                .put("p50_us", orNone(50))
                .put("p90_us", orNone(90))
                .put("p99_us", orNone(99))
                .put("p999_us", orNone(99.9))
                .put("p9999_us", orNone(99.99))
                .put("max_us", count == 0 ? Double.NaN : times.getMaxValue() / MICRO)
                .put("late_sends", late)
                .put("late_p99_us", count == 0 ? Double.NaN : latenessMicros(99))
                .put("late_max_us", count == 0 ? Double.NaN : lateness.getMaxValue() / MICRO);
        if (services.getTotalCount() > 0) {
            addParts(row, "waited", waits);
            addParts(row, "served", services);
        }
        return row.put("percentiles", percentiles());
    }

    private static void addParts(Figures row, String name, Histogram parts) {
        row.put(name + "_mean_us", parts.getMean() / MICRO)
                .put(name + "_p50_us", parts.getValueAtPercentile(50) / MICRO)
                .put(name + "_p99_us", parts.getValueAtPercentile(99) / MICRO)
                .put(name + "_max_us", parts.getMaxValue() / MICRO);
    }

    private double orNone(double percentile) {
        return times.getTotalCount() == 0 ? Double.NaN : micros(percentile);
    }

    private List<List<Number>> percentiles() {
        return PercentileGrid.upTo(times.getTotalCount())
                .mapToObj(percentile -> List.<Number>of(exact(percentile), micros(percentile)))
                .toList();
    }

    /** A result keeps fractions to four decimals, and from a million requests on that is 100 %; it leaves decimals whole. */
    private static BigDecimal exact(double percentile) {
        return new BigDecimal(percentile).setScale(PERCENTILE_SCALE, RoundingMode.HALF_EVEN);
    }
}
