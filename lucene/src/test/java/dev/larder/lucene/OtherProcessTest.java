package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lucene.WatchedFolder.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another process changes the folder. The directory notices it, also for the files that it wrote itself. */
class OtherProcessTest {

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

    private LarderDirectory open() throws IOException {
        return open(DirectoryOptions.defaults());
    }

    private LarderDirectory open(DirectoryOptions options) throws IOException {
        return LarderDirectory.open(watched.wrapPath(folder), options.withBudget(budget));
    }

    private static void index(Directory directory, int from, int to) throws IOException {
        try (IndexWriter writer = TestIndex.writer(directory)) {
            TestIndex.writeAndCommit(writer, from, to);
        }
    }

    private void emptyFolder() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** Regression: the names recur, and the old files were read. */
    @Test
    void shouldReadTheIndexThatHasReplacedItsOwn() throws IOException {
        try (LarderDirectory directory = open();
                Directory plain = FSDirectory.open(folder)) {
            index(directory, 0, 100);
            assertThat(TestIndex.check(directory)).isEqualTo(100);
            emptyFolder();
            index(plain, 0, 50);
            assertThat(TestIndex.check(directory)).isEqualTo(50);
            index(plain, 50, 80);
            assertThat(TestIndex.check(directory)).isEqualTo(80);
        }
    }

    @Test
    void shouldNotReadWhatItWroteOnceThatIsDeleted() throws IOException {
        try (LarderDirectory directory = open()) {
            Contents.write(directory, "file", 1, LENGTH);
            directory.sync(List.of("file"));
            Files.delete(folder.resolve("file"));
            assertThatThrownBy(() -> directory.fileLength("file")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> directory.openInput("file", IOContext.DEFAULT))
                    .isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void shouldGiveTheMemoryBackOfAFileThatIsNoLongerListed() throws IOException {
        try (LarderDirectory directory = open()) {
            Contents.write(directory, "file", 1, LENGTH);
            directory.sync(List.of("file"));
            Files.delete(folder.resolve("file"));
            assertThat(directory.listAll()).isEmpty();
            assertThat(budget.usedBytes()).isZero();
        }
    }

    @Test
    void shouldGiveTheMemoryBackOfAFileThatIsAlreadyDeleted() throws IOException {
        try (LarderDirectory directory = open()) {
            Contents.write(directory, "file", 1, LENGTH);
            directory.sync(List.of("file"));
            Files.delete(folder.resolve("file"));
            assertThatThrownBy(() -> directory.deleteFile("file")).isInstanceOf(NoSuchFileException.class);
            assertThat(budget.usedBytes()).isZero();
        }
    }

    @Test
    void shouldGiveTheMemoryBackOfAFileThatIsDeletedBeforeItIsWrittenBack() throws Exception {
        try (LarderDirectory directory = open()) {
            watched.hold(Step.WRITE, "file", 1);
            Contents.write(directory, "file", 1, LENGTH);
            watched.awaitHeld();
            Files.delete(folder.resolve("file"));
            watched.release();
            assertThatThrownBy(() -> directory.sync(List.of("file"))).isInstanceOf(NoSuchFileException.class);
            assertThat(directory.listAll()).isEmpty();
            assertThat(budget.usedBytes()).isZero();
        }
    }

    /** The names were listed before the files came. */
    @Test
    void shouldKeepTheFilesThatComeWhileNamesAreListed() throws Exception {
        try (LarderDirectory directory = open()) {
            watched.hold(Step.LISTED, folder.getFileName().toString(), 1);
            Future<String[]> listing = threads.submit(directory::listAll);
            watched.awaitHeld();
            Contents.put(folder, "found", 1, LENGTH);
            Contents.check(directory, "found", 1, LENGTH);
            Contents.write(directory, "written", 2, LENGTH);
            directory.sync(List.of("written"));
            watched.release();
            assertThat(listing.get(1, TimeUnit.MINUTES)).isEmpty();
            assertThat(directory.statistics().filesInMemory()).isEqualTo(2);
        }
    }

    /** The folder has the new name already, and the directory knows the old one. */
    @Test
    void shouldKeepAFileThatIsRenamedWhileNamesAreListed() throws Exception {
        try (LarderDirectory directory = open()) {
            Contents.write(directory, "source", 1, LENGTH);
            directory.sync(List.of("source"));
            watched.hold(Step.RENAMED, "source", 1);
            Future<?> renaming = threads.submit(() -> {
                directory.rename("source", "target");
                return null;
            });
            watched.awaitHeld();
            Future<String[]> listing = threads.submit(directory::listAll);
            assertThatThrownBy(() -> listing.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            watched.release();
            renaming.get(1, TimeUnit.MINUTES);
            assertThat(listing.get(1, TimeUnit.MINUTES)).containsExactly("target");
            assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
        }
    }

    /** Regression: the opening failed. */
    @Test
    void shouldOpenAFolderFromWhichAFileVanishesMeanwhile() throws Exception {
        Contents.put(folder, "vanishing", 1, LENGTH);
        Contents.put(folder, "staying", 2, LENGTH);
        watched.hold(Step.LOOK, "vanishing", 2); // the first look tells that it is a file
        Future<LarderDirectory> opening =
                threads.submit(() -> open(DirectoryOptions.defaults().withLoading(Loading.EAGER)));
        watched.awaitHeld();
        Files.delete(folder.resolve("vanishing"));
        watched.release();
        try (LarderDirectory directory = opening.get(1, TimeUnit.MINUTES)) {
            assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
            Contents.check(directory, "staying", 2, LENGTH);
        }
    }
}
