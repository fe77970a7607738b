package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file may be replaced while it is loaded. The caller reads small files, and threads read large ones. */
class LoaderTest {

    @TempDir
    Path directory;

    private final MemoryBudget budget = MemoryBudget.of(64 << 20);
    private Folder folder;
    private FileMemory memory;
    private Loader loader;

    @BeforeEach
    void open() throws IOException {
        DirectoryOptions options = DirectoryOptions.defaults().withBudget(budget);
        Counters counters = new Counters();
        folder = Folder.open(directory, false);
        memory = new FileMemory(options, counters, List::of);
        loader = new Loader(folder, memory, options, counters);
    }

    @AfterEach
    void close() throws IOException {
        loader.close();
        folder.close();
    }

    private IndexFile file(int bytes) throws IOException {
        Files.write(directory.resolve("file"), new byte[bytes]);
        return IndexFile.found("file", folder.identity("file"));
    }

    private void replace(int bytes) throws IOException {
        Path other = Files.write(directory.resolve("other"), new byte[bytes]);
        Files.delete(directory.resolve("file"));
        Files.move(other, directory.resolve("file"));
    }

    private void load(IndexFile file) throws IOException, InterruptedException {
        loader.load(file);
        loader.await();
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 5_000_000})
    void shouldLoad(int bytes) throws Exception {
        IndexFile file = file(bytes);
        load(file);
        assertThat(file.isInMemory()).isTrue();
        file.delete();
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 5_000_000})
    void shouldLeaveAFileAloneThatAShorterOneHasReplaced(int bytes) throws Exception {
        IndexFile file = file(bytes);
        replace(327);
        load(file);
        assertThat(file.isInMemory()).isFalse();
    }

    @Test
    void shouldBeginByItselfOnceNoFileIsOpenedAnyMore() throws Exception {
        IndexFile file = file(5_000_000);
        loader.load(file);
        for (int look = 0; look < 6_000 && !file.isInMemory(); look++) {
            Thread.sleep(10);
        }
        assertThat(file.isInMemory()).isTrue();
        file.delete();
    }

    @Test
    void shouldGiveTheMemoryBackOfWhatWasWaitingWhenItIsClosed() throws Exception {
        IndexFile file = file(5_000_000);
        loader.load(file);
        file.delete();
        loader.close();
        assertThat(budget.usedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 5_000_000})
    void shouldLeaveAFileAloneThatIsGone(int bytes) throws Exception {
        IndexFile file = file(bytes);
        Files.delete(directory.resolve("file"));
        load(file);
        assertThat(file.isInMemory()).isFalse();
    }

    /** A listener of the loading may fail: nothing of the loading stays behind. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 5_000_000})
    void shouldGiveTheMemoryBackWhereTheListenerFails(int bytes) throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        DirectoryOptions heard = DirectoryOptions.defaults().withProgress((loaded, total) -> {
            if (fails.get()) {
                throw new IllegalStateException("the listener fails");
            }
        });
        loader.close();
        loader = new Loader(folder, memory, heard, new Counters());
        IndexFile file = file(bytes);
        loader.load(file); // the reader that opens the file gets it from the disk
        assertThatThrownBy(loader::await).isInstanceOf(IOException.class).hasStackTraceContaining("the listener fails");
        assertThat(budget.usedBytes()).isZero();
        fails.set(false);
        load(file);
        assertThat(file.isInMemory()).isTrue();
        file.delete();
    }

    private static Thread none(Runnable work) {
        throw new OutOfMemoryError("unable to create native thread");
    }

    @Test
    @Timeout(60)
    void shouldLeaveAFileOnTheDiskForWhichThereIsNoThread() throws Exception {
        ThreadFactory threads = loader.background().getThreadFactory();
        IndexFile file = file(5_000_000);
        loader.background().setThreadFactory(LoaderTest::none);
        assertThatThrownBy(() -> load(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("file: no thread to load it: unable to create native thread");
        assertThat(budget.usedBytes()).isZero();
        loader.background().setThreadFactory(threads);
        load(file);
        assertThat(file.isInMemory()).isTrue();
        file.delete();
    }

    /** One thread can be started, and no second one. */
    @Test
    @Timeout(60)
    void shouldLoadByTheThreadsThatThereAre() throws Exception {
        ThreadFactory threads = loader.background().getThreadFactory();
        AtomicInteger made = new AtomicInteger();
        loader.background()
                .setThreadFactory(work -> made.getAndIncrement() == 0 ? threads.newThread(work) : none(work));
        IndexFile file = file(20_000_000);
        load(file);
        assertThat(file.isInMemory()).isTrue();
        assertThat(made).hasValueGreaterThan(1);
        file.delete();
    }

    @Test
    void shouldStartNothingAfterItsEnd() throws Exception {
        IndexFile file = file(5_000_000);
        loader.close();
        assertThatThrownBy(() -> loader.load(file)).isInstanceOf(AlreadyClosedException.class);
        loader.close();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void shouldTellOfAFileThatIsShorterThanItWas() throws IOException {
        IndexFile file = IndexFile.written("file"); // ours, whose end the folder has lost
        file.grow(200_000);
        file.finish();
        Files.write(directory.resolve("file"), new byte[327]);
        assertThatThrownBy(() -> load(file)).isInstanceOf(EOFException.class).hasMessageContaining("ends at 327");
    }
}
