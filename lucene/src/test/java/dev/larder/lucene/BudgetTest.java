package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory within its budget, and at the end of it. */
class BudgetTest {

    private static final int MIB = 1 << 20;
    private static final int LENGTH = 3 * MIB;
    private static final int ROOM = 12 * MIB; // for two such files, whole pages counted

    @TempDir
    Path folder;

    private static DirectoryOptions options(long bytes, WhenFull whenFull) {
        return DirectoryOptions.defaults().withBudget(MemoryBudget.of(bytes)).withWhenFull(whenFull);
    }

    @Test
    void shouldRefuseAFileByItsNameAndSizeAndWhatIsUsed() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory(options(ROOM, WhenFull.REFUSE))) {
            Contents.write(directory, "first", 1, LENGTH);
            assertThatThrownBy(() -> Contents.write(directory, "second", 2, ROOM))
                    .isInstanceOf(BudgetFullException.class)
                    .hasMessageContainingAll("second", "budget is " + ROOM + " bytes", "are used");
            assertThat(directory.statistics().refused()).isPositive();
            Contents.check(directory, "first", 1, LENGTH);
            directory.deleteFile("second");
            Contents.write(directory, "third", 3, LENGTH);
            Contents.check(directory, "third", 3, LENGTH);
        }
    }

    @Test
    void shouldRefuseWhereThereIsNoDiskToLeaveAFileOn() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory(options(ROOM, WhenFull.LEAVE_ON_DISK))) {
            assertThatThrownBy(() -> Contents.write(directory, "large", 1, 2 * ROOM))
                    .isInstanceOf(BudgetFullException.class);
        }
    }

    /** Two directories that each believed in a budget of their own would take more than the machine has. */
    @Test
    void shouldShareOneBudgetUnlessAnotherIsGiven() throws IOException {
        long before = MemoryBudget.ofProcess().usedBytes();
        try (LarderDirectory first = LarderDirectory.inMemory();
                LarderDirectory second = LarderDirectory.open(folder)) {
            Contents.write(first, "a", 1, LENGTH);
            Contents.write(second, "b", 2, LENGTH);
            second.sync(List.of("b")); // the write-back may hold the block that the file has outgrown
            assertThat(MemoryBudget.ofProcess().usedBytes() - before).isGreaterThanOrEqualTo(2L * LENGTH);
            assertThat(first.statistics().budgetUsedBytes())
                    .isEqualTo(second.statistics().budgetUsedBytes());
        }
        assertThat(DirectoryOptions.defaults().whenFull()).isEqualTo(WhenFull.LEAVE_ON_DISK);
    }

    @Test
    void shouldGiveBackWhatItTook() throws IOException {
        MemoryBudget budget = MemoryBudget.of(ROOM);
        try (LarderDirectory directory =
                LarderDirectory.inMemory(DirectoryOptions.defaults().withBudget(budget))) {
            for (int round = 0; round < 20; round++) {
                Contents.write(directory, "file", round, LENGTH);
                Contents.write(directory, "small", round, 5000);
                Contents.check(directory, "file", round, LENGTH);
                assertThat(budget.usedBytes()).isBetween((long) LENGTH + 5000, (long) ROOM);
                directory.deleteFile("file");
                directory.deleteFile("small");
            }
            assertThat(budget.usedBytes()).isZero();
            assertThat(directory.statistics().recycledBytes()).isGreaterThanOrEqualTo(20L * LENGTH);
        }
    }

    @Test
    void shouldKeepTheMemoryOfADeletedFileForItsInputs() throws IOException {
        MemoryBudget budget = MemoryBudget.of(ROOM);
        LarderDirectory directory =
                LarderDirectory.inMemory(DirectoryOptions.defaults().withBudget(budget));
        Contents.write(directory, "file", 1, LENGTH);
        IndexInput input = directory.openInput("file", IOContext.DEFAULT);
        IndexInput clone = input.clone();
        directory.deleteFile("file");
        clone.close();
        assertThat(budget.usedBytes()).isGreaterThanOrEqualTo(LENGTH);
        directory.close();
        Contents.check(input, 1, LENGTH);
        input.close();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void shouldBeSharedByDirectories() throws IOException {
        DirectoryOptions shared = options(ROOM, WhenFull.REFUSE);
        try (LarderDirectory first = LarderDirectory.inMemory(shared);
                LarderDirectory second = LarderDirectory.inMemory(shared)) {
            Contents.write(first, "a", 1, LENGTH);
            Contents.write(second, "b", 2, LENGTH);
            assertThat(first.statistics().budgetUsedBytes())
                    .isEqualTo(second.statistics().budgetUsedBytes())
                    .isGreaterThanOrEqualTo(2L * LENGTH);
            assertThatThrownBy(() -> Contents.write(second, "c", 3, ROOM)).isInstanceOf(BudgetFullException.class);
        }
    }

    @Test
    void shouldLeaveTheRestOfALargeFileOnTheDisk() throws IOException {
        try (LarderDirectory directory = LarderDirectory.open(folder, options(ROOM, WhenFull.LEAVE_ON_DISK))) {
            byte[] bytes = Contents.of(1, 3 * ROOM);
            try (IndexOutput output = directory.createOutput("large", IOContext.DEFAULT)) {
                output.writeInt(42);
                output.writeBytes(bytes, bytes.length);
                output.writeLong(43);
                java.util.zip.CRC32 expected = new java.util.zip.CRC32();
                expected.update(new byte[] {42, 0, 0, 0});
                expected.update(bytes);
                expected.update(new byte[] {43, 0, 0, 0, 0, 0, 0, 0});
                assertThat(output.getChecksum()).isEqualTo(expected.getValue());
                assertThat(output.getFilePointer()).isEqualTo(bytes.length + 12L);
            }
            try (IndexInput input = directory.openInput("large", IOContext.DEFAULT)) {
                assertThat(input.readInt()).isEqualTo(42);
                byte[] read = new byte[bytes.length];
                input.readBytes(read, 0, read.length);
                assertThat(read).isEqualTo(bytes);
                assertThat(input.readLong()).isEqualTo(43);
            }
            directory.sync(List.of("large"));
            assertThat(Files.size(folder.resolve("large"))).isEqualTo(bytes.length + 12L);
            assertThat(directory.statistics().filesOnDisk()).isEqualTo(1);
            assertThat(directory.statistics().leftOnDisk()).isPositive();
        }
    }

    @Test
    void shouldLetTheColdestFileMakeRoom() throws IOException {
        try (LarderDirectory directory = LarderDirectory.open(folder, options(11 * MIB, WhenFull.LEAVE_ON_DISK))) {
            Contents.write(directory, "a", 1, LENGTH);
            directory.sync(List.of("a")); // a file that is being written back takes room, and makes none
            Contents.write(directory, "b", 2, LENGTH);
            directory.sync(List.of("b"));
            assertThat(directory.statistics().filesOnDisk()).isZero();
            IndexInput open = directory.openInput("a", IOContext.DEFAULT);
            Contents.check(directory, "b", 2, LENGTH); // opened last, and closed: "a" is older, but open
            Contents.write(directory, "c", 3, LENGTH);
            assertThat(directory.statistics().evicted()).isEqualTo(1);
            Contents.check(open, 1, LENGTH);
            open.close();
            Contents.check(directory, "b", 2, LENGTH);
            Contents.check(directory, "c", 3, LENGTH);
        }
    }

    @Test
    void shouldEvictNothingForAFileThatWillNotFitAnyway() throws IOException {
        try (LarderDirectory directory = LarderDirectory.open(folder, options(10 * MIB, WhenFull.LEAVE_ON_DISK))) {
            Contents.write(directory, "a", 1, 4 * MIB);
            directory.sync(List.of("a"));
            Contents.put(folder, "large", 2, 20 * MIB);
            Contents.check(directory, "large", 2, 20 * MIB);
            directory.awaitLoaded();
            assertThat(directory.statistics().evicted()).isZero();
            assertThat(directory.statistics().leftOnDisk()).isPositive();
            assertThat(directory.statistics().filesInMemory()).isEqualTo(1);
            Contents.put(folder, "other", 3, 8 * MIB);
            Contents.check(directory, "other", 3, 8 * MIB);
            directory.awaitLoaded();
            assertThat(directory.statistics().evicted())
                    .as("this one fits then")
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldWriteAnIndexWithAlmostNoMemory() throws IOException {
        try (LarderDirectory directory = LarderDirectory.open(folder, options(100_000, WhenFull.LEAVE_ON_DISK));
                IndexWriter writer = TestIndex.writer(directory)) {
            TestIndex.writeAndCommit(writer, 0, 2000);
            writer.forceMerge(1);
            TestIndex.writeAndCommit(writer, 2000, 2100);
            assertThat(TestIndex.count(directory)).isEqualTo(2100);
        }
        assertThat(TestIndex.check(folder)).isEqualTo(2100);
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryBudget.of(-1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DirectoryOptions.defaults().withLoadThreads(65))
                .withMessageContainingAll("65", "64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DirectoryOptions.defaults().withExtensions(java.util.Set.of(".tim")))
                .withMessageContaining(".tim");
    }
}
