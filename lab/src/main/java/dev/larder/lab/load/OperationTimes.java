package dev.larder.lab.load;

import dev.larder.cli.Figures;

/** The response times of one kind of request, or of all: nanoseconds to three digits. */
final class OperationTimes {

    /** The lateness from which a request counts as late. */
    static final long LATE_NANOS = 1_000_000;

    private static final double MICRO = 1e3;

    private final String operation;
    private final Durations times = new Durations();
    private final Durations lateness = new Durations();
    private final Durations waits = new Durations();
    private final Durations services = new Durations();
    private long answeredInTime;
    private long errors;
    private long unanswered;
    private long late;

    OperationTimes(String operation) {
        this.operation = operation;
    }

    /** Adds a response, whose answer came or was given up within the load or after it. */
    void add(long responseNanos, long lateNanos, int status, boolean withinLoad) {
        times.record(responseNanos);
        lateness.record(lateNanos);
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

    /** Adds a request's waiting and service times in the target; -1 if unknown. */
    void addParts(long waitedNanos, long servedNanos) {
        if (waitedNanos >= 0 && servedNanos >= 0) {
            waits.record(waitedNanos);
            services.record(servedNanos);
        }
    }

    /** Returns how late requests left, in microseconds, at a percentile. */
    double latenessMicros(double percentile) {
        return lateness.nanosAt(percentile) / MICRO;
    }

    /** Returns the response time in microseconds at a percentile. */
    double micros(double percentile) {
        return times.nanosAt(percentile) / MICRO;
    }

    /** Returns a row of a result, for a load of so many seconds. */
    Figures row(double seconds) {
        long count = times.count();
        Figures row = new Figures()
                .put("operation", operation)
                .put("requests", count)
                .put("offered_per_s", count / seconds)
                .put("answered_per_s", answeredInTime / seconds)
                .put("errors", errors)
                .put("unanswered", unanswered)
                .putAll(times.figures("%s_us", "mean p50 p90 p99 p999 p9999 max"))
                .put("late_sends", late)
                .putAll(lateness.figures("late_%s_us", "p99 max"));
        if (services.count() > 0) {
            row.putAll(waits.figures("waited_%s_us", "mean p50 p99 max"))
                    .putAll(services.figures("served_%s_us", "mean p50 p99 max"));
        }
        return row.put("percentiles", times.curve());
    }
}
