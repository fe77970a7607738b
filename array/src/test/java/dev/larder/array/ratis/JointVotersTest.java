package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members 0, 1 and 2 add member 3, or remove it. Their leader dies while both sets of voters count. */
@Tag(Effort.LONG)
final class JointVotersTest {

    private static final UUID STRIPE = new UUID(7, 7);
    private static final MemberName LEADER = new MemberName(0, 0);
    private static final MemberName CANDIDATE = new MemberName(1, 0);
    private static final MemberName OTHER = new MemberName(2, 0);
    private static final MemberName ADDED = new MemberName(3, 0);
    private static final Duration MOST = Duration.ofMinutes(1);

    /** A place in Ratis behind the append, and ahead of the answer. */
    private static final String APPENDED = "RaftServerImpl.appendEntries.logComplete";

    @TempDir
    Path directory;

    private final RaftMessages messages = new RaftMessages(STRIPE);
    private final List<StripePeer> four = peers(FreePorts.take(4));
    private final List<StripePeer> three = four.subList(0, 3);

    private static List<StripePeer> peers(List<InetSocketAddress> addresses) {
        return IntStream.range(0, addresses.size())
                .mapToObj(node -> new StripePeer(new MemberName(node, 0), addresses.get(node), false))
                .toList();
    }

    private RaftOptions options(MemberName member) {
        return RaftOptions.of(
                        member,
                        four.get(member.node()).address(),
                        directory.resolve(member.toString()),
                        Optional.empty())
                .withElection(Duration.ofMillis(600), Duration.ofMillis(1200));
    }

    private RaftNode open(MemberName member) {
        RaftNode raft = RaftNode.open(options(member), List.of(STRIPE), stripe -> new Register(() -> {}));
        raft.start();
        return raft;
    }

    private RaftNode openAdded() {
        RaftNode raft = open(ADDED);
        raft.join(STRIPE);
        return raft;
    }

    /** Waits until a member is no longer kept from voting. */
    private static void awaitVoter(RaftNode raft) {
        await().atMost(MOST).until(() -> {
            raft.tick();
            return raft.member(STRIPE).answer().isPresent();
        });
    }

    private void append(RaftServer.Division member, LogEntryProto entry) {
        assertThat(messages.append(LEADER, member, List.of(entry)))
                .succeedsWithin(MOST)
                .returns(AppendResult.SUCCESS, AppendEntriesReplyProto::getResult);
    }

    /** Ratis alone makes it a voter once a leader sends it the stable configuration. */
    @Test
    void aNewMemberVotesByTheJointConfiguration() throws IOException {
        RaftNode.make(options(ADDED), STRIPE);
        try (RaftNode raft = openAdded()) {
            RaftServer.Division division = raft.division(STRIPE);
            append(division, RaftMessages.voters(0, three, List.of()));
            raft.tick();
            append(division, RaftMessages.voters(1, four, three));
            assertThat(division.getInfo().isListener()).isTrue();

            awaitVoter(raft);
            assertThat(messages.votes(division, CANDIDATE, 2, 1)).isTrue();
            assertThat(messages.votes(division, OTHER, 2, 1)).isFalse();
            assertThat(raft.member(STRIPE).answer()).hasValue(2);
        }
    }

    /** Regression: that member never voted by the joint configuration. */
    @Test
    void aMemberForWhichNoThreadStartedVotesLater() {
        RaftNode.make(options(ADDED), STRIPE);
        Executor none = change -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        List<Executor> threads = new ArrayList<>(List.of(none, Runnable::run));
        JointVoters voters = new JointVoters(change -> threads.removeFirst().execute(change));
        try (RaftNode raft = openAdded()) {
            RaftServer.Division division = raft.division(STRIPE);
            append(division, RaftMessages.voters(0, three, List.of()));
            append(division, RaftMessages.voters(1, four, three));
            voters.add(STRIPE, division);
            assertThatThrownBy(voters::look).isInstanceOf(OutOfMemoryError.class);
            assertThat(division.getInfo().isListener()).isTrue();
            voters.look();
            assertThat(division.getInfo().isListener()).isFalse();
        }
    }

    /** Ratis alone waits for a leader before the member runs. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMemberOfOneSetVotesAfterItHasStartedAgain(boolean isAdded) throws IOException {
        RaftNode.make(options(ADDED), STRIPE);
        LogEntryProto joint = isAdded ? RaftMessages.voters(0, four, three) : RaftMessages.voters(0, three, four);
        try (RaftNode raft = openAdded()) {
            append(raft.division(STRIPE), joint);
            awaitVoter(raft);
            assertThat(messages.votes(raft.division(STRIPE), CANDIDATE, 2, 0)).isTrue();
        }
        try (RaftNode raft = openAdded()) {
            RaftServer.Division division = raft.division(STRIPE);
            assertThatThrownBy(() -> messages.votes(division, CANDIDATE, 2, 0))
                    .isInstanceOf(ServerNotReadyException.class);
            assertThat(raft.member(STRIPE).answer()).isEmpty();

            awaitVoter(raft);
            assertThat(raft.member(STRIPE).answer()).hasValue(2);
            assertThat(messages.votes(division, OTHER, 2, 0)).isFalse(); // it has kept its vote
            assertThat(messages.votes(division, OTHER, 3, 0)).isTrue();
        }
    }

    /** The leader reached one member and the new one. Ratis alone has no leader until the former one is back. */
    @Test
    void theOthersElectALeaderThoughTheirsDiedWhileItAddedAMember() {
        RaftNode.make(options(CANDIDATE), STRIPE);
        RaftNode.make(options(OTHER), STRIPE);
        RaftNode.make(options(ADDED), STRIPE);
        List<LogEntryProto> entries =
                List.of(RaftMessages.voters(0, three, List.of()), RaftMessages.voters(1, four, three));
        try (RaftNode candidate = open(CANDIDATE);
                RaftNode added = openAdded();
                RaftNode other = open(OTHER)) {
            candidate.add(STRIPE, three);
            for (RaftNode raft : List.of(candidate, added)) { // they elect no leader without the third
                entries.forEach(entry -> append(raft.division(STRIPE), entry));
            }
            other.add(STRIPE, three);

            List<RaftNode> all = List.of(candidate, other, added);
            await().atMost(MOST).until(() -> {
                all.forEach(RaftNode::tick);
                return candidate.member(STRIPE).isReady();
            });
            await().atMost(MOST)
                    .until(() -> all.stream()
                            .allMatch(raft ->
                                    raft.configurations().members(STRIPE).isStable()));
            assertThat(added.configurations().members(STRIPE).voters()).hasSize(4);
        }
    }

    /**
     * The stable configuration arrives while this class waits for the member's lock. The lock's holder waits for the listener's
     * election thread, which waits for the lock too. The order of threads is fixed.
     */
    @Test
    void aWaitForTheLockDoesNotKeepTicksFromEndingTheWaitOfItsHolder() {
        RaftNode.make(options(ADDED), STRIPE);
        try (RaftNode raft = openAdded()) {
            RaftServer.Division division = raft.division(STRIPE);
            append(division, RaftMessages.voters(0, four, three));
            Thread elections = FormerListenersTest.elections(division);
            CountDownLatch stable = new CountDownLatch(1);
            CompletableFuture<AppendEntriesReplyProto> reply = OtherThread.call(() -> {
                CompletableFuture<AppendEntriesReplyProto> replied;
                synchronized (division) {
                    awaitCount(stable);
                    replied = messages.append(LEADER, division, List.of(RaftMessages.voters(1, four, List.of())));
                }
                return replied.join();
            });
            await().atMost(MOST).until(() -> elections.getState() == Thread.State.BLOCKED);
            assertThat(OtherThread.run(raft::tick)).succeedsWithin(MOST);
            await().atMost(MOST).until(JointVotersTest::waitsForLock);
            assertThat(division.getInfo().isListener()).isTrue();

            stable.countDown();
            await().atMost(MOST).until(() -> {
                raft.tick();
                return reply.isDone();
            });
            assertThat(reply.join().getResult()).isEqualTo(AppendResult.SUCCESS);
            await().atMost(MOST).until(() -> !elections.isAlive() && !waitsForLock());
            assertThat(division.getInfo().isFollower()).isTrue();
        }
    }

    /** Regression: the member could vote in a later term, and then append and acknowledge the entries in the former one. */
    @Test
    void aMemberBecomesNoVoterWhileItAppends() {
        RaftNode.make(options(ADDED), STRIPE);
        try (RaftNode raft = openAdded()) {
            RaftServer.Division division = raft.division(STRIPE);
            RaftServer receiver = FollowerAppends.of(raft.server());
            append(division, RaftMessages.voters(0, three, List.of()));
            CountDownLatch isHeld = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            CodeInjectionForTesting.put(APPENDED, (local, remote, arguments) -> {
                if (division.getRaftConf().getLogEntryIndex() == 1) { // else it is a heartbeat
                    isHeld.countDown();
                    awaitCount(release);
                }
                return true;
            });
            CompletableFuture<AppendEntriesReplyProto> reply = OtherThread.call(
                    () -> messages.append(receiver, LEADER, division, List.of(RaftMessages.voters(1, four, three)))
                            .join());
            awaitCount(isHeld);
            raft.tick();
            await().atMost(MOST)
                    .until(() -> waitsForLock() || !division.getInfo().isListener());
            boolean isListener = division.getInfo().isListener();
            release.countDown();
            assertThat(isListener).isTrue();
            assertThat(reply).succeedsWithin(MOST).returns(AppendResult.SUCCESS, AppendEntriesReplyProto::getResult);
            awaitVoter(raft);
        } finally {
            CodeInjectionForTesting.remove(APPENDED);
        }
    }

    private static void awaitCount(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean waitsForLock() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread ->
                        thread.getName().equals(JointVoters.THREAD) && thread.getState() == Thread.State.BLOCKED);
    }
}
