package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.ChildJvm;
import dev.larder.memory.ClosedException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing a region while other threads are at work in it. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class RegionClosingTest {

    private static final int ROUNDS = 20;
    private static final int BYTES = 64 << 10;

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestRegions regions = new TestRegions(Path.of(""));

    @BeforeEach
    void open() {
        regions = new TestRegions(directory);
    }

    @AfterEach
    void close() {
        regions.close();
        threads.shutdownNow();
    }

    /** A record for a view. */
    record Pair(int first, long second) {}

    @ParameterizedTest
    @EnumSource
    void othersGetAnErrorAndNothingElse(RegionKind kind) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Region region = regions.create(kind, BYTES);
            RecordView<Pair> view = RecordView.of(region, Pair.class, java.lang.invoke.MethodHandles.lookup());
            byte[] bytes = new byte[1000];
            List<Callable<Object>> accesses = List.of(
                    () -> region.getLong(100),
                    () -> {
                        region.put(200, bytes);
                        return bytes;
                    },
                    () -> {
                        region.force();
                        return bytes;
                    },
                    () -> view.get(7));
            CountDownLatch started = new CountDownLatch(accesses.size());
            List<Future<?>> ends = new ArrayList<>();
            accesses.forEach(access -> ends.add(threads.submit(() -> untilClosed(access, started))));
            started.await();
            region.close();
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static Object untilClosed(Callable<Object> access, CountDownLatch started) throws Exception {
        try {
            while (true) {
                access.call();
                started.countDown();
            }
        } catch (ClosedException e) {
            return e; // the expected end
        }
    }

    /** Reads an array in loops that the JVM compiles with all its optimizations, and closes the region meanwhile. */
    static final class Loop {

        private static final long COMPILED_MILLIS = 1500;

        private Loop() {}

        public static void main(String[] arguments) throws InterruptedException {
            Region region = Region.create(RegionKind.HEAP, BYTES);
            List<Runnable> loops = List.of(() -> poll(region), () -> sum(region), () -> copy(region));
            List<Thread> readers =
                    loops.stream().map(Thread.ofPlatform().daemon()::start).toList();
            Thread.sleep(COMPILED_MILLIS);
            region.close();
            for (Thread reader : readers) {
                reader.join(Duration.ofSeconds(20));
                System.out.println(reader.isAlive() ? "still reads" : "ended");
            }
        }

        private static void poll(Region region) {
            long reads = 0;
            try {
                while (region.getByte(0) == 0) {
                    reads++;
                }
            } catch (ClosedException e) {
                System.out.println(reads > 0 ? "polled" : "not polled");
            }
        }

        private static void sum(Region region) {
            long sum = 0;
            try {
                while (true) {
                    for (int i = 0; i < BYTES; i += Long.BYTES) {
                        sum += region.getLong(i);
                    }
                }
            } catch (ClosedException e) {
                System.out.println("sum " + sum);
            }
        }

        private static void copy(Region region) {
            byte[] bytes = new byte[Long.BYTES];
            try {
                while (bytes[0] == 0) {
                    region.get(0, bytes);
                }
            } catch (ClosedException e) {
                System.out.println("copied " + bytes[0]);
            }
        }
    }

    @Test
    void loopsOverAnArraySeeTheEnd() throws InterruptedException {
        List<String> command = ChildJvm.java(List.of(
                "-XX:TieredStopAtLevel=4",
                "-cp",
                ChildJvm.classes(Region.class) + File.pathSeparator + ChildJvm.classes(Loop.class),
                Loop.class.getName()));
        try (ChildJvm child = ChildJvm.start(command)) {
            assertThat(child.rest().lines())
                    .contains("polled", "sum 0", "copied 0", "ended")
                    .doesNotContain("still reads");
        }
    }

    /** A channel uses the bytes while it writes them: they must not be freed before it is done. */
    @ParameterizedTest
    @EnumSource
    void waitsForAChannel(RegionKind kind) throws IOException, ExecutionException, InterruptedException {
        Region region = regions.create(kind, 8 << 20); // more than any pipe takes at once
        region.putByte((8 << 20) - 1, (byte) 42);
        Pipe pipe = Pipe.open();
        Future<Long> moved = threads.submit(() -> region.transferTo(0, 8 << 20, pipe.sink()));
        ByteBuffer first = ByteBuffer.allocate(1);
        assertThat(pipe.source().read(first)).isOne(); // the other thread is transferring
        Future<?> closing = threads.submit(region::close);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThatThrownBy(region::segment).isInstanceOf(ClosedException.class));
        byte last = drain(pipe.source(), (8 << 20) - 1);
        assertThat(moved.get()).isEqualTo(8 << 20);
        assertThat(last).isEqualTo((byte) 42);
        closing.get();
    }

    private static byte drain(Pipe.SourceChannel source, int length) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(length);
        while (all.hasRemaining() && source.read(all) >= 0) {
            Thread.onSpinWait();
        }
        return all.get(length - 1);
    }
}
