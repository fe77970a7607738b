package dev.larder.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.TestLogs;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are deleted on a thread of their own, by a slow disk. */
@Timeout(120)
final class RemovalsTest {

    @TempDir
    private Path directory;

    private final SlowDisk disk = new SlowDisk();
    private final Removals removals = new Removals(disk, "test");
    private final Thread caller = Thread.currentThread();

    /** Lets no thread but the test's delete files before that is allowed, and refuses some names. */
    private final class SlowDisk extends DelegatingStorage {

        private final CountDownLatch allowed = new CountDownLatch(1);
        private final Set<Path> refused = ConcurrentHashMap.newKeySet();

        SlowDisk() {
            super(TestLogs.storage());
        }

        @Override
        public boolean delete(Path file) {
            if (!Thread.currentThread().equals(caller)) {
                await().until(() -> allowed.getCount() == 0);
            }
            if (refused.contains(file)) {
                throw new StorageException(file + ": is mapped");
            }
            return super.delete(file);
        }
    }

    @AfterEach
    void letGo() {
        disk.allowed.countDown();
        removals.close();
    }

    private List<Path> files(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> directory.resolve("p-" + number + ".tmp"))
                .map(RemovalsTest::made)
                .toList();
    }

    private static Path made(Path file) {
        try {
            return Files.createFile(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoDropsDoesNotWaitAndWhoNeedsTheRoomDoes() throws InterruptedException {
        Path file = files(1).getFirst();
        removals.remove(file);
        assertThat(file).exists();
        CountDownLatch finished = new CountDownLatch(1);
        Thread waiting = Thread.ofPlatform().start(() -> {
            assertThat(removals.finish()).isTrue();
            finished.countDown();
        });
        await().until(() -> waiting.getState() == Thread.State.WAITING);
        assertThat(finished.getCount()).isEqualTo(1);
        disk.allowed.countDown();
        finished.await();
        assertThat(file).doesNotExist();
        assertThat(removals.finish()).as("nothing is left to wait for").isFalse();
    }

    /** One file is being deleted and four wait: a writer that drops faster than the disk deletes slows down to its pace. */
    @Test
    void whoBringsTooManyDeletesOneItself() {
        List<Path> files = files(6);
        files.forEach(removals::remove);
        assertThat(files.getLast()).doesNotExist();
        assertThat(files.subList(0, 5)).allSatisfy(file -> assertThat(file).exists());
        disk.allowed.countDown();
        removals.finish();
        assertThat(files).allSatisfy(file -> assertThat(file).doesNotExist());
    }

    @Test
    void triesAgainWhatWasRefused() {
        disk.allowed.countDown();
        List<Path> files = files(3);
        disk.refused.addAll(files.subList(0, 2));
        removals.remove(files.get(0));
        removals.remove(files.get(1));
        removals.finish();
        assertThat(files).allSatisfy(file -> assertThat(file).exists());
        disk.refused.remove(files.get(0));
        removals.remove(files.get(2));
        removals.finish();
        assertThat(files.get(0)).doesNotExist();
        assertThat(files.get(1)).exists();
        disk.refused.clear();
        removals.close();
        assertThat(files.get(1)).as("at closing once more").doesNotExist();
    }

    @Test
    void anInterruptIsKeptForLater() {
        Path file = files(1).getFirst();
        removals.remove(file);
        Thread.currentThread().interrupt();
        Thread.ofPlatform().start(() -> disk.allowed.countDown());
        removals.finish();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).doesNotExist();
    }

    /** No thread can be started: the dropping thread deletes the file itself, and none waits for a deletion that never comes. */
    @Test
    void deletesByItselfWhereNoThreadCanBeStarted() {
        Removals threadless = new Removals(TestLogs.storage(), work -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        for (Path file : files(3)) {
            threadless.remove(file);
            assertThat(file).doesNotExist();
        }
        assertThat(threadless.finish()).isFalse();
        threadless.close();
    }

    @Test
    void deletesAfterItsEndAsWell() {
        disk.allowed.countDown();
        removals.close();
        Path file = files(1).getFirst();
        removals.remove(file);
        assertThat(file).doesNotExist();
        assertThat(removals.finish()).isFalse();
    }
}
