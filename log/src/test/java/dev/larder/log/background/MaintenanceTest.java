package dev.larder.log.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.TestLogs;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Pins;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors in one duty of {@link Maintenance}: all other duties continue, above all the sync. */
@Tag("any-storage")
@Timeout(300)
@SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
final class MaintenanceTest {

    private static final List<String> DUTIES = List.of(
            "count",
            "sync",
            "follow",
            "finish",
            "unmap",
            "prepare",
            "unlock",
            "move",
            "drop",
            "writeback",
            "publish",
            "populate");

    private static final List<Supplier<Throwable>> ERRORS = List.of(
            () -> new StorageException("refused"),
            () -> new SystemLimitException("too many open files"),
            () -> new CorruptException("block 1 fails its seal"),
            () -> new OutOfMemoryError("Java heap space"),
            StackOverflowError::new);

    @TempDir
    Path directory;

    /** Fails one duty as long as a test wants, and counts how often each duty begins. */
    private static final class Failing implements Failpoints {

        private static final String DUTY = "background.";

        private final Map<String, Long> begun = new ConcurrentHashMap<>();
        private volatile String duty = "";
        private volatile Supplier<Throwable> error = () -> new AssertionError("none");
        private volatile int thrown;

        void fail(String chosen, Supplier<Throwable> failure) {
            error = failure;
            thrown = 0;
            duty = chosen;
        }

        @Override
        public void reached(String step) {
            if (step.startsWith(DUTY)) {
                String name = step.substring(DUTY.length());
                begun.merge(name, 1L, Long::sum);
                if (name.equals(duty)) {
                    thrown++;
                    throwUnchecked(error.get());
                }
            }
        }

        private static void throwUnchecked(Throwable failed) {
            if (failed instanceof Error failure) {
                throw failure;
            }
            throw (RuntimeException) failed;
        }

        long begun(String name) {
            return begun.getOrDefault(name, 0L);
        }
    }

    /** Flushes nothing, so that the speed of the disk does not matter. */
    private static class QuickDisk extends DelegatingStorage {

        QuickDisk() {
            super(TestLogs.storage());
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(QuickDisk::quick);
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(QuickDisk::quick);
        }

        @Override
        public void syncDirectory(Path directory) {
            // nothing
        }

        private static StorageFile quick(StorageFile file) {
            return new DelegatingFile(file) {
                @Override
                public void force(MemorySegment mapped) {
                    // nothing
                }
            };
        }
    }

    private static LogOptions options() {
        return HookedOptions.withStorage(TestLogs.options(), new QuickDisk())
                .withSync(SyncPolicy.every(Duration.ofMillis(5)));
    }

    /** A wait that no uncaught error ends: JUnit takes an OutOfMemoryError of any thread for the end of the JVM. */
    private static ConditionFactory awaited() {
        return await().atMost(Duration.ofMinutes(2))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .dontCatchUncaughtExceptions();
    }

    static List<String> duties() {
        return DUTIES;
    }

    @ParameterizedTest
    @MethodSource("duties")
    void oneThatFailsStopsNoOther(String duty) {
        Failing failing = new Failing();
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(options(), failing));
                LogAppender appender = log.appender()) {
            for (Supplier<Throwable> error : ERRORS) {
                failing.fail(duty, error);
                Map<String, Long> before = Map.copyOf(failing.begun);
                awaited().until(() -> goOn(appender, failing, duty, before) && failing.thrown > 0);
                if (!duty.equals("sync")) {
                    awaitDurable(log, appender);
                }
            }
            failing.fail("", () -> new AssertionError("none"));
            awaitDurable(log, appender);
            log.sync();
        }
    }

    /** Appends once; returns whether all duties but one have begun again. Without following, no segment is finished. */
    private static boolean goOn(LogAppender appender, Failing failing, String failed, Map<String, Long> before) {
        appender.append(new byte[50_000]);
        return DUTIES.stream()
                .filter(duty -> !duty.equals(failed) && !(duty.equals("finish") && failed.equals("follow")))
                .allMatch(duty -> failing.begun(duty) > before.getOrDefault(duty, 0L));
    }

    private static void awaitDurable(Log log, LogAppender appender) {
        long position = appender.append(TestLogs.bytes("record"));
        awaited().until(() -> log.durablePosition() > position);
    }

    /** The disk has no room for new files: while the tail segment has some, appends return, and are made durable. */
    @Test
    void syncsWhileTheDiskIsFull() {
        FullDisk disk = new FullDisk();
        try (Log log = Log.open(directory, HookedOptions.withStorage(options(), disk));
                LogAppender appender = log.appender()) {
            disk.full = true;
            for (int i = 0; i < 10; i++) {
                appender.append(new byte[100_000]); // beyond the quarter from which on the next segment is prepared
            }
            awaited().until(() -> disk.refused > 0);
            awaitDurable(log, appender);
            disk.full = false;
            awaited().until(() -> {
                appender.append(TestLogs.bytes("record"));
                return OpenSession.of(log).segments.mapped().isMapped(1);
            });
            awaitDurable(log, appender);
        }
    }

    private static final class FullDisk extends QuickDisk {

        private volatile boolean full;
        private volatile int refused;

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(created -> new DelegatingFile(created) {
                @Override
                public void allocate(long bytes, Allocation allocation) {
                    if (full) {
                        refused++;
                        throw new DiskFullException(file + ": no space left on device");
                    }
                    super.allocate(bytes, allocation);
                }
            });
        }
    }

    /** The system could not serve a store: the device has failed, or another program has cut the file. */
    @Test
    void anAccessThatCannotBeServedFailsTheLog() {
        Failing failing = new Failing();
        Log log = Log.open(directory, HookedOptions.withFailpoints(options(), failing));
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("record"));
            failing.fail("follow", () -> new InternalError("a fault occurred in an unsafe memory access operation"));
            awaited().until(() -> isRefused(appender));
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class);
        }
        assertThatThrownBy(log::close)
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining("a store into a mapped file failed");
    }

    private static boolean isRefused(LogAppender appender) {
        try {
            appender.append(TestLogs.bytes("record"));
            return false;
        } catch (LogFailedException e) {
            return true;
        }
    }

    /** The thread cannot be started: nothing stays open, and each appender tries again. */
    @Test
    void aThreadThatCannotBeStartedLeavesNothing() {
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(options(), new Twice("background.start")))) {
            assertThatThrownBy(log::appender).isInstanceOf(OutOfMemoryError.class);
            assertThat(OpenSession.of(log).traffic.writers()).isEmpty();
            try (Segment0 tail = new Segment0(log)) {
                assertThat(tail.uses()).isEqualTo(1);
            }
            try (LogAppender appender = log.appender()) {
                awaitDurable(log, appender);
            }
        }
    }

    /** The tail segment, entered once more. */
    private record Segment0(Log log, Pins.Lane lane, Segment segment) implements AutoCloseable {

        Segment0(Log log) {
            this(log, new Pins.Lane());
        }

        private Segment0(Log log, Pins.Lane lane) {
            this(log, lane, OpenSession.of(log).segments.enterTail(lane));
        }

        int uses() {
            return segment.uses;
        }

        @Override
        public void close() {
            OpenSession.of(log).segments.leave(lane, segment);
        }
    }

    /** Throws an error at one step, twice: at the opening, which continues nevertheless, and once more. */
    private static final class Twice implements Failpoints {

        private final String step;
        private int thrown;

        Twice(String step) {
            this.step = step;
        }

        @Override
        public synchronized void reached(String at) {
            if (at.equals(step) && thrown < 2) {
                thrown++;
                throw new OutOfMemoryError("unable to create native thread");
            }
        }
    }
}
