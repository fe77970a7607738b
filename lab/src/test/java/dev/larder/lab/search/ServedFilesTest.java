package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServedFilesTest {

    @TempDir
    Path directory;

    private Path base;
    private Path own;

    @BeforeEach
    void files() throws IOException {
        base = Files.createDirectory(directory.resolve("base"));
        own = directory.resolve("own");
        Files.writeString(base.resolve("_0.cfs"), "words");
        Files.writeString(base.resolve("write.lock"), "");
    }

    /** A server deletes files that it has merged: the base must stay as it is. */
    @Test
    void whatIsDeletedThereStaysHere() throws IOException {
        ServedFiles.fill(own, base, false);
        assertThat(own.resolve("_0.cfs")).hasContent("words");
        Files.delete(own.resolve("_0.cfs"));
        assertThat(base.resolve("_0.cfs")).hasContent("words");
    }

    @Test
    void theLockIsNotShared() throws IOException {
        ServedFiles.fill(own, base, false);
        assertThat(own.resolve("write.lock")).doesNotExist();
    }

    @Test
    void aCopyIsAnotherFile() throws IOException {
        assertThat(ServedFiles.fill(own, base, true)).isEqualTo("copies");
        assertThat(own.resolve("_0.cfs")).hasContent("words");
        assertThat(Files.isSameFile(own.resolve("_0.cfs"), base.resolve("_0.cfs")))
                .isFalse();
    }
}
