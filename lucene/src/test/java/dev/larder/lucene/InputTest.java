package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.RandomAccessInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promises of an input beyond Lucene's suites. */
class InputTest {

    private static final int LENGTH = 5000;

    @TempDir
    Path folder;

    @Test
    void shouldEndItsClonesAndSlices() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            Contents.write(directory, "file", 1, LENGTH);
            IndexInput input = directory.openInput("file", IOContext.DEFAULT);
            IndexInput clone = input.clone();
            IndexInput slice = clone.slice("part", 10, 100);
            RandomAccessInput random = input.randomAccessSlice(0, LENGTH);
            IndexInput other = directory.openInput("file", IOContext.DEFAULT);
            input.close();
            assertThatThrownBy(clone::readByte).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(slice::readLong).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(() -> random.readInt(0)).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(() -> slice.readBytes(new byte[5], 0, 5)).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(clone::clone).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(() -> ((MemorySegmentAccessInput) slice).segmentSliceOrNull(0, 1))
                    .isInstanceOf(AlreadyClosedException.class);
            Contents.check(other, 1, LENGTH);
            other.close();
        }
    }

    @Test
    void shouldBeOneSegmentForVectorsAndPostings() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            int length = 5 << 20;
            Contents.write(directory, "file", 1, length);
            try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
                MemorySegment all = ((MemorySegmentAccessInput) input).segmentSliceOrNull(0, length);
                assertThat(all).isNotNull();
                assertThat(all.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Contents.of(1, length));
                assertThat(all.isReadOnly()).isTrue();
                MemorySegmentAccessInput slice = (MemorySegmentAccessInput) input.slice("part", 100, 50);
                assertThat(slice.segmentSliceOrNull(10, 40).mismatch(all.asSlice(110, 40)))
                        .isEqualTo(-1);
                assertThatThrownBy(() -> slice.segmentSliceOrNull(20, 31)).isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void shouldTellTheEndOfAFileFromAMistake() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            Contents.write(directory, "file", 1, 10);
            try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
                assertThatThrownBy(() -> input.readBytes(new byte[5], 2, 5))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> input.readInts(new int[3], 0, 3))
                        .isInstanceOf(EOFException.class)
                        .hasMessageContainingAll("12 bytes", "10 bytes", "file");
                assertThatThrownBy(() -> ((RandomAccessInput) input).readLong(3))
                        .isInstanceOf(EOFException.class);
                assertThatIllegalArgumentException().isThrownBy(() -> ((RandomAccessInput) input).readByte(-1));
                assertThatIllegalArgumentException().isThrownBy(() -> input.seek(-1));
            }
        }
    }

    @Test
    void shouldReadMemoryAndMappingsThroughOneClassOfSegment() throws IOException {
        assumeTrue(TestMachine.hasNativeCalls(), "Java's own mappings are of another class");
        Contents.put(folder, "mapped", 1, LENGTH);
        try (LarderDirectory directory =
                LarderDirectory.open(folder, DirectoryOptions.defaults().withLoading(Loading.NEVER))) {
            Contents.write(directory, "written", 2, LENGTH);
            assertThat(segment(directory, "mapped").getClass())
                    .isEqualTo(segment(directory, "written").getClass());
        }
    }

    private static MemorySegment segment(LarderDirectory directory, String name) throws IOException {
        try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
            return ((MemorySegmentAccessInput) input).segmentSliceOrNull(0, LENGTH);
        }
    }

    @Test
    void shouldReadWhatIsThereOfAFileThatIsBeingWritten() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            int length = 6 << 20;
            IndexOutput output = directory.createOutput("file", IOContext.DEFAULT);
            output.writeBytes(Contents.of(1, length), length);
            try (IndexInput early = directory.openInput("file", IOContext.DEFAULT)) {
                output.writeBytes(Contents.of(2, length), length);
                output.close();
                byte[] read = new byte[(int) early.length()];
                early.readBytes(read, 0, read.length);
                assertThat(read).isEqualTo(java.util.Arrays.copyOf(Contents.of(1, length), read.length));
                assertThat(read.length).isPositive();
            }
        }
    }

    @Test
    void shouldNotWriteIntoAnotherFileAfterItsOwnWasDeleted() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            int length = 4 << 20;
            IndexOutput deleted = directory.createOutput("deleted", IOContext.DEFAULT);
            deleted.writeBytes(Contents.of(1, length), length);
            directory.deleteFile("deleted");
            Contents.write(directory, "other", 2, length);
            deleted.writeBytes(Contents.of(3, length), length);
            deleted.close();
            Contents.check(directory, "other", 2, length);
        }
    }

    @Test
    void shouldCopyFromFileToFile() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            int length = 5 << 20;
            Contents.write(directory, "source", 1, length);
            directory.copyFrom(directory, "source", "copy", IOContext.DEFAULT);
            Contents.check(directory, "copy", 1, length);
        }
    }
}
