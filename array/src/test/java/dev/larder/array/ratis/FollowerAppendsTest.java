package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower that stalls while it handles the entries of its leader, on real Raft. */
@Timeout(300)
final class FollowerAppendsTest {

    /** A place in Ratis behind the append, and ahead of the answer. */
    private static final String APPENDED = "RaftServerImpl.appendEntries.logComplete";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @AfterEach
    void end() {
        CodeInjectionForTesting.remove(APPENDED);
    }

    /** It would acknowledge the entries in the former term, though its vote did not count them. */
    @Test
    void aFollowerEntersNoLaterTermWhileItAppends() throws InterruptedException {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leader = cluster.leader();
            RegisterNode follower = cluster.node((leader + 1) % RegisterCluster.NODES);
            assertThat(cluster.node(leader).increment()).hasValue(1);
            await().atMost(PATIENCE).until(() -> follower.register().value() == 1);
            RaftServer.Division member = follower.division();
            long term = follower.member().term();
            CountDownLatch isHeld = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            LogEnd before = follower.end();
            CodeInjectionForTesting.put(APPENDED, (local, remote, arguments) -> {
                if (local.equals(member.getId()) && !follower.end().equals(before)) { // entries, and no heartbeat
                    isHeld.countDown();
                    awaitEnd(release);
                }
                return true;
            });
            assertThat(cluster.node(leader).increment())
                    .as("with the other follower")
                    .hasValue(2);
            assertThat(isHeld.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Thread standing = Thread.ofPlatform().start(() -> follower.stand(leader));
            await().atMost(PATIENCE)
                    .until(() -> standing.getState() == Thread.State.BLOCKED
                            || follower.member().term() > term);
            long heldTerm = follower.member().term();
            release.countDown();
            standing.join();
            assertThat(heldTerm).isEqualTo(term);
            CodeInjectionForTesting.remove(APPENDED);
            int later = cluster.leader();
            assertThat(cluster.node(later).increment()).hasValue(3);
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
