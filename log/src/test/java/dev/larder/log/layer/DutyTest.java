package dev.larder.log.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a {@link Duty} logs, and when it rests. */
final class DutyTest {

    private final List<String> logged = new ArrayList<>();
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private final Duty duty = new Duty("log: background drop", new Recorder(), this::work);
    private boolean idle;
    private int runs;
    private long now;

    /** Records the level and the text of each message, and whether an error came with its stack. */
    private final class Recorder implements System.Logger {

        @Override
        public String getName() {
            return "recorder";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
            logged.add(level + " " + text + (thrown == null ? "" : ", with its stack"));
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... values) {
            logged.add(level + " " + format);
        }
    }

    private boolean work() {
        runs++;
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
        return !idle;
    }

    private void runAfterRest() {
        now += Duty.REST_NANOS;
        duty.run(now);
    }

    private void fail(RuntimeException... thrown) {
        for (RuntimeException failure : thrown) {
            failures.add(failure);
            runAfterRest();
        }
    }

    @Test
    void warnsOnceForACauseThenCounts() {
        for (int i = 0; i < 100; i++) {
            fail(new StorageException("cannot reserve " + i + " bytes"));
        }
        String failed = "WARNING log: background drop failed: " + StorageException.class.getName();
        assertThat(logged)
                .containsExactly(
                        failed + ": cannot reserve 0 bytes, with its stack",
                        failed + ": cannot reserve 9 bytes (repeated 10 times)",
                        failed + ": cannot reserve 99 bytes (repeated 100 times)");
    }

    @Test
    void warnsOfEachCauseThoughTheyTakeTurns() {
        for (int i = 0; i < 4; i++) {
            fail(new StorageException("one"), new DiskFullException("two"));
        }
        assertThat(logged).hasSize(2);
    }

    @Test
    void keepsNoMoreThanSoManyCauses() {
        for (char cause = 'a'; cause <= 'z'; cause++) {
            fail(new StorageException("cause " + cause));
        }
        assertThat(logged).hasSize(16 + 2); // one for the first of all others, and one for the tenth of them
    }

    @Test
    void saysThatItWorksAgainAndWarnsAnew() {
        fail(new StorageException("full"), new StorageException("full"));
        runAfterRest();
        runAfterRest();
        fail(new StorageException("full"));
        assertThat(logged).hasSize(3);
        assertThat(logged.get(1)).isEqualTo("INFO log: background drop works again, after 2 errors");
        assertThat(logged.get(2)).startsWith("WARNING");
    }

    /** A run without work does not show that the duty works again. */
    @Test
    void doesNotWorkAgainByDoingNothing() {
        fail(new StorageException("full"));
        idle = true;
        runAfterRest();
        fail(new StorageException("full"));
        assertThat(logged).hasSize(1);
    }

    @Test
    void restsAfterAnError() {
        fail(new StorageException("full"));
        assertThat(duty.run(now + Duty.REST_NANOS - 1)).isFalse();
        assertThat(runs).isEqualTo(1);
        assertThat(duty.run(now + Duty.REST_NANOS)).isTrue();
        assertThat(duty.run(now + Duty.REST_NANOS)).isTrue();
        assertThat(runs).isEqualTo(3);
    }

    @Test
    void worksOnWhereItsErrorsCannotBeLogged() {
        Duty unheard = new Duty("log: background drop", new Recorder(), () -> {
            runs++;
            throw new Untold();
        });
        assertThat(unheard.run(0)).isFalse();
        assertThat(unheard.run(Duty.REST_NANOS)).isFalse();
        assertThat(runs).isEqualTo(2);
        assertThat(logged).isEmpty();
    }

    private static final class Untold extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no memory for a text");
        }
    }
}
