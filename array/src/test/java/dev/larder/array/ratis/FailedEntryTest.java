package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member that cannot apply an entry, on real Raft. */
@Timeout(300)
final class FailedEntryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    /** Regression: the thread that applies entries never ended, and whoever closed the member waited for it for ever. */
    @Test
    void aMemberThatIsBeingClosedEnds() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode follower = cluster.node((leading + 1) % RegisterCluster.NODES);
            assertThat(cluster.node(leading).increment()).hasValue(1);
            await().atMost(PATIENCE).until(() -> follower.register().value() == 1);
            List<CompletableFuture<Void>> held = new ArrayList<>();
            for (int node = 0; node < RegisterCluster.NODES; node++) {
                held.add(cluster.node(node).register().holdWord());
            }
            try {
                var _ = cluster.node(leading).submit("word"); // its leader ends as well
                await().atMost(PATIENCE).until(() -> follower.register().isHolding());
                Thread closing =
                        Thread.ofPlatform().start(() -> follower.division().close());
                await().atMost(PATIENCE).until(() -> closing.getState() == Thread.State.WAITING);
                held.get((leading + 1) % RegisterCluster.NODES).complete(null);
                await().atMost(PATIENCE).until(() -> !closing.isAlive());
            } finally {
                held.forEach(each -> each.complete(null));
            }
            assertThat(follower.register().failures()).hasSize(1);
        }
    }
}
