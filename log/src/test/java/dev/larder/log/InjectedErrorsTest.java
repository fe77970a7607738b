package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An error of the JVM at any named step of an append, a batch or a roll leaves nothing claimed and nothing locked. */
final class InjectedErrorsTest {

    private static final List<String> STEPS = List.of(
            "append.entered", "append.claimed", "append.copied", "append.committed", "roll.ended", "roll.entered");

    @TempDir
    Path directory;

    /** Throws an error once, at one step. */
    private static final class Thrower implements Failpoints {

        private final String at;
        private final Error error;
        private final AtomicReference<@Nullable Error> armed = new AtomicReference<>();

        Thrower(String at, Error error) {
            this.at = at;
            this.error = error;
        }

        void arm() {
            armed.set(error);
        }

        @Override
        public void reached(String step) {
            if (step.equals(at)) {
                Error now = armed.getAndSet(null);
                if (now != null) {
                    throw now;
                }
            }
        }
    }

    static Stream<Arguments> cases() {
        return STEPS.stream()
                .flatMap(step -> Stream.of(new StackOverflowError("test"), new OutOfMemoryError("test"))
                        .flatMap(error -> Stream.of(false, true)
                                .filter(batch -> !batch || !step.equals("append.copied")) // a batch copies elsewhere
                                .map(batch -> Arguments.of(step, error, batch))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void leavesNothingClaimed(String step, Error error, boolean batch) {
        Thrower thrower = new Thrower(step, error);
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), thrower));
                LogAppender appender = log.appender()) {
            Consumer<byte[]> append = batch ? bytes -> appendAsBatch(appender, bytes) : appender::append;
            append.accept(TestLogs.bytes("before"));
            thrower.arm();
            int[] begun = new int[1];
            assertThatThrownBy(() -> appendUntilItThrows(append, begun)).isSameAs(error);
            appender.append(TestLogs.bytes("after"));
            List<String> texts = TestLogs.texts(log);
            boolean isLastThere = batch || step.equals("append.committed"); // a batch appends it as it is closed
            assertThat(texts).startsWith("before").endsWith("after").hasSize(2 + begun[0] - (isLastThere ? 0 : 1));
            assertThat(log.sync()).isEqualTo(log.endPosition());
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    static Stream<Arguments> syncCases() {
        return Stream.of("sync.sealed", "sync.flushed")
                .flatMap(step -> Stream.of(new StackOverflowError("test"), new OutOfMemoryError("test"))
                        .flatMap(error -> Stream.of(IntegrityMode.values())
                                .map(integrity -> Arguments.of(step, error, integrity))));
    }

    /** Outside of a flush nothing is unknown after an error, so the log takes more records, and the next sync is believed. */
    @ParameterizedTest
    @MethodSource("syncCases")
    void outsideOfAFlushFailsThatSyncAlone(String step, Error error, IntegrityMode integrity) {
        Thrower thrower = new Thrower(step, error);
        LogOptions options = TestLogs.options().withIntegrity(integrity);
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(options, thrower));
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            long durable = log.sync();
            appender.append(TestLogs.bytes("meanwhile"));
            thrower.arm();
            assertThatThrownBy(log::sync).isSameAs(error);
            assertThat(log.durablePosition()).isEqualTo(durable);
            appender.append(TestLogs.bytes("after"));
            assertThat(log.sync()).isEqualTo(log.endPosition()).isGreaterThan(durable);
        }
        try (Log again = TestLogs.open(directory);
                LogAppender appender = again.appender()) {
            appender.append(TestLogs.bytes("again"));
            assertThat(TestLogs.texts(again)).containsExactly("before", "meanwhile", "after", "again");
            assertThat(again.verify().problems()).isEmpty();
        }
    }

    private static void appendAsBatch(LogAppender appender, byte[] bytes) {
        try (RecordBatch records = appender.batch()) {
            records.add(bytes);
            records.flush();
        }
    }

    private static void appendUntilItThrows(Consumer<byte[]> append, int[] begun) {
        for (int i = 0; i < 100; i++) {
            begun[0]++;
            append.accept(new byte[100_000]);
        }
    }
}
