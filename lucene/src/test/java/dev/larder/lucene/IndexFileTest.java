package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread opens a file that another thread has just forgotten: the mapping would never end. */
class IndexFileTest {

    private static final int LENGTH = 5000;

    @TempDir
    Path path;

    private Folder folder;

    @BeforeEach
    void open() throws IOException {
        Contents.put(path, "file", 1, LENGTH);
        folder = Folder.open(path, false);
    }

    @AfterEach
    void close() throws IOException {
        folder.close();
    }

    @Test
    void shouldMapNoFoundFileOnceItIsForgotten() throws IOException {
        IndexFile file = IndexFile.found("file", folder.identity("file"));
        file.delete();
        assertThat(file.openOnDisk(folder)).isEmpty();
    }

    @Test
    void shouldMapNoWrittenFileOnceItIsForgotten() throws IOException {
        IndexFile file = IndexFile.written("file");
        file.grow(LENGTH);
        file.delete();
        assertThat(file.openOnDisk(folder)).isEmpty();
        file.finish();
        assertThat(file.openOnDisk(folder)).isEmpty();
    }
}
