package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Errors of the JVM on the background thread. The thread ended at the first of them: from then on nothing was synced at
 * the policy's pace, and no caller got an error.
 */
@Tag("any-storage")
@Timeout(300)
final class BackgroundErrorsTest {

    private static final Duration PACE = Duration.ofMillis(5);

    @TempDir
    Path directory;

    /** A storage in which one error can wait for the next call of the clock, a flush or a write-back. */
    private static final class Mined extends DelegatingStorage {
        private final AtomicReference<@Nullable Error> onTheClock = new AtomicReference<>();
        private final AtomicReference<@Nullable Error> inAFlush = new AtomicReference<>();
        private final AtomicReference<@Nullable Error> inAWriteBack = new AtomicReference<>();

        Mined(Storage storage) {
            super(storage);
        }

        private static void step(AtomicReference<@Nullable Error> mine) {
            Error error = mine.getAndSet(null);
            if (error != null) {
                throw error;
            }
        }

        @Override
        public long nanoTime() {
            if (Thread.currentThread().getName().startsWith("larder-background-")) {
                step(onTheClock);
            }
            return super.nanoTime();
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(opened -> new DelegatingFile(opened) {
                @Override
                public void force(MemorySegment mapped) {
                    step(inAFlush);
                    super.force(mapped);
                }

                @Override
                public void startWriteback(long offset, long length) {
                    step(inAWriteBack);
                    super.startWriteback(offset, length);
                }
            });
        }
    }

    static Stream<Supplier<Error>> errors() {
        return Stream.of(
                () -> new OutOfMemoryError("Java heap space"),
                StackOverflowError::new,
                () -> new AssertionError("broken"),
                () -> new NoClassDefFoundError("gone"));
    }

    /** An error whose message fails once, for lack of memory. */
    private static final class Untold extends Error {
        private static final long serialVersionUID = 1L;

        private boolean asked;

        @Override
        public String getMessage() {
            if (!asked) {
                asked = true;
                throw new OutOfMemoryError("while it is told");
            }
            return "told";
        }
    }

    static Stream<Supplier<Error>> errorsAndOneThatCannotBeTold() {
        return Stream.concat(errors(), Stream.of(Untold::new));
    }

    @ParameterizedTest
    @MethodSource("errorsAndOneThatCannotBeTold")
    void endNoThread(Supplier<Error> error) {
        Mined storage = new Mined(TestLogs.storage());
        LogOptions options =
                HookedOptions.withStorage(TestLogs.options(), storage).withSync(SyncPolicy.every(PACE));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            awaitDurable(log, appender.append(TestLogs.bytes("before")));
            storage.onTheClock.set(error.get());
            appender.append(TestLogs.bytes("meanwhile"));
            awaited().until(() -> storage.onTheClock.get() == null);
            awaitDurable(log, appender.append(TestLogs.bytes("after")));
            assertThat(TestLogs.texts(log)).containsExactly("before", "meanwhile", "after");
        }
    }

    /** A wait that no uncaught error ends: JUnit takes an OutOfMemoryError of any thread for the end of the JVM. */
    private static ConditionFactory awaited() {
        return await().dontCatchUncaughtExceptions();
    }

    private static void awaitDurable(Log log, long position) {
        awaited().until(() -> log.durablePosition() > position);
    }

    /** The result of such a flush is unknown, so a later flush must not be believed. */
    @ParameterizedTest
    @MethodSource("errors")
    void failTheLogWithinAFlush(Supplier<Error> error) {
        Mined storage = new Mined(TestLogs.storage());
        Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            long durable = log.sync();
            appender.append(TestLogs.bytes("two"));
            storage.inAFlush.set(error.get());
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class).hasMessageContaining("a flush failed");
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class);
            assertThat(log.durablePosition()).isEqualTo(durable);
            assertThat(TestLogs.texts(log)).containsExactly("one", "two");
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class).hasMessageContaining("a flush failed");
    }

    /** The write-back only saves the next flush some work, and that flush reports what has failed in it. */
    @ParameterizedTest
    @MethodSource("errorsOfSpace")
    void withinAWriteBackFailNothing(Error error) {
        Mined storage = new Mined(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender()) {
            storage.inAWriteBack.set(error);
            TestLogs.fillUpTo(appender, 1, 100_000);
            awaited().until(() -> storage.inAWriteBack.get() == null);
            appender.append(TestLogs.bytes("after"));
            assertThat(log.sync()).isEqualTo(log.endPosition());
        }
    }

    static Stream<Error> errorsOfSpace() {
        return Stream.of(new OutOfMemoryError("Java heap space"), new StackOverflowError());
    }

    @Test
    void failTheLogWithinAWriteBack() {
        Mined storage = new Mined(TestLogs.storage());
        Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
        try (LogAppender appender = log.appender()) {
            storage.inAWriteBack.set(new NoClassDefFoundError("gone"));
            TestLogs.fillUpTo(appender, 1, 100_000);
            awaited().until(() -> storage.inAWriteBack.get() == null);
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class);
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class).hasMessageContaining("a flush failed");
    }
}
