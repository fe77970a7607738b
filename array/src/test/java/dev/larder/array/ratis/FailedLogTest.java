package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member whose log cannot be written, on real Raft. */
@Timeout(300)
final class FailedLogTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A leader sends entries again well within this time. */
    private static final Duration RETRIES = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    /** Makes each later write of a log fail. */
    private static void breakOff(RaftLog log) throws ReflectiveOperationException, IOException {
        Object output = field(field(log, "fileLogWorker"), "out");
        ((FileChannel) field(field(output, "out"), "fileChannel")).close();
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return Objects.requireNonNull(field.get(owner));
    }

    /** Regression: the leader sent the entry again. The member acknowledged it, since the heap had it. */
    @Test
    void aFollowerWhoseLogHasFailedAcknowledgesNoEntry() throws ReflectiveOperationException, IOException {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            RegisterNode follower = cluster.node((leading + 1) % RegisterCluster.NODES);
            assertThat(leader.increment()).hasValue(1);
            await().atMost(PATIENCE).until(() -> follower.register().value() == 1);
            cluster.close((leading + 2) % RegisterCluster.NODES);
            long committed = leader.log().getLastCommittedIndex();
            breakOff(follower.log());
            CompletableFuture<?> open = leader.submit("");
            await().atMost(PATIENCE).until(() -> !follower.register().failures().isEmpty());
            await().during(RETRIES).atMost(PATIENCE).until(() -> leader.log().getLastCommittedIndex() == committed);
            assertThat(open.isDone() && !open.isCompletedExceptionally()).isFalse();
        }
    }

    /** Regression: it went on, and kept all later entries in the heap. */
    @Test
    void aFollowerWhoseLogHasFailedEnds() throws ReflectiveOperationException, IOException {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            RegisterNode follower = cluster.node((leading + 1) % RegisterCluster.NODES);
            assertThat(leader.increment()).hasValue(1);
            await().atMost(PATIENCE).until(() -> follower.register().value() == 1);
            breakOff(follower.log());
            assertThat(leader.increment()).as("with the other follower").hasValue(2);
            await().atMost(PATIENCE).until(() -> !follower.division().getInfo().isAlive());
            assertThat(follower.register().failures()).hasSize(1);
            assertThat(leader.increment()).hasValue(3);
        }
    }

    /** Regression: its log was closed, and it seemed to run. The node's other logs were not cut any longer. */
    @Test
    void aLeaderWhoseLogHasFailedEnds() throws ReflectiveOperationException, IOException {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            assertThat(leader.increment()).hasValue(1);
            breakOff(leader.log());
            CompletableFuture<?> open = leader.submit("");
            await().dontCatchUncaughtExceptions() // Ratis' thread of the leader's events may end by one
                    .atMost(PATIENCE)
                    .until(() -> open.isDone() && !leader.division().getInfo().isAlive());
            assertThat(leader.register().failures()).hasSize(1);
            int next = cluster.leader();
            assertThat(next).isNotEqualTo(leading);
            assertThat(cluster.node(next).increment()).isPresent();
        }
    }
}
