package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A failed write-back is never passed over, and loses nothing. */
class FullDiskTest {

    private static final int LENGTH = 100_000;

    @TempDir
    Path folder;

    private final FullFolder full = new FullFolder(Long.MAX_VALUE);

    private LarderDirectory open() throws IOException {
        return LarderDirectory.open(full.wrapPath(folder));
    }

    @Test
    void shouldFailTheSyncAndWriteAnewWithTheNext() throws IOException {
        try (LarderDirectory directory = open()) {
            full.leftBytes.set(10);
            IndexOutput output = directory.createOutput("file", IOContext.DEFAULT);
            output.writeBytes(Contents.of(1, LENGTH), LENGTH);
            closeAnyway(output);
            for (int time = 0; time < 3; time++) {
                assertThatThrownBy(() -> directory.sync(List.of("file")))
                        .isInstanceOf(IOException.class)
                        .hasMessageContainingAll("file", "cannot write back", "No space left");
            }
            Contents.check(directory, "file", 1, LENGTH);
            full.leftBytes.set(Long.MAX_VALUE);
            directory.sync(List.of("file"));
            assertThat(Files.readAllBytes(folder.resolve("file"))).isEqualTo(Contents.of(1, LENGTH));
        }
    }

    /** Regression: the thread that writes back ended without a word, and whoever waited for it did so for ever. */
    @Test
    @Timeout(60)
    void shouldFailTheSyncIfTheErrorCannotEvenBeDescribed() throws IOException {
        try (LarderDirectory directory = open()) {
            full.error = new OutOfMemoryError() {
                @Override
                public String getMessage() {
                    throw new OutOfMemoryError("again");
                }
            };
            full.leftBytes.set(10);
            IndexOutput output = directory.createOutput("file", IOContext.DEFAULT);
            output.writeBytes(Contents.of(1, LENGTH), LENGTH);
            output.close();
            assertThatThrownBy(() -> directory.sync(List.of("file")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("file", "cannot write back");
            full.leftBytes.set(Long.MAX_VALUE);
            directory.sync(List.of("file"));
            assertThat(Files.readAllBytes(folder.resolve("file"))).isEqualTo(Contents.of(1, LENGTH));
            directory.deleteFile("file");
        }
    }

    /** Closes an output. The failure may already be known at the end of the file, or not. */
    private static void closeAnyway(IndexOutput output) {
        try {
            output.close();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void shouldStopAWriterThatGoesOn() throws IOException {
        LarderDirectory directory = open();
        full.leftBytes.set(2 << 20);
        byte[] part = Contents.of(1, 1 << 20);
        IndexOutput output = directory.createOutput("file", IOContext.DEFAULT);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2000; i++) {
                        output.writeBytes(part, part.length);
                        Thread.sleep(1);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left");
        closeAnyway(output);
        directory.deleteFile("file");
        directory.close();
    }

    /** Regression: the steps after the first one reported a closed file, and no longer the reason. */
    @Test
    void shouldTellAtEveryStepWhyAFileOnTheDiskFailed() throws IOException {
        DirectoryOptions noMemory = DirectoryOptions.defaults().withBudget(MemoryBudget.of(0));
        LarderDirectory directory = LarderDirectory.open(full.wrapPath(folder), noMemory);
        full.leftBytes.set(1 << 20);
        byte[] part = Contents.of(1, LENGTH);
        IndexOutput output = directory.createOutput("file", IOContext.DEFAULT);
        assertNoSpace(() -> {
            for (int i = 0; i < 20; i++) {
                output.writeBytes(part, part.length);
            }
        });
        assertNoSpace(() -> output.writeBytes(part, part.length));
        assertNoSpace(output::close);
        assertNoSpace(() -> directory.sync(List.of("file")));
        assertNoSpace(directory::close);
    }

    private static void assertNoSpace(ThrowingCallable step) {
        assertThatThrownBy(step).isInstanceOf(IOException.class).hasMessageContaining("No space left");
    }

    @Test
    void shouldCommitOnceThereIsSpaceAgain() throws IOException {
        try (LarderDirectory directory = open();
                IndexWriter writer = TestIndex.writer(directory)) {
            TestIndex.writeAndCommit(writer, 0, 100);
            for (int number = 100; number < 200; number++) {
                writer.addDocument(TestIndex.document(number));
            }
            full.leftBytes.set(0);
            assertThatThrownBy(writer::commit).isInstanceOf(IOException.class).hasMessageContaining("No space left");
            assertThat(TestIndex.count(directory)).isEqualTo(100);
            full.leftBytes.set(Long.MAX_VALUE);
            if (writer.isOpen()) {
                TestIndex.writeAndCommit(writer, 100, 200);
            }
        }
        assertThat(TestIndex.check(folder)).isIn(100, 200);
    }
}
