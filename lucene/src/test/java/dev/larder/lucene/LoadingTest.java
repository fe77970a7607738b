package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that a folder already has, and how they are loaded into memory. */
class LoadingTest {

    private static final int LARGE = (9 << 20) + 123; // several parts, no whole page
    private static final int SMALL = 777;

    @TempDir
    Path folder;

    @BeforeEach
    void putFiles() throws IOException {
        Contents.put(folder, "_0.tim", 1, LARGE);
        Contents.put(folder, "_0.fdt", 2, LARGE);
        Contents.put(folder, "segments_1", 3, SMALL);
        Contents.put(folder, "empty", 4, 0);
    }

    private LarderDirectory open(DirectoryOptions options) throws IOException {
        return LarderDirectory.open(folder, options);
    }

    private static void checkAll(Directory directory) throws IOException {
        Contents.check(directory, "_0.tim", 1, LARGE);
        Contents.check(directory, "_0.fdt", 2, LARGE);
        Contents.check(directory, "segments_1", 3, SMALL);
        Contents.check(directory, "empty", 4, 0);
    }

    @Test
    void shouldLoadAllBeforeItOpens() throws IOException {
        AtomicLong loaded = new AtomicLong();
        DirectoryOptions eager = DirectoryOptions.defaults()
                .withLoading(Loading.EAGER)
                .withLoadThreads(3)
                .withProgress((bytes, total) -> loaded.accumulateAndGet(bytes, Math::max));
        try (LarderDirectory directory = open(eager)) {
            assertThat(directory.statistics().filesInMemory()).isEqualTo(4);
            assertThat(directory.statistics().loads()).isEqualTo(4);
            assertThat(directory.statistics().loadedBytes()).isEqualTo(2L * LARGE + SMALL);
            assertThat(loaded).hasValue(2L * LARGE + SMALL);
            checkAll(directory);
        }
    }

    /** The loading waits for its listener, so a listener that waited for the loading would wait for ever. */
    @Test
    @Timeout(60)
    void shouldRefuseAListenerThatWaitsForTheLoading() throws IOException {
        AtomicReference<LarderDirectory> opened = new AtomicReference<>();
        AtomicInteger refused = new AtomicInteger();
        DirectoryOptions heard = DirectoryOptions.defaults().withProgress((bytes, total) -> {
            assertThatThrownBy(() -> opened.get().awaitLoaded())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(folder + ": a listener of loads cannot wait for it: loading continues when the"
                            + " listener returns");
            assertThatThrownBy(() -> opened.get().close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot close the directory");
            refused.incrementAndGet();
        });
        try (LarderDirectory directory = open(heard)) {
            opened.set(directory);
            checkAll(directory);
            directory.awaitLoaded();
            assertThat(directory.statistics().loads()).isEqualTo(4);
            assertThat(refused).hasValueGreaterThan(1);
        }
    }

    /** Regression: a file of up to 256 KiB could not be opened. */
    @Test
    void shouldReadFromTheDiskWhereTheListenerFails() throws IOException {
        DirectoryOptions heard = DirectoryOptions.defaults().withProgress((bytes, total) -> {
            throw new IllegalStateException("the listener fails");
        });
        try (LarderDirectory directory = open(heard)) {
            checkAll(directory);
            assertThatThrownBy(directory::awaitLoaded)
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("the listener fails");
            assertThat(directory.statistics().filesInMemory()).isZero();
            directory.awaitLoaded(); // it was told once
        }
    }

    @Test
    void shouldLoadAFileInTheBackgroundWhenItIsOpened() throws IOException {
        try (LarderDirectory directory = open(DirectoryOptions.defaults())) {
            assertThat(directory.statistics().filesInMemory()).isZero();
            try (IndexInput before = directory.openInput("_0.tim", IOContext.DEFAULT)) {
                Contents.check(before, 1, LARGE);
                directory.awaitLoaded();
                assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
                try (IndexInput after = directory.openInput("_0.tim", IOContext.DEFAULT)) {
                    Contents.check(after, 1, LARGE);
                    Contents.check(before, 1, LARGE);
                }
            }
            checkAll(directory);
        }
    }

    @Test
    void shouldServeReadersWhileItLoads() throws Exception {
        try (LarderDirectory directory = open(DirectoryOptions.defaults());
                ExecutorService readers = Executors.newFixedThreadPool(4)) {
            List<Future<?>> reads = new ArrayList<>();
            for (int reader = 0; reader < 12; reader++) {
                reads.add(readers.submit(() -> {
                    checkAll(directory);
                    return null;
                }));
            }
            for (Future<?> read : reads) {
                read.get();
            }
            directory.awaitLoaded();
            assertThat(directory.statistics().loads()).isEqualTo(4);
            assertThat(directory.statistics().filesOnDisk()).isZero();
        }
    }

    @Test
    void shouldLoadSomeTypesOnly() throws IOException {
        DirectoryOptions dictionary =
                DirectoryOptions.defaults().withLoading(Loading.EAGER).withExtensions(Set.of("tim"));
        try (LarderDirectory directory = open(dictionary)) {
            assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
            checkAll(directory);
            directory.awaitLoaded();
            assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
            assertThat(directory.statistics().filesOnDisk()).isEqualTo(3);
        }
    }

    @Test
    void shouldLoadNothingThatItIsNotToLoad() throws IOException {
        try (LarderDirectory directory = open(DirectoryOptions.defaults().withLoading(Loading.NEVER))) {
            checkAll(directory);
            assertThat(directory.statistics().loads()).isZero();
            Contents.write(directory, "new", 5, SMALL);
            assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
        }
    }

    @Test
    void shouldLeaveTheColdFilesOnTheDiskWhereThereIsNoRoomForAll() throws IOException {
        DirectoryOptions one = DirectoryOptions.defaults()
                .withLoading(Loading.EAGER)
                .withBudget(MemoryBudget.of(LARGE + (4L << 20)))
                .withWhenFull(WhenFull.LEAVE_ON_DISK);
        try (LarderDirectory directory = open(one)) {
            assertThat(directory.statistics().leftOnDisk()).isPositive();
            assertThat(directory.statistics().filesOnDisk()).isPositive();
            assertThat(directory.statistics().evicted()).isZero();
            checkAll(directory);
            directory.awaitLoaded();
            assertThat(directory.statistics().evicted())
                    .as("a file that is cold makes no room for itself later")
                    .isZero();
        }
    }

    /**
     * Files that no reader has opened yet make room in the order of their kind. The coldest of them is room enough, even if the
     * write-back still holds a former block of the new file.
     */
    @Test
    void shouldKeepTheHotFilesWhenANewOneNeedsRoom() throws IOException {
        DirectoryOptions two = DirectoryOptions.defaults()
                .withLoading(Loading.EAGER)
                .withBudget(MemoryBudget.of(2L * LARGE + (3L << 20)))
                .withWhenFull(WhenFull.LEAVE_ON_DISK);
        try (LarderDirectory directory = open(two)) {
            assertThat(directory.statistics().filesInMemory()).isEqualTo(4);
            Contents.write(directory, "new", 5, 3 << 20);
            Contents.check(directory, "_0.tim", 1, LARGE);
            assertThat(directory.statistics().loads()).as("none again").isEqualTo(4);
            try (IndexInput dictionary = directory.openInput("_0.tim", IOContext.DEFAULT)) {
                assertThat(dictionary.isLoaded()).contains(true);
            }
            assertThat(directory.statistics().filesOnDisk()).isPositive();
        }
    }

    @Test
    void shouldRefuseAFolderThatIsTooLarge() {
        DirectoryOptions tooSmall = DirectoryOptions.defaults()
                .withLoading(Loading.EAGER)
                .withBudget(MemoryBudget.of(LARGE + (4L << 20)))
                .withWhenFull(WhenFull.REFUSE);
        assertThatThrownBy(() -> open(tooSmall)).isInstanceOf(BudgetFullException.class);
        assertThat(tooSmall.budget().usedBytes()).as("nothing is kept").isZero();
    }

    @Test
    void shouldLeaveNoSecondCopyInThePageCache() throws IOException {
        assumeTrue(TestMachine.hasNativeCalls(), "the page cache is let go by a native call");
        try (LarderDirectory directory = open(DirectoryOptions.defaults().withLoading(Loading.NEVER))) {
            directory.sync(List.of("_0.tim", "_0.fdt")); // dirty pages cannot be let go
        }
        try (LarderDirectory directory = open(DirectoryOptions.defaults())) {
            Contents.check(directory, "_0.tim", 1, LARGE); // through the mapping
            directory.awaitLoaded();
            assertThat(isCached("_0.tim")).isFalse();
            Contents.check(directory, "_0.tim", 1, LARGE);
            assertThat(isCached("_0.tim")).isFalse();
            Files.readAllBytes(folder.resolve("_0.tim"));
            assertThat(isCached("_0.tim")).as("the check can tell").isTrue();
        }
    }

    @Test
    void shouldLeaveNoSecondCopyOfWhatIsWrittenAndSynced() throws IOException {
        assumeTrue(TestMachine.hasNativeCalls(), "the page cache is let go by a native call");
        try (LarderDirectory directory = open(DirectoryOptions.defaults())) {
            Contents.write(directory, "new", 7, LARGE);
            directory.sync(List.of("new"));
            assertThat(isCached("new")).isFalse();
            Contents.check(directory, "new", 7, LARGE);
        }
        try (Directory plain = FSDirectory.open(folder)) {
            Contents.check(plain, "new", 7, LARGE);
        }
    }

    private boolean isCached(String name) {
        try (StorageFile file =
                        SystemStorage.system().open(folder.resolve(name), false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            return SystemStorage.system().isResident(file.map(0, 1 << 20, false, arena));
        }
    }

    @Test
    void shouldSeeAFileThatAnotherProcessHasReplaced() throws IOException {
        try (LarderDirectory directory = open(DirectoryOptions.defaults())) {
            Contents.check(directory, "segments_1", 3, SMALL);
            Files.delete(folder.resolve("segments_1"));
            Contents.put(folder, "segments_1", 9, SMALL + 1);
            Contents.check(directory, "segments_1", 9, SMALL + 1);
            Files.delete(folder.resolve("segments_1"));
            assertThatThrownBy(() -> directory.openInput("segments_1", IOContext.DEFAULT))
                    .isInstanceOf(NoSuchFileException.class);
            assertThat(directory.listAll()).doesNotContain("segments_1");
        }
    }

    @Test
    void shouldOpenAnIndexOfFSDirectoryAndTheOtherWayRound() throws IOException {
        Path index = folder.resolve("index");
        try (Directory plain = FSDirectory.open(index);
                IndexWriter writer = TestIndex.writer(plain)) {
            TestIndex.writeAndCommit(writer, 0, 500);
        }
        DirectoryOptions eager = DirectoryOptions.defaults().withLoading(Loading.EAGER);
        try (LarderDirectory directory = LarderDirectory.open(index, eager)) {
            assertThat(TestIndex.check(directory)).isEqualTo(500);
            try (IndexWriter writer = TestIndex.writer(directory)) {
                TestIndex.writeAndCommit(writer, 500, 900);
            }
        }
        assertThat(TestIndex.check(index)).isEqualTo(900);
    }

    @Test
    void shouldWriteNothingWhereItIsReadOnly() throws IOException {
        DirectoryOptions readOnly = DirectoryOptions.defaults().withReadOnly(true);
        try (LarderDirectory directory = open(readOnly)) {
            checkAll(directory);
            assertThatThrownBy(() -> directory.deleteFile("_0.tim")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> Contents.write(directory, "new", 1, 1)).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> directory.obtainLock("write.lock")).isInstanceOf(AccessDeniedException.class);
        }
        assertThatThrownBy(() -> LarderDirectory.open(folder.resolve("missing"), readOnly))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(folder.resolve("missing")).doesNotExist();
    }
}
