package dev.larder.arraycli.demo;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The results of the clients since they began. Thread-safe. */
final class Tally {

    private final LongAdder operations = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

    /**
     * The numbers at one moment.
     *
     * @param operations how many operations were done
     * @param retries how many attempts failed and were followed by another
     * @param errors how many operations were given up
     * @param wrong how many reads returned anything but the last acknowledged value
     */
    record Counts(long operations, long retries, long errors, long wrong) {}

    void done(long nanos) {
        operations.increment();
        waited(nanos);
    }

    void waited(long nanos) {
        longestNanos.accumulate(nanos);
    }

    void retried() {
        retries.increment();
    }

    void givenUp() {
        errors.increment();
    }

    void wrong() {
        wrong.increment();
    }

    Counts counts() {
        return new Counts(operations.sum(), retries.sum(), errors.sum(), wrong.sum());
    }

    /** Returns the longest wait since the last call. */
    long takeLongestNanos() {
        return longestNanos.getThenReset();
    }
}
