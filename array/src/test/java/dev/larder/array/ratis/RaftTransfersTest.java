package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LogAppender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transfers of a leadership that fail, on real Raft. */
@Timeout(300)
final class RaftTransfersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration MOST = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    /** Makes a leader forget the sender to a follower, as while it starts another. */
    private static void forget(RaftServer.Division leader, LogAppender sender) {
        Object state = ((AtomicReference<?>) RatisFields.get(RatisFields.get(leader, "role"), "leaderState")).get();
        Object senders = RatisFields.get(Objects.requireNonNull(state), "senders");
        assertThat(((List<?>) RatisFields.get(senders, "senders")).remove(sender))
                .isTrue();
    }

    /** Regression: Ratis refused all writes from then on. */
    @Test
    void aTransferThatFailsAtOnceDoesNotStopWrites() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            int next = (leading + 1) % RegisterCluster.NODES;
            RegisterNode leader = cluster.node(leading);
            assertThat(leader.increment()).hasValue(1);
            forget(leader.division(), leader.appender(next).orElseThrow());
            assertThat(leader.transfers().begin(RegisterNode.STRIPE, new MemberName(next, 0), MOST))
                    .succeedsWithin(PATIENCE)
                    .isEqualTo(false);
            await().atMost(PATIENCE)
                    .until(() -> cluster.node(cluster.leader()).increment().isPresent());
        }
    }
}
