package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Failures of a task that is tried again ten times a second. */
final class RepeatedFailuresTest {

    private final List<String> logged = new ArrayList<>();
    private long nowNanos = -5;
    private final RepeatedFailures failures = new RepeatedFailures(
            () -> nowNanos, (message, error) -> logged.add(message + (error == null ? "" : " with a stack trace")));

    private void fail(RuntimeException error) {
        failures.attempt("cannot work", () -> {
            throw error;
        });
    }

    @Test
    void theFirstOfACauseIsLoggedAndThenALineAMinute() {
        for (int i = 0; i < 1200; i++) {
            fail(new IllegalStateException("key " + i));
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
        }
        fail(new IllegalArgumentException("other"));
        failures.attempt("cannot work", () -> {});
        assertThat(logged)
                .containsExactly(
                        "cannot work: java.lang.IllegalStateException: key 0 with a stack trace",
                        "cannot work: java.lang.IllegalStateException: key 600 (600 times more since this was logged"
                                + " last)",
                        "cannot work: java.lang.IllegalArgumentException: other with a stack trace");
    }
}
