package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that was added becomes a voter just when its election time-out has passed. */
final class FormerListenersTest {

    private static final UUID STRIPE = new UUID(6, 6);
    private static final MemberName LEADER = new MemberName(0, 0);
    private static final MemberName ADDED = new MemberName(1, 0);

    @TempDir
    Path directory;

    /** Sends the first message of a leader to a member that it has added: the configuration that has both. */
    private static CompletableFuture<AppendEntriesReplyProto> receive(
            RaftServer.Division division, List<InetSocketAddress> addresses) {
        List<StripePeer> both = List.of(
                new StripePeer(LEADER, addresses.getFirst(), false), new StripePeer(ADDED, addresses.getLast(), false));
        return new RaftMessages(STRIPE).append(LEADER, division, List.of(RaftMessages.voters(0, both, List.of())));
    }

    /** Returns the election thread of a listener or follower. */
    static Thread elections(RaftServer.Division division) {
        Thread[] threads = new Thread[2 * division.getThreadGroup().activeCount()];
        int count = division.getThreadGroup().enumerate(threads);
        return Stream.of(threads)
                .limit(count)
                .filter(thread -> thread.getName().contains("FollowerState"))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Ratis alone waits for ever, as this shows first. The order of threads is fixed: the receiving thread gets the lock first.
     */
    @Test
    void aListenerBecomesAVoterWhileItsElectionThreadWaitsForItsLock() {
        List<InetSocketAddress> addresses = FreePorts.take(2);
        RaftOptions options = RaftOptions.of(ADDED, addresses.getLast(), directory.resolve("raft"), Optional.empty())
                .withElection(Duration.ofMillis(300), Duration.ofMillis(600));
        RaftNode.make(options, STRIPE);
        try (RaftNode raft = RaftNode.open(options, List.of(STRIPE), stripe -> new Register(() -> {}))) {
            raft.start();
            raft.join(STRIPE);
            RaftServer.Division division = raft.division(STRIPE);
            assertThat(division.getInfo().isListener()).isTrue();
            Thread elections = elections(division);
            CompletableFuture<Thread> receiver = new CompletableFuture<>();
            CompletableFuture<AppendEntriesReplyProto> reply = OtherThread.call(() -> {
                CompletableFuture<AppendEntriesReplyProto> replied;
                synchronized (division) {
                    await().atMost(1, TimeUnit.MINUTES).until(() -> elections.getState() == Thread.State.BLOCKED);
                    receiver.complete(Thread.currentThread());
                    replied = receive(division, addresses);
                }
                return replied.join();
            });
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> division.getInfo().isFollower()
                            && receiver.join().getState() == Thread.State.WAITING
                            && elections.getState() == Thread.State.BLOCKED);
            assertThat(reply).isNotDone();

            await().atMost(1, TimeUnit.MINUTES).until(() -> {
                raft.tick();
                return reply.isDone();
            });
            assertThat(reply.join().getResult()).isEqualTo(AppendResult.SUCCESS);
            await().atMost(1, TimeUnit.MINUTES).until(() -> !elections.isAlive());
        }
    }
}
