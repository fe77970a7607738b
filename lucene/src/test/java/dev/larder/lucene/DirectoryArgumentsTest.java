package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls with names and numbers that cannot be meant. */
final class DirectoryArgumentsTest {

    @TempDir
    Path folder;

    private static void write(Directory directory, String name, int value) throws IOException {
        try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
            output.writeInt(value);
        }
    }

    private static int read(Directory directory, String name) throws IOException {
        try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
            return input.readInt();
        }
    }

    private static void checkKeepsBoth(Directory directory) throws IOException {
        write(directory, "one", 1);
        write(directory, "two", 2);
        for (String source : new String[] {"one", "two"}) {
            assertThatExceptionOfType(FileAlreadyExistsException.class)
                    .isThrownBy(() -> directory.rename(source, "two"))
                    .withMessageContaining("two");
        }
        assertThat(read(directory, "one")).isEqualTo(1);
        assertThat(read(directory, "two")).isEqualTo(2);
        directory.rename("one", "three");
        assertThat(directory.listAll()).containsExactly("three", "two");
        assertThat(read(directory, "three")).isEqualTo(1);
    }

    /** As Lucene's own directory in memory does. */
    @Test
    void aFileInMemoryIsNotReplacedByARename() throws IOException {
        try (Directory lucene = new ByteBuffersDirectory();
                Directory own = LarderDirectory.inMemory(DirectoryOptions.defaults())) {
            checkKeepsBoth(lucene);
            checkKeepsBoth(own);
        }
    }

    /** As Lucene's own directory in a folder does. */
    @Test
    void aFileInAFolderIsReplacedByARename() throws IOException {
        try (Directory directory = LarderDirectory.open(folder)) {
            write(directory, "one", 1);
            write(directory, "two", 2);
            directory.rename("one", "two");
            assertThat(directory.listAll()).containsExactly("two");
            assertThat(read(directory, "two")).isEqualTo(1);
        }
    }

    @Test
    void aSkipBeyondTheEndIsAnEndOfFile() throws IOException {
        try (Directory directory = LarderDirectory.inMemory(DirectoryOptions.defaults())) {
            write(directory, "one", 7);
            try (IndexInput input = directory.openInput("one", IOContext.DEFAULT)) {
                input.skipBytes(1);
                for (long bytes : new long[] {4, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
                    assertThatExceptionOfType(EOFException.class)
                            .isThrownBy(() -> input.skipBytes(bytes))
                            .withMessageContaining(Long.toString(bytes));
                }
                assertThat(input.getFilePointer()).isEqualTo(1);
                input.skipBytes(3);
                assertThat(input.getFilePointer()).isEqualTo(4);
            }
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what the annotations forbid
    void optionsRefuseNullByName() {
        DirectoryOptions defaults = DirectoryOptions.defaults();
        names("budget", () -> defaults.withBudget(null));
        names("whenFull", () -> defaults.withWhenFull(null));
        names("loading", () -> defaults.withLoading(null));
        names("extensions", () -> defaults.withExtensions(null));
        names("progress", () -> defaults.withProgress(null));
        names("pageLocking", () -> defaults.withPageLocking(null));
    }

    private static void names(String what, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(what);
    }
}
