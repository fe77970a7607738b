package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.util.TimeDuration;
import org.apache.ratis.util.function.CheckedConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose process was stopped for long, on real Raft. */
@Timeout(300)
final class PauseTest {

    @TempDir
    Path directory;

    /** Regression: Ratis closed all members of a node that had stood for a minute, and none could be opened again. */
    @Test
    void aNodeThatStoodForAnHourGoesOn() throws IOException {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            assertThat(cluster.node(leading).increment()).hasValue(1);
            for (int node = 0; node < RegisterCluster.NODES; node++) {
                pauseHandler(cluster.node(node)).accept(TimeDuration.valueOf(1, TimeUnit.HOURS));
            }
            int next = cluster.leader();
            assertThat(cluster.node(next).increment()).hasValue(2);
        }
    }

    /** Returns what Ratis does when it finds that the process stood. */
    @SuppressWarnings("unchecked")
    private static CheckedConsumer<TimeDuration, IOException> pauseHandler(RegisterNode node) {
        Object monitor = RatisFields.get(node.server(), "pauseMonitor");
        return (CheckedConsumer<TimeDuration, IOException>) RatisFields.get(monitor, "handler");
    }
}
