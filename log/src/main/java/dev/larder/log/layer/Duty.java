package dev.larder.log.layer;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A piece of background work under a guard: its errors are logged here, and stop neither its thread nor another duty.
 *
 * <pre>
 * first error of a cause     one warning, with its stack
 * the same cause again       a warning at the 10th, the 100th, the 1000th ... time
 * work that succeeds         one line with the number of errors; then all causes count as new
 * </pre>
 *
 * Two errors have the same cause when their texts differ in numbers only. After an error the duty rests for a while. Not
 * thread-safe: one thread runs it.
 */
public final class Duty {

    /** How long a duty rests after an error: a full disk is tried ten times a second, not at each tick. */
    public static final long REST_NANOS = 100_000_000;

    private static final int CAUSES_MAX = 16;
    private static final String OTHER_CAUSES = "other causes";
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final String name;
    private final System.Logger logger;
    private final BooleanSupplier work;
    private @Nullable Map<String, Long> causes;
    private long errors;
    private long failedNanos;
    private boolean resting;

    /**
     * A duty that has not run yet.
     *
     * @param name what the warnings call it, for instance {@code path: background sync}
     * @param work does what is due; returns false where there was nothing to do
     */
    public Duty(String name, System.Logger logger, BooleanSupplier work) {
        this.name = name;
        this.logger = logger;
        this.work = work;
    }

    /** A guard of work that runs elsewhere; that work calls {@link #succeeded} and {@link #failed}. */
    public Duty(String name, System.Logger logger) {
        this(name, logger, () -> true);
    }

    /**
     * Does what is due, unless the duty rests after an error; throws nothing. Returns whether something was done.
     *
     * @param nowNanos the time, by the same clock for all its runs
     */
    public boolean run(long nowNanos) {
        if (resting && nowNanos - failedNanos < REST_NANOS) {
            return false;
        }
        resting = false;
        try {
            boolean done = work.getAsBoolean();
            if (done) {
                succeeded();
            }
            return done;
        } catch (RuntimeException | Error e) {
            resting = true;
            failedNanos = nowNanos;
            failed(e);
            return false;
        }
    }

    /** Records that the work succeeded, for work that runs elsewhere. */
    public void succeeded() {
        if (errors > 0) {
            long count = errors;
            errors = 0;
            causes = null;
            logger.log(
                    System.Logger.Level.INFO,
                    name + " works again, after " + count + (count == 1 ? " error" : " errors"));
        }
    }

    /** Logs an error by the rule above. Where there is no memory for that, or the logger fails, nothing is logged. */
    public void failed(Throwable error) {
        errors++;
        try {
            String text = name + " failed: " + error;
            long times = count(error);
            if (times == 1) {
                logger.log(System.Logger.Level.WARNING, text, error);
            } else if (isPowerOfTen(times)) {
                logger.log(System.Logger.Level.WARNING, text + " (repeated " + times + " times)");
            }
        } catch (RuntimeException | Error e) {
            // the error cannot be logged; the work continues
        }
    }

    /** Returns how often there was an error of the same cause, this one included. */
    private long count(Throwable error) {
        Map<String, Long> known = causes;
        if (known == null) {
            known = new HashMap<>(); // most duties never need it
            causes = known;
        }
        String cause = NUMBERS.matcher(String.valueOf(error)).replaceAll("n");
        boolean room = known.containsKey(cause) || known.size() < CAUSES_MAX;
        return known.merge(room ? cause : OTHER_CAUSES, 1L, Long::sum);
    }

    private static boolean isPowerOfTen(long number) {
        long rest = number;
        while (rest % 10 == 0) {
            rest /= 10;
        }
        return rest == 1;
    }

    @Override
    public String toString() {
        return name;
    }
}
