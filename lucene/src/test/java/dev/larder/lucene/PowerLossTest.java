package dev.larder.lucene;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power fails while an index is written. Plain Lucene opens the files on the disk, with all that was committed. */
class PowerLossTest {

    private static final int IMAGES = Effort.of(20, 40, 400);
    private static final int ROUNDS = 12;
    private static final int ROUND_DOCUMENTS = 60;
    private static final int FILE_BYTES = 200_000;

    /** A folder that a disk may have, and how many documents were certainly committed before. */
    private record Image(Path folder, int committed) {}

    @TempDir
    Path scratch;

    private final AtomicInteger committed = new AtomicInteger();
    private final List<Image> images = new ArrayList<>();

    @Test
    void shouldHaveEveryCommitAfterAnyLossOfPower() throws IOException {
        writeAndTakeImages(false);
        assertThat(images).hasSize(IMAGES);
        for (Image image : images) {
            TestIndex.forgetOlderCommits(image.folder());
            assertThat(TestIndex.check(image.folder())).isGreaterThanOrEqualTo(image.committed());
        }
    }

    @Test
    void shouldBeToldByTheImagesWhereNothingIsFlushed() throws IOException {
        writeAndTakeImages(true);
        assertThat(images).anySatisfy(image -> assertThat(isWhole(image)).isFalse());
    }

    /** After the error the system takes the pages as written, so a second flush alone would report a commit that is lost. */
    @Test
    void shouldWriteEveryByteAgainAfterAFlushThatFailed() throws IOException {
        PowerLossFolder.Wrapped disk = PowerLossFolder.wrap(scratch.resolve("index"), () -> {});
        try (LarderDirectory directory = LarderDirectory.open(disk.path())) {
            Contents.write(directory, "before", 1, FILE_BYTES);
            Contents.write(directory, "file", 2, FILE_BYTES);
            directory.sync(List.of("before"));
            disk.watcher().failNextFlush();
            assertThatThrownBy(() -> directory.sync(List.of("file", "before")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Input/output error");
            directory.sync(List.of("file", "before"));
            assertThat(disk.watcher().durable("file")).isEqualTo(Contents.of(2, FILE_BYTES));
            assertThat(disk.watcher().durable("before")).isEqualTo(Contents.of(1, FILE_BYTES));
        }
    }

    /** An older commit has the file as well. Its durable bytes stay durable while it is written again. */
    @Test
    void shouldKeepWhatIsDurableWhileItWritesAgain() throws IOException {
        byte[] bytes = Contents.of(1, FILE_BYTES);
        PowerLossFolder.Wrapped[] disk = new PowerLossFolder.Wrapped[1];
        AtomicInteger committedBytes = new AtomicInteger();
        SplittableRandom random = new SplittableRandom(11);
        disk[0] = PowerLossFolder.wrap(scratch.resolve("index"), () -> {
            Path image = scratch.resolve("image-" + committedBytes.get() + "-" + random.nextLong());
            if (committedBytes.get() > 0) {
                checkImage(disk[0].watcher(), image, random, bytes);
            }
        });
        try (LarderDirectory directory = LarderDirectory.open(disk[0].path())) {
            Contents.write(directory, "file", 1, FILE_BYTES);
            directory.sync(List.of("file"));
            directory.syncMetaData();
            committedBytes.set(FILE_BYTES);
            disk[0].watcher().failNextFlush();
            assertThatThrownBy(() -> directory.sync(List.of("file"))).hasMessageContaining("Input/output error");
            directory.sync(List.of("file"));
        }
    }

    private static void checkImage(PowerLossFolder disk, Path image, SplittableRandom random, byte[] bytes) {
        try {
            disk.image(image, random);
            assertThat(Files.readAllBytes(image.resolve("file"))).isEqualTo(bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** An evicted file has no copy but the one that the disk may have lost, even if it was loaded from there again. */
    @Test
    void shouldNotSyncWhatItCannotWriteAgain() throws IOException {
        PowerLossFolder.Wrapped disk = PowerLossFolder.wrap(scratch.resolve("index"), () -> {});
        DirectoryOptions tight = DirectoryOptions.defaults().withBudget(MemoryBudget.of(3L * FILE_BYTES / 2));
        try (LarderDirectory directory = LarderDirectory.open(disk.path(), tight)) {
            Contents.write(directory, "file", 1, FILE_BYTES);
            directory.rename("file", "gone"); // waits for the write-back, and flushes nothing
            Contents.write(directory, "other", 2, FILE_BYTES);
            assertThat(directory.statistics().evicted()).isEqualTo(1);
            directory.deleteFile("other");
            Contents.check(directory, "gone", 1, FILE_BYTES);
            disk.watcher().failNextFlush();
            for (int time = 0; time < 3; time++) {
                assertThatThrownBy(() -> directory.sync(List.of("gone")))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("Input/output error");
            }
            directory.deleteFile("gone");
        }
    }

    /** Another process has repaired the index meanwhile, with a file of the same name. */
    @Test
    void shouldNotWriteAgainOverTheFileOfAnotherProcess() throws IOException {
        Path index = scratch.resolve("index");
        PowerLossFolder.Wrapped disk = PowerLossFolder.wrap(index, () -> {});
        LarderDirectory directory = LarderDirectory.open(disk.path());
        Contents.write(directory, "file", 1, FILE_BYTES);
        disk.watcher().failNextFlush();
        assertThatThrownBy(() -> directory.sync(List.of("file"))).hasMessageContaining("Input/output error");
        Files.move(
                Files.write(scratch.resolve("repaired"), Contents.of(2, FILE_BYTES)),
                index.resolve("file"),
                REPLACE_EXISTING);
        assertThatThrownBy(() -> directory.sync(List.of("file")))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("file", "cannot write again", "another file has its name");
        assertThatThrownBy(directory::close).hasMessageContaining("another file has its name");
        assertThat(index.resolve("file")).hasBinaryContent(Contents.of(2, FILE_BYTES));
    }

    private static boolean isWhole(Image image) {
        try {
            TestIndex.forgetOlderCommits(image.folder());
            return TestIndex.check(image.folder()) >= image.committed();
        } catch (IOException | RuntimeException | AssertionError e) {
            return false;
        }
    }

    private void writeAndTakeImages(boolean forgetsFlushes) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        AtomicInteger changes = new AtomicInteger();
        PowerLossFolder.Wrapped[] folder = new PowerLossFolder.Wrapped[1];
        folder[0] = PowerLossFolder.wrap(scratch.resolve("index"), () -> {
            if (changes.incrementAndGet() % 5 == 0) {
                take(folder[0].watcher(), random);
            }
        });
        try (LarderDirectory larder = LarderDirectory.open(folder[0].path());
                Directory directory = forgetsFlushes ? forgetful(larder) : larder;
                IndexWriter writer = TestIndex.writer(directory)) {
            for (int round = 0; round < ROUNDS || count() < IMAGES; round++) {
                write(writer, round);
            }
        }
    }

    private void write(IndexWriter writer, int round) throws IOException {
        int from = round * ROUND_DOCUMENTS;
        TestIndex.writeAndCommit(writer, from, from + ROUND_DOCUMENTS);
        committed.set(from + ROUND_DOCUMENTS);
        DirectoryReader.open(writer).close(); // flushes documents that are never committed
        if (round % 4 == 3) {
            writer.forceMerge(1);
        }
    }

    private static Directory forgetful(Directory directory) {
        return new FilterDirectory(directory) {
            @Override
            public void sync(Collection<String> names) {
                assertThat(names).isNotNull(); // and forgotten
            }
        };
    }

    private synchronized int count() {
        return images.size();
    }

    private synchronized void take(PowerLossFolder folder, SplittableRandom random) {
        if (images.size() < IMAGES && random.nextInt(8) == 0) {
            int sure = committed.get();
            Path target = scratch.resolve("image-" + images.size());
            try {
                folder.image(target, random);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            images.add(new Image(target, sure));
        }
    }
}
