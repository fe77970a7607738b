package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt or a lack of descriptors is no failure of the disk: the next attempt finds everything as it was. */
class InterruptTest {

    private static final int LARGE = 9 << 20;
    private static final int SMALL = 100_000;

    @TempDir
    Path folder;

    private final AtomicInteger failingOpenings = new AtomicInteger();
    private final AtomicInteger interruptedWrites = new AtomicInteger();

    /** A file system in which some openings find no descriptor, and some writes meet an interrupt. */
    private final class Troubled extends FilterFileSystemProvider {

        Troubled() {
            super("troubled://", FileSystems.getDefault());
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            if (failingOpenings.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new FileSystemException(path.toString(), null, "Too many open files");
            }
            return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
                @Override
                public int write(ByteBuffer source, long position) throws IOException {
                    if (interruptedWrites.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        close();
                        Thread.currentThread().interrupt();
                        throw new ClosedByInterruptException();
                    }
                    return super.write(source, position);
                }
            };
        }
    }

    /** An interrupt that a test leaves must not reach the next test. */
    @AfterEach
    void forgetTheInterrupt() {
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Opens a directory that leaves every file on the disk. */
    private LarderDirectory open() throws IOException {
        DirectoryOptions noMemory =
                DirectoryOptions.defaults().withBudget(MemoryBudget.of(0)).withWhenFull(WhenFull.LEAVE_ON_DISK);
        return LarderDirectory.open(new Troubled().wrapPath(folder), noMemory);
    }

    private void checkWritten(int length) throws IOException {
        assertThat(Files.readAllBytes(folder.resolve("file"))).isEqualTo(Contents.of(1, length));
    }

    @Test
    void shouldWriteAndSyncByAThreadThatIsInterrupted() throws IOException {
        try (LarderDirectory directory = open()) {
            Thread.currentThread().interrupt();
            Contents.write(directory, "file", 1, LARGE);
            directory.sync(List.of("file"));
            assertThat(Thread.interrupted()).isTrue();
            checkWritten(LARGE);
        }
    }

    @Test
    void shouldGoOnAfterAnInterruptWithinAWrite() throws IOException {
        try (LarderDirectory directory = open()) {
            interruptedWrites.set(3);
            Contents.write(directory, "file", 1, LARGE);
            assertThat(Thread.interrupted()).isTrue();
            directory.sync(List.of("file"));
            checkWritten(LARGE);
        }
    }

    @Test
    void shouldSyncOnceThereAreDescriptorsAgain() throws IOException {
        try (LarderDirectory directory = open()) {
            Contents.write(directory, "file", 1, SMALL);
            failingOpenings.set(2);
            for (int time = 0; time < 2; time++) {
                assertThatThrownBy(() -> directory.sync(List.of("file"))).hasMessageContaining("Too many open files");
            }
            directory.sync(List.of("file"));
            checkWritten(SMALL);
        }
    }

    @Test
    void shouldLeaveNoNameOfAFileThatCouldNotBeCreated() throws IOException {
        try (LarderDirectory directory = open()) {
            failingOpenings.set(1);
            assertThatThrownBy(() -> Contents.write(directory, "file", 1, SMALL))
                    .hasMessageContaining("Too many open files");
            Contents.write(directory, "file", 1, SMALL);
            directory.sync(List.of("file"));
            checkWritten(SMALL);
        }
    }
}
