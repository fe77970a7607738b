package dev.larder.log.background;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

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

    /** How long a duty rests after an error: a full disk is asked ten times a second, not at each tick. */
    static final long REST_NANOS = 100_000_000;

    private static final int CAUSES_MAX = 16;
    private static final String OTHER_CAUSES = "other causes";
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final String name;
    private final System.Logger logger;
    private final BooleanSupplier work;
    private final Map<String, Long> causes = new HashMap<>();
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

    /**
     * Does what is due, unless the duty rests after an error; throws nothing. Returns whether something was done.
     *
     * @param nowNanos the time, by the clock that all its runs are told
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

    /** Takes note that the work succeeded, for work that runs elsewhere. */
    void succeeded() {
        if (errors > 0) {
            long count = errors;
            errors = 0;
            causes.clear();
            logger.log(
                    System.Logger.Level.INFO,
                    name + " works again, after " + count + (count == 1 ? " error" : " errors"));
        }
    }

    /** Logs an error by the rule above. Where there is no memory for that, or the logger fails, nothing is logged. */
    void failed(Throwable error) {
        errors++;
        try {
            String text = name + " failed: " + error;
            long times = causes.merge(cause(error), 1L, Long::sum);
            if (times == 1) {
                logger.log(System.Logger.Level.WARNING, text, error);
            } else if (isPowerOfTen(times)) {
                logger.log(System.Logger.Level.WARNING, text + " (repeated " + times + " times)");
            }
        } catch (RuntimeException | Error e) {
            // nobody can be told; the work goes on
        }
    }

    private String cause(Throwable error) {
        String cause = NUMBERS.matcher(String.valueOf(error)).replaceAll("n");
        return causes.containsKey(cause) || causes.size() < CAUSES_MAX ? cause : OTHER_CAUSES;
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
