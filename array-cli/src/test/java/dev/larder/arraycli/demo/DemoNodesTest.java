package dev.larder.arraycli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The demo leaves nothing behind. */
final class DemoNodesTest {

    @Test
    void removesItsFolder() {
        Path directory;
        try (DemoNodes nodes = new DemoNodes(3, 3, 4 << 20)) {
            directory = nodes.directory();
            assertThat(directory.resolve("array.properties")).exists();
            assertThat(directory.resolve("node2/array.ctl")).exists();
        }
        assertThat(directory).doesNotExist();
    }

    /** Regression: with LARDER_SERVE_REQUIREPASS the nodes refused the demo, which waited for 300 s. */
    @Test
    void nodesDoNotInheritParameters() {
        Map<String, String> environment =
                new HashMap<>(Map.of("LARDER_SERVE_REQUIREPASS", "secret", "LARDER_SERVE_PORT", "1", "PATH", "/bin"));
        DemoNodes.removeParameters(environment);
        assertThat(environment).containsOnlyKeys("PATH");
    }

    @Test
    void startsNoNodeAfterIt() {
        DemoNodes nodes = new DemoNodes(1, 1, 4 << 20);
        nodes.close();
        assertThatThrownBy(() -> nodes.start(0))
                .isInstanceOf(LarderException.class)
                .hasMessage("the demo was stopped");
        nodes.close();
        assertThat(nodes.directory()).doesNotExist();
    }
}
