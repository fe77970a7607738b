package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.ClosedException;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several threads, interrupts, class loaders and closings in one process. */
@Timeout(180)
final class ThreadsTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final boolean SYSTEM =
            System.getProperty("larder.test.storage", "system").equals("system");
    private static final long INTERRUPTS_NANOS = 1_000_000_000L * Effort.of(1, SYSTEM ? 6 : 2, 60);

    private final Storage storage = SYSTEM ? SystemStorage.system() : SystemStorage.portable();

    @TempDir
    Path directory;

    private LogOptions options() {
        return HookedOptions.withStorage(LogOptions.defaults(), storage).withLargestSegmentBytes(4 << 20);
    }

    @Test
    void aDirectoryOpenedTwiceIsShared() {
        LarderQueue one = LarderQueue.open(directory, options());
        LarderQueue two = LarderQueue.open(directory.resolve("."), options());
        try (two;
                Appender appender = one.appender();
                Tailer tailer = two.tailer()) {
            appender.append("hello");
            assertThat(tailer.poll(
                            (segment, offset, length) -> assertThat(length).isEqualTo(5)))
                    .isTrue();
            one.close();
            two.appender().append("still open");
            assertThat(tailer.poll((segment, offset, length) -> {})).isTrue();
        }
        ProcessesTest.assertLockFree(directory, directory.resolve("probe.err"), 0);
    }

    @Test
    void aDirectoryOpenedTwiceWithOtherOptionsIsRefused() {
        try (LarderQueue one = LarderQueue.open(directory, options())) {
            assertThatThrownBy(() -> LarderQueue.open(directory, options().withVerifyReads(true)))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageContaining(directory.toString());
            one.appender().append("still open");
        }
    }

    @Test
    void aDirectoryOpenInAnotherClassLoaderIsRefused() throws IOException, ReflectiveOperationException {
        URL[] places = {place(Storage.class), place(ValueCodec.class), place(LogOptions.class), place(LarderQueue.class)
        };
        try (LarderQueue ours = LarderQueue.open(directory, options());
                URLClassLoader loader = new URLClassLoader(places, null)) {
            Class<?> theirs = loader.loadClass(LarderQueue.class.getName());
            assertThat(theirs).isNotEqualTo(LarderQueue.class);
            assertThatThrownBy(() -> theirs.getMethod("open", Path.class).invoke(null, directory))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .hasMessageContaining("another copy of the library")
                    .satisfies(cause ->
                            assertThat(cause.getClass().getName()).isEqualTo(LogBusyException.class.getName()));
            ours.appender().append("still open");
            ProcessesTest.assertLockHeld(directory, directory.resolve("probe.err"), 0);
        }
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    void interruptsCloseNothingAndLoseNothing() throws InterruptedException, ExecutionException {
        AtomicLong appended = new AtomicLong();
        AtomicLong read = new AtomicLong();
        AtomicLong interrupted = new AtomicLong();
        AtomicInteger writing = new AtomicInteger(2);
        long end = System.nanoTime() + INTERRUPTS_NANOS;
        try (LarderQueue queue = LarderQueue.open(directory, options())) {
            List<Thread> threads = new ArrayList<>();
            List<Throwable> errors = new ArrayList<>();
            threads.add(worker(errors, () -> appendUntil(queue, end, appended, writing)));
            threads.add(worker(errors, () -> appendUntil(queue, end, appended, writing)));
            threads.add(worker(errors, () -> readAll(queue, writing, appended, read, interrupted)));
            threads.add(worker(errors, () -> syncUntil(queue, end, interrupted)));
            while (System.nanoTime() - end < 0) {
                threads.get(ThreadLocalRandom.current().nextInt(threads.size())).interrupt();
                TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextInt(2000));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(errors).isEmpty();
            assertThat(read).hasValue(appended.get());
            assertThat(interrupted).hasPositiveValue();
            ProcessesTest.assertLockHeld(directory, directory.resolve("probe.err"), 0);
            assertThat(queue.sync()).isGreaterThan(0);
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread worker(List<Throwable> errors, Work work) {
        return Thread.ofPlatform().start(() -> {
            try {
                work.run();
            } catch (InterruptedException | RuntimeException | Error e) {
                synchronized (errors) {
                    errors.add(e);
                }
            }
        });
    }

    private static void appendUntil(LarderQueue queue, long end, AtomicLong appended, AtomicInteger writing) {
        byte[] message = new byte[700];
        try (Appender appender = queue.appender()) {
            while (System.nanoTime() - end < 0) {
                appender.append(message);
                appended.incrementAndGet();
                if (appended.get() % 100 == 0) {
                    LockSupport.parkNanos(500_000);
                }
            }
        } finally {
            writing.decrementAndGet();
        }
    }

    /** Reads until the writers have ended, and then everything. */
    private static void readAll(
            LarderQueue queue, AtomicInteger writing, AtomicLong appended, AtomicLong read, AtomicLong stopped) {
        try (Tailer tailer = queue.tailer()) {
            while (writing.get() > 0 || read.get() < appended.get()) {
                try {
                    if (tailer.poll((segment, offset, length) -> {}, Duration.ofMillis(50))) {
                        read.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    stopped.incrementAndGet();
                }
            }
        }
    }

    private static void syncUntil(LarderQueue queue, long end, AtomicLong stopped) {
        while (System.nanoTime() - end < 0) {
            try {
                queue.sync();
            } catch (InterruptedWaitException e) {
                stopped.incrementAndGet();
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void closingIsNotStoppedByAnInterrupt() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            Path place = directory.resolve("queue" + i);
            LarderQueue queue = LarderQueue.open(place, options());
            queue.appender().append("hello");
            List<Throwable> errors = new ArrayList<>();
            Thread closer = worker(errors, queue::close);
            long start = System.nanoTime();
            while (closer.isAlive() && System.nanoTime() - start < LONG.toNanos()) {
                closer.interrupt();
            }
            assertThat(closer.isAlive()).as("close is stuck").isFalse();
            closer.join();
            assertThat(errors).isEmpty();
            try (LarderQueue again = LarderQueue.open(place, options());
                    Tailer tailer = again.tailer()) {
                assertThat(tailer.poll((segment, offset, length) -> {})).isTrue();
            }
        }
    }

    @Test
    void closeWaitsForHandlersAndAppends() throws InterruptedException {
        LarderQueue queue = LarderQueue.open(directory, options());
        queue.appender().append("hello");
        CountDownLatch inside = new CountDownLatch(2);
        AtomicInteger finished = new AtomicInteger();
        List<Throwable> errors = new ArrayList<>();
        Thread reading = worker(
                errors,
                () -> queue.tailer().poll((segment, offset, length) -> {
                    linger(inside);
                    assertThat(segment.get(ValueLayout.JAVA_BYTE, offset)).isEqualTo((byte) 'h');
                    finished.incrementAndGet();
                }));
        Thread appending = worker(
                errors,
                () -> queue.appender().append(8, (segment, offset, length) -> {
                    linger(inside);
                    segment.set(ValueLayout.JAVA_LONG, offset, 7);
                    finished.incrementAndGet();
                }));
        inside.await();
        queue.close();
        assertThat(finished).hasValue(2);
        reading.join();
        appending.join();
        assertThat(errors).isEmpty();
        assertThatThrownBy(queue::appender).isInstanceOf(ClosedException.class);
    }

    private static void linger(CountDownLatch inside) {
        inside.countDown();
        LockSupport.parkNanos(300_000_000);
    }

    @Test
    void closeUnderLoadGivesClosedExceptionsOnly() throws InterruptedException {
        for (int round = 0; round < 5; round++) {
            LarderQueue queue = LarderQueue.open(directory.resolve("queue" + round), options());
            List<Throwable> errors = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            AtomicLong done = new AtomicLong();
            for (int i = 0; i < 3; i++) {
                threads.add(worker(
                        errors, () -> untilClosed(() -> queue.appender().append("x"), done)));
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer();
                threads.add(worker(errors, () -> untilClosed(() -> appender.append("x"), done)));
                threads.add(worker(
                        errors,
                        () -> untilClosed(
                                () -> tailer.poll((segment, offset, length) -> {}, Duration.ofMillis(100)), done)));
                threads.add(worker(errors, () -> untilClosed(queue::sync, done)));
            }
            await().atMost(LONG)
                    .until(() -> done.get() >= 2000 || threads.stream().anyMatch(thread -> !thread.isAlive()));
            queue.close();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(errors).isEmpty();
        }
    }

    private interface Call {
        Object call() throws InterruptedException;
    }

    private static void untilClosed(Call call, AtomicLong done) throws InterruptedException {
        try {
            while (call.call() != null) {
                done.incrementAndGet();
            }
        } catch (ClosedException e) {
            assertThat(e).hasMessageContaining("closed");
        }
    }

    /** Closing one log must not block the opening of another one: the handler for which the close waits may open one. */
    @Test
    void aHandlerMayOpenOtherQueuesWhileItsOwnIsClosed() throws InterruptedException {
        LarderQueue queue = LarderQueue.open(directory.resolve("queue"), options());
        queue.appender().append("hello");
        CountDownLatch inside = new CountDownLatch(1);
        List<Throwable> errors = new ArrayList<>();
        Thread reading = worker(
                errors,
                () -> queue.tailer().poll((segment, offset, length) -> {
                    linger(inside);
                    for (int i = 0; i < 40; i++) {
                        LarderQueue.open(directory.resolve("other" + i), options())
                                .close();
                    }
                }));
        Thread closing = worker(errors, () -> {
            inside.await();
            queue.close();
        });
        closing.join(60_000);
        assertThat(closing.isAlive()).as("close is stuck").isFalse();
        reading.join();
        assertThat(errors).isEmpty();
    }

    @Test
    void closingFromInsideAHandlerIsRefusedAndChangesNothing() {
        LarderQueue queue = LarderQueue.open(directory, options());
        Tailer tailer = queue.tailer();
        queue.appender().append("hello");
        assertThatThrownBy(() -> tailer.poll((segment, offset, length) -> queue.close()))
                .isInstanceOf(IllegalStateException.class);
        queue.appender().append("still open");
        queue.close();
        ProcessesTest.assertLockFree(directory, directory.resolve("probe.err"), 0);
    }

    /** More virtual threads wait than there are carriers, so none may hold its carrier while it waits. */
    @Test
    void everyBlockingCallWorksOnVirtualThreads() throws InterruptedException, ExecutionException {
        int readers = 64;
        try (LarderQueue queue = LarderQueue.open(directory, options());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch waiting = new CountDownLatch(readers);
            List<Future<Boolean>> received = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                received.add(threads.submit(() -> {
                    try (Tailer tailer = queue.tailer()) {
                        waiting.countDown();
                        return tailer.poll((segment, offset, length) -> {}, LONG);
                    }
                }));
            }
            waiting.await();
            Future<Long> synced = threads.submit(() -> {
                long position = queue.appender().append("hello");
                return queue.sync() - position;
            });
            assertThat(synced.get()).isPositive();
            for (Future<Boolean> one : received) {
                assertThat(one.get()).isTrue();
            }
        }
    }
}
