package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.RecordHandler;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.shared.Epochs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More calls inside a map at once than a process has lines to pin in: no call waits for another. */
@Timeout(
        value = 120,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a thread that waits for a line is not interruptible
final class ManyPinnedTest {

    private static final int DEPTH = 1000;
    private static final long STACK_BYTES = 64L << 20;
    private static final int THREADS = 2 * IndexFileLayout.LINES;

    @TempDir
    Path directory;

    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private static void fill(LarderMap<Long, Long> map) {
        for (long key = 0; key < DEPTH; key++) {
            map.set(key, -key);
        }
    }

    /** Runs the inner calls in many virtual threads, none of which begins before all are inside. */
    private void inside(Outer outer, Inner inner) throws InterruptedException {
        CountDownLatch all = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (long key = 0; key < THREADS; key++) {
            long own = key;
            threads.add(Thread.ofVirtual()
                    .start(() -> run(() -> outer.call(own, () -> {
                        all.countDown();
                        await(all);
                        inner.call(own);
                    }))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    private void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @FunctionalInterface
    private interface Outer {
        void call(long key, Runnable inside);
    }

    @FunctionalInterface
    private interface Inner {
        void call(long key);
    }

    private static void readNested(LarderMap<Long, Long> map, int depth, AtomicInteger reached) {
        RecordHandler handler = (segment, offset, length) -> {
            reached.incrementAndGet();
            if (depth > 1) {
                readNested(map, depth - 1, reached);
            }
        };
        assertThat(map.read((long) depth % DEPTH, handler)).isTrue();
    }

    @Test
    void readsFromInsideAReadToAnyDepth() throws InterruptedException {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            fill(map);
            AtomicInteger reached = new AtomicInteger();
            Thread deep = new Thread(null, () -> run(() -> readNested(map, DEPTH, reached)), "deep", STACK_BYTES);
            deep.start();
            deep.join();
            assertThat(failures).isEmpty();
            assertThat(reached).hasValue(DEPTH);
            map.compact();
            assertThat(map).hasSize(DEPTH);
        }
    }

    @Test
    void readsFromInsideMoreReadsThanThereAreLines() throws InterruptedException {
        AtomicInteger inner = new AtomicInteger();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            fill(map);
            List<MapSnapshot<Long, Long>> snapshots =
                    IntStream.range(0, 10).mapToObj(i -> map.snapshot()).toList();
            inside(
                    (key, inside) -> map.read(key, (segment, offset, length) -> inside.run()),
                    key -> map.read(key + 1, (segment, offset, length) -> inner.incrementAndGet()));
            snapshots.forEach(MapSnapshot::close);
        }
        assertThat(inner).hasValue(THREADS);
    }

    @Test
    void putsFromInsideMoreChangesThanThereAreLines() throws InterruptedException {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            inside(
                    (key, inside) -> map.write(key, Long.BYTES, (record, at, length) -> inside.run()),
                    key -> map.set(key + THREADS, key));
            assertThat(map).hasSize(2 * THREADS);
            map.checkpoint(); // waits for all changes: none has left its pin behind
            map.compact();
        }
    }

    /** A crowd counts as inside until its last thread has left, and no longer. */
    @Test
    void countsACrowdAsInsideUntilItsLastHasLeft() {
        try (TestIndex index = new TestIndex(directory)) {
            Epochs epochs = index.enter(TestIndex.OWNER).changes;
            int[] lines = IntStream.range(0, THREADS).map(i -> epochs.pin()).toArray();
            long first = epochs.advance();
            int[] later = IntStream.range(0, 10 * Epochs.CROWDS)
                    .map(i -> {
                        epochs.advance();
                        return epochs.pin();
                    })
                    .toArray();
            for (int line : lines) {
                assertThat(epochs.hasPassed(first)).isFalse();
                epochs.unpin(line);
            }
            for (int line : later) {
                epochs.unpin(line);
            }
            assertThat(epochs.hasPassed(epochs.advance())).isTrue();
        }
    }

    /** A crowd that more threads join all the time would otherwise never end. */
    @Test
    void startsAnotherCrowdInALaterEpoch() {
        try (TestIndex index = new TestIndex(directory)) {
            Epochs epochs = index.enter(TestIndex.OWNER).changes;
            IntStream.range(0, IndexFileLayout.LINES).forEach(i -> epochs.pin());
            int[] crowd = {epochs.pin(), epochs.pin()};
            assertThat(crowd[1]).isEqualTo(crowd[0]);
            epochs.advance();
            assertThat(epochs.pin()).isNotEqualTo(crowd[0]);
        }
    }

    /** Threads come and go while there are no lines left: no thread is forgotten, and none stays. */
    @Test
    void losesNobodyWhoComesAndGoes() throws Exception {
        try (TestIndex index = new TestIndex(directory)) {
            Epochs epochs = index.enter(TestIndex.OWNER).changes;
            int[] kept = IntStream.range(0, IndexFileLayout.LINES)
                    .map(i -> epochs.pin())
                    .toArray();
            CyclicBarrier begin = new CyclicBarrier(4);
            List<Thread> threads = IntStream.range(0, 4)
                    .mapToObj(thread -> Thread.ofPlatform().start(() -> run(() -> comeAndGo(epochs, begin))))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            for (int line : kept) {
                epochs.unpin(line);
            }
            assertThat(epochs.hasPassed(epochs.advance())).isTrue();
        }
    }

    private static void comeAndGo(Epochs epochs, CyclicBarrier begin) {
        try {
            begin.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        for (int i = 0; i < 2000; i++) {
            int line = epochs.pin();
            assertThat(epochs.hasPassed(epochs.advance())).isFalse();
            epochs.unpin(line);
        }
    }
}
