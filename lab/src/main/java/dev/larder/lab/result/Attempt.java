package dev.larder.lab.result;

import dev.larder.cli.FailureReason;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Work that may fail with an I/O error, or be interrupted; it reports both as the reason why a run ends. */
public final class Attempt {

    private Attempt() {}

    /** A step to try. */
    @FunctionalInterface
    public interface Step {

        /** Does it. */
        void run() throws IOException, InterruptedException;
    }

    /** Work to try, with a result. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {

        /** Does it. */
        T run() throws IOException, InterruptedException;
    }

    /**
     * Does something.
     *
     * @param what in words, after "cannot": {@code "read " + file}
     * @throws LabException that says what failed, and why
     */
    public static void to(String what, Step step) {
        giving(what, () -> {
            step.run();
            return what;
        });
    }

    /** As above, and returns the result. */
    public static <T extends @Nullable Object> T giving(String what, Work<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new LabException("cannot " + what + ": " + FailureReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("cannot " + what + ": interrupted", e);
        }
    }

    /** Sleeps for some seconds, before something. */
    public static void sleep(double seconds, String before) {
        to(before, () -> TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9)));
    }

    /** Waits for another thread's work; rethrows a {@link LabException}, wraps other failures. */
    public static <T> T await(String what, Future<T> future) {
        return giving(what, () -> {
            try {
                return future.get();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw cause instanceof LabException told
                        ? told
                        : new LabException("cannot " + what + ": " + words(cause), cause);
            }
        });
    }

    private static String words(Throwable cause) {
        return cause instanceof IOException failure
                ? FailureReason.of(failure)
                : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }

    /** Waits for a thread to end; keeps the interrupt status if interrupted. */
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
