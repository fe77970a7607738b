package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An interrupt closes no file, drops no lock, and stays with the thread that was interrupted. */
final class InterruptsTest {

    private static final int PAGE = 4096;
    private static final int WORKERS = 4;
    private static final long SECONDS = Effort.of(1, 6, 60);

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("dev.larder.memory.TestMachine#storages")
    void everyOperationWorksInAnInterruptedThread(Storage storage) {
        try (StorageFile file = newFile(storage);
                Arena arena = Arena.ofShared()) {
            MemorySegment mapped = file.map(0, 8 * PAGE, true, arena);
            operations(storage, file, mapped, "own").forEach((name, operation) -> {
                Thread.currentThread().interrupt();
                operation.run();
                assertThat(Thread.interrupted()).as(name).isTrue();
            });
            assertThat(file.sizeBytes()).isEqualTo(8 * PAGE);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.TestMachine#storages")
    void randomInterruptsCloseNoFileAndDropNoLock(Storage storage) throws InterruptedException, ExecutionException {
        try (StorageFile file = newFile(storage);
                Arena arena = Arena.ofShared();
                ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
            assertThat(file.tryLock(1000)).isTrue();
            MemorySegment mapped = file.map(0, 8 * PAGE, true, arena);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            List<Worker> workers = IntStream.range(0, WORKERS)
                    .mapToObj(i -> new Worker(operations(storage, file, mapped, "worker" + i), end, i))
                    .toList();
            List<Future<?>> ends =
                    workers.stream().<Future<?>>map(threads::submit).toList();
            interruptAtRandom(workers, end);
            for (Future<?> workerEnd : ends) {
                workerEnd.get();
            }
            assertThat(file.sizeBytes()).isEqualTo(8 * PAGE);
            try (ChildJvm child = ChildJvm.start(storage, "lock", file.path(), 1000)) {
                assertThat(child.line()).isEqualTo("busy");
            }
        }
    }

    /** Calls operations in random order, whatever its interrupt status, until its time is over. */
    private static final class Worker implements Runnable {
        private final List<Runnable> operations;
        private final long end;
        private final Random random;
        private volatile Thread thread = Thread.currentThread();
        private volatile boolean running = true;

        Worker(Map<String, Runnable> operations, long end, long seed) {
            this.operations = List.copyOf(operations.values());
            this.end = end;
            this.random = new Random(seed);
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            try {
                while (System.nanoTime() < end) {
                    operations.get(random.nextInt(operations.size())).run();
                    if (random.nextInt(4) == 0) {
                        Thread.interrupted();
                    }
                }
            } finally {
                running = false;
            }
        }
    }

    private static void interruptAtRandom(List<Worker> workers, long end) throws InterruptedException {
        Random random = new Random(1);
        while (System.nanoTime() < end && workers.stream().anyMatch(worker -> worker.running)) {
            Thread thread = workers.get(random.nextInt(WORKERS)).thread;
            if (!thread.equals(Thread.currentThread())) {
                thread.interrupt();
            }
            TimeUnit.MICROSECONDS.sleep(random.nextInt(500));
        }
    }

    private Map<String, Runnable> operations(Storage storage, StorageFile file, MemorySegment mapped, String name) {
        Path own = directory.resolve(name);
        MemorySegment bytes = MemorySegment.ofArray(new byte[100]);
        long lock = 2000L + (name.hashCode() & 0xff);
        return Map.ofEntries(
                Map.entry("size", file::sizeBytes),
                Map.entry("write", () -> file.write(bytes, 4 * PAGE)),
                Map.entry("force", () -> file.force(mapped.asSlice(0, PAGE))),
                Map.entry("force all", file::forceAll),
                Map.entry("start writeback", () -> file.startWriteback(0, PAGE)),
                Map.entry("lock", () -> lockAndUnlock(file, lock)),
                Map.entry("share", () -> shareAndUnlock(file)),
                Map.entry("map", () -> mapAndUnmap(file)),
                Map.entry("files", () -> createAndDelete(storage, own)),
                Map.entry("list", () -> storage.list(directory)),
                Map.entry("sync directory", () -> storage.syncDirectory(directory)),
                Map.entry("populate for write", () -> storage.populateForWrite(mapped)),
                Map.entry("populate for read", () -> storage.populateForRead(mapped)),
                Map.entry("resident", () -> storage.isResident(mapped)),
                Map.entry("await", () -> storage.sharedWait().await(mapped, 0, 0, 100_000)),
                Map.entry("wake", () -> storage.sharedWait().wakeAll(mapped, 0)));
    }

    private static void lockAndUnlock(StorageFile file, long offset) {
        assertThat(file.tryLock(offset)).isTrue();
        file.unlock(offset);
    }

    /** The workers share one byte. */
    private static void shareAndUnlock(StorageFile file) {
        assertThat(file.tryLockShared(1999)).isTrue();
        file.unlock(1999);
    }

    private static void mapAndUnmap(StorageFile file) {
        try (Arena arena = Arena.ofShared()) {
            file.map(PAGE, PAGE, true, arena).fill((byte) 1);
        }
    }

    private static void createAndDelete(Storage storage, Path own) {
        Path linked = own.resolveSibling(own.getFileName() + ".linked");
        try (StorageFile created = storage.create(own, Access.OWNER).orElseThrow()) {
            created.allocate(PAGE, Allocation.RESERVE);
        }
        storage.open(own, true).orElseThrow().close();
        assertThat(storage.link(own, linked)).isTrue();
        assertThat(storage.rename(linked, own)).isTrue();
        storage.delete(linked); // renaming one name of a file over another leaves both
        assertThat(storage.delete(own)).isTrue();
    }

    private StorageFile newFile(Storage storage) {
        StorageFile file =
                storage.create(directory.resolve("file"), Access.OWNER).orElseThrow();
        file.allocate(8 * PAGE, Allocation.RESERVE);
        return file;
    }
}
