package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.ForeignFileException;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a node that does not run. */
final class NodeFolderTest {

    @TempDir
    private Path directory;

    /** Makes a node; returns its options. */
    private ArrayOptions made() {
        return TestArray.made(directory, 0).options(0);
    }

    @Test
    void filesOfAnotherNodeOrArrayAreRefused() {
        ArrayOptions options = made();
        assertThatThrownBy(() -> ArrayNode.start(
                        ArrayOptions.of(new UUID(1, 1), 0, options.nodes(), options.directory()),
                        Configuration.defaults().with("port", "0")))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("array.ctl");
        assertThatThrownBy(() -> ArrayNode.start(
                        ArrayOptions.of(options.array(), 1, options.nodes(), options.directory()),
                        Configuration.defaults().with("port", "0")))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("of node 0");
    }

    @Test
    void aNodeIsMadeInAnEmptyFolder() {
        ArrayOptions options = made();
        assertThatThrownBy(() -> ArrayNode.create(options))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("empty folder");
    }
}
