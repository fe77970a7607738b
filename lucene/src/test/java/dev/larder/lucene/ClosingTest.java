package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lucene.WatchedFolder.Step;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are opened, written and deleted while other calls are held up, or the directory is closed. */
class ClosingTest {

    private static final int LENGTH = 100_000;

    @TempDir
    Path folder;

    private final WatchedFolder watched = new WatchedFolder();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MemoryBudget budget = MemoryBudget.of(64 << 20);

    @AfterEach
    void end() {
        watched.release();
        threads.shutdown();
    }

    private LarderDirectory open() throws Exception {
        return LarderDirectory.open(
                watched.wrapPath(folder), DirectoryOptions.defaults().withBudget(budget));
    }

    /** Starts a call that is held up, closes the directory, and lets the call continue. */
    private void closeBeside(LarderDirectory directory, Callable<?> held) throws Exception {
        Future<?> result = threads.submit(held);
        watched.awaitHeld();
        directory.close();
        watched.release();
        assertThatThrownBy(() -> result.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(AlreadyClosedException.class);
        assertThat(budget.usedBytes()).isZero();
        assertThat(watched.openChannels).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000, 5_000_000})
    void shouldOpenNothingOnceItIsClosed(int length) throws Exception {
        Contents.put(folder, "file", 1, length);
        LarderDirectory directory = open();
        watched.hold(Step.LOOK, "file", 2); // the first look still needs the folder to be open
        closeBeside(directory, () -> directory.openInput("file", IOContext.DEFAULT));
    }

    @Test
    void shouldWriteNothingOnceItIsClosed() throws Exception {
        LarderDirectory directory = open();
        watched.hold(Step.OPEN, "file", 1);
        closeBeside(directory, () -> directory.createOutput("file", IOContext.DEFAULT));
    }

    /** The file itself is not being written, so its deletion does not wait for the other file. */
    @Test
    void shouldDeleteAFileThatWaitsBehindAnother() throws Exception {
        LarderDirectory directory = open();
        watched.hold(Step.WRITE, "slow", 1);
        Contents.write(directory, "slow", 1, LENGTH);
        watched.awaitHeld();
        Contents.write(directory, "file", 2, LENGTH);
        threads.submit(() -> {
                    directory.deleteFile("file");
                    return null;
                })
                .get(1, TimeUnit.MINUTES);
        assertThat(folder.resolve("file")).doesNotExist();
        watched.release();
        directory.close();
        assertThat(folder.resolve("slow")).hasBinaryContent(Contents.of(1, LENGTH));
        assertThat(budget.usedBytes()).isZero();
        assertThat(watched.openChannels).hasValue(0);
    }

    /** The table of mounts is missing, as in a chroot. */
    @Test
    void shouldReadThroughThePageCacheWhereTheMountIsUnknown() {
        assertThat(Folder.canReadDirectly(watched.wrapPath(folder))).isFalse();
    }
}
