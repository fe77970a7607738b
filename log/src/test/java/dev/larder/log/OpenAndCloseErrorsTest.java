package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Errors of the JVM at each named step of opening and closing: nothing stays open, mapped, locked or running, and the log
 * opens again with every record that an append has returned.
 */
@Timeout(300)
final class OpenAndCloseErrorsTest {

    private static final List<Supplier<Error>> ERRORS =
            List.of(StackOverflowError::new, () -> new OutOfMemoryError("unable to create native thread"));

    @TempDir
    Path directory;

    private final Thread caller = Thread.currentThread();
    private final Tracked storage = new Tracked();

    /** Tracks which files are open and mapped; flushes nothing, so that the test is quick. */
    private static final class Tracked extends DelegatingStorage {

        private final Set<StorageFile> open = ConcurrentHashMap.newKeySet();
        private final List<MemorySegment.Scope> mapped = new ArrayList<>();
        private volatile boolean refusesHugePages;

        Tracked() {
            super(TestLogs.storage());
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(this::track);
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(this::track);
        }

        @Override
        public void syncDirectory(Path directory) {
            // nothing
        }

        @Override
        public Optional<String> preferHugePages(MemorySegment memory) {
            if (refusesHugePages) {
                throw new SystemLimitException("out of mappings");
            }
            return Optional.empty();
        }

        private StorageFile track(StorageFile file) {
            StorageFile tracked = new DelegatingFile(file) {
                @Override
                public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
                    MemorySegment segment = super.map(offset, length, writable, arena);
                    synchronized (mapped) {
                        mapped.add(segment.scope());
                    }
                    return segment;
                }

                @Override
                public void force(MemorySegment memory) {
                    // nothing
                }

                @Override
                public void close() {
                    open.remove(this);
                    super.close();
                }
            };
            open.add(tracked);
            return tracked;
        }

        long mappings() {
            synchronized (mapped) {
                return mapped.stream().filter(MemorySegment.Scope::isAlive).count();
            }
        }
    }

    /** Lets the n-th step of the caller's thread fail. */
    private final class FailingStep implements Failpoints {

        private final int failing;
        private final Supplier<Error> error;
        private int taken;
        private String failed = "";

        FailingStep(int failing, Supplier<Error> error) {
            this.failing = failing;
            this.error = error;
        }

        @Override
        public void reached(String step) {
            if (Thread.currentThread().equals(caller) && taken++ == failing) {
                failed = step;
                throw error.get();
            }
        }
    }

    private LogOptions options() {
        return HookedOptions.withStorage(TestLogs.options(), storage)
                .withSync(SyncPolicy.every(java.time.Duration.ofHours(1)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaveNothingBehind(boolean isNew) {
        for (Supplier<Error> error : ERRORS) {
            Set<String> steps = ConcurrentHashMap.newKeySet();
            FailingStep step = failAt(0, error, isNew);
            for (int number = 1; !step.failed.isEmpty(); number++) {
                steps.add(step.failed);
                step = failAt(number, error, isNew);
            }
            assertThat(steps)
                    .contains("register.gate", "register.taken", "register.recovered", "background.start")
                    .contains("append.entered", "close.appender", "close.background", "close.sync", "sync.sealed")
                    .contains("close.names", "close.segments", "close.counters", "close.control", "close.locks");
        }
    }

    private FailingStep failAt(int number, Supplier<Error> error, boolean isNew) {
        Path place = directory.resolve(error.get().getClass().getSimpleName() + number);
        List<String> returned = new ArrayList<>();
        if (!isNew) {
            try (Log log = Log.open(place, options());
                    LogAppender appender = log.appender()) {
                append(appender, "earlier", returned);
            }
        }
        FailingStep step = new FailingStep(number, error);
        Optional<Throwable> met = work(place, step, returned);
        boolean guarded = step.failed.startsWith("background."); // the opening continues, and the appender tries again
        assertThat(met.isPresent()).as(step.failed).isEqualTo(!step.failed.isEmpty() && !guarded);
        assertThat(storage.open).as("open after an error at %s", step.failed).isEmpty();
        assertThat(storage.mappings())
                .as("mapped after an error at %s", step.failed)
                .isZero();
        assertThat(BackgroundTask.started())
                .as("tasks after an error at %s", step.failed)
                .isZero();
        assertOpensAgain(place, returned, step.failed);
        return step;
    }

    private Optional<Throwable> work(Path place, Failpoints steps, List<String> returned) {
        try (Log log = Log.open(place, HookedOptions.withFailpoints(options(), steps))) {
            LogAppender appender = log.appender(); // closed by the log
            append(appender, "one", returned);
            append(appender, "two", returned);
            return Optional.empty();
        } catch (StackOverflowError | OutOfMemoryError | LogFailedException e) {
            return Optional.of(e);
        }
    }

    private static void append(LogAppender appender, String text, List<String> returned) {
        appender.append(TestLogs.bytes(text));
        returned.add(text);
    }

    /** An append that has not returned may have left its record all the same; a failed flush keeps the log failed. */
    private void assertOpensAgain(Path place, List<String> returned, String failed) {
        Log log = Log.open(place, options());
        assertThat(TestLogs.texts(log)).as(failed).containsAll(returned);
        try {
            log.close();
        } catch (LogFailedException e) {
            assertThat(failed).startsWith("sync.");
        }
        assertThat(storage.open).isEmpty();
        assertThat(storage.mappings()).isZero();
    }

    /** The segment is mapped, and the step after that fails. */
    @Test
    void aSegmentThatCannotBeSettledIsUnmapped() {
        LogOptions options = options().withLayout(layout -> layout.withHugePages(true));
        Log.open(directory, options).close();
        storage.refusesHugePages = true;
        assertThatThrownBy(() -> {
                    try (Log log = Log.open(directory, options)) {
                        log.appender();
                    }
                })
                .isInstanceOf(SystemLimitException.class);
        assertThat(storage.open).isEmpty();
        assertThat(storage.mappings()).isZero();
    }
}
