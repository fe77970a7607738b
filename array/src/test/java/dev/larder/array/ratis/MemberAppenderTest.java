package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.array.slots.Membership;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIndex;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.Timestamp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs whose beginning is cut, and members that the leader takes for something else than they are. */
final class MemberAppenderTest {

    /** A follower reaches this once it has written entries, before it answers. */
    private static final String WRITTEN = "RaftServerImpl.appendEntries.logComplete";

    private static final Duration MOST = Duration.ofMinutes(1);
    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf(256);
    private static final int ENTRIES = 40;
    private static final int ENTRIES_OF_NOBODY = 20;

    @TempDir
    Path directory;

    private static void inShortSegments(RaftProperties properties) {
        Log.setSegmentSizeMax(properties, SEGMENT);
        Log.setPreallocatedSize(properties, SEGMENT);
    }

    /** Ratis alone tells the member for ever where the log begins, since there is no snapshot. */
    @Test
    @Tag(Effort.LONG)
    void aMemberThatHasTheLeadersFirstEntryGetsWhatFollowsOnceItsAppenderIsMadeAnew() {
        try (RegisterCluster cluster = new RegisterCluster(directory, MemberAppenderTest::inShortSegments)) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            increment(leader, ENTRIES);
            cut(leader, leader.log().getLastCommittedIndex() - 2);
            int follower = (leading + 1) % RegisterCluster.NODES;
            makeAnew(leader, follower);

            cluster.close((leading + 2) % RegisterCluster.NODES);
            increment(leader, ENTRIES); // only the follower can acknowledge them

            assertThat(cluster.node(follower).register().behind()).isEqualTo(-1);
            await().atMost(MOST)
                    .untilAsserted(
                            () -> assertThat(cluster.node(follower).register().value())
                                    .isEqualTo(leader.register().value()));
        }
    }

    /** Ratis alone waits for the next entry, and would not let the member lead before. */
    @Test
    @Tag(Effort.LONG)
    void aMemberHasWhatItHasCommittedThoughItsAnswerWasLost() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            increment(leader, 2);
            FollowerInfo member = followers(leader).getFirst().getFollower();
            long last = leader.log().getNextIndex() - 1;
            await().atMost(MOST).until(() -> member.getMatchIndex() == last && member.getCommitIndex() == last);

            forgetAnswers(member);
            await().atMost(MOST).until(() -> member.getMatchIndex() == last);
            assertThat(leader.log().getNextIndex()).isEqualTo(last + 1);
        }
    }

    /** Ratis alone waits for the next entry, and commits none before. */
    @Test
    void anEntryWhoseAnswersWereLostIsCommittedWithoutAnother() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            RegisterNode leader = cluster.node(cluster.leader());
            increment(leader, 1);
            List<LogAppender> appenders = followers(leader);
            long last = leader.log().getNextIndex();
            CodeInjectionForTesting.put(WRITTEN, (local, remote, none) -> {
                throw new IllegalStateException("the connection is lost");
            });
            try {
                var _ = leader.submit("");
                for (LogAppender appender : appenders) {
                    RaftLog there = cluster.node(
                                    MemberName.parse(appender.getFollowerId().toString())
                                            .node())
                            .log();
                    await().atMost(MOST).until(() -> there.getFlushIndex() == last);
                }
                await().atMost(MOST).until(() -> appenders.stream().allMatch(appender -> isSent(appender, last)));
            } finally {
                CodeInjectionForTesting.remove(WRITTEN);
            }
            await().atMost(MOST).until(() -> leader.log().getLastCommittedIndex() >= last);
        }
    }

    /**
     * Returns whether the leader counts an entry as sent to a follower. If not, it does from now on, unless a request is under
     * way.
     */
    private static boolean isSent(LogAppender appender, long entry) {
        boolean isSent = appender.getFollower().getNextIndex() == entry + 1
                && !((GrpcLogAppender) appender).hasPendingDataRequests();
        if (!isSent) {
            appender.getFollower().setNextIndex(entry + 1);
        }
        return isSent;
    }

    private static List<LogAppender> followers(RegisterNode leader) {
        return IntStream.range(0, RegisterCluster.NODES)
                .mapToObj(leader::appender)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Ratis alone looks for entries some hundred thousand times a second. */
    @Test
    @Tag(Effort.LONG)
    void anAppenderWithoutConnectionRestsWhileThereIsNothingToSend() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            increment(leader, 1);
            int follower = (leading + 1) % RegisterCluster.NODES;
            LogAppender appender = leader.appender(follower).orElseThrow();
            cluster.close(follower);

            long sent = appender.getCallId();
            Timestamp heartbeat = appender.getFollower().getLastHeartbeatSendTime();
            for (int heartbeats = 0; heartbeats < 3; heartbeats++) {
                Timestamp before = heartbeat;
                heartbeat = await().atMost(MOST)
                        .until(
                                () -> appender.getFollower().getLastHeartbeatSendTime(),
                                next -> next.compareTo(before) > 0);
            }
            assertThat(appender.getCallId() - sent).isLessThan(100);
        }
    }

    /** Events for the sake of the peers that are about to be added keep a leader from looking. */
    @Test
    @Tag(Effort.LONG)
    void aLeaderWhoseAppenderWasMadeAnewLeadsNoMoreOnceItIsAlone() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            int leading = cluster.leader();
            RegisterNode leader = cluster.node(leading);
            increment(leader, 1);
            LogAppender made = makeAnew(leader, (leading + 1) % RegisterCluster.NODES);

            long term = leader.member().term();
            cluster.closeOthers(leading);
            await().atMost(MOST)
                    .untilAsserted(
                            () -> assertThat(leader.member().leadsIn(term)).isFalse());
            assertThat(made.getLeaderState().isFollowerBootstrapping(made.getFollower()))
                    .isFalse(); // else it could not start again as a voter
        }
    }

    /** The member's log continues where the leader's begins, and holds entries that were never committed. */
    @Test
    @Tag(Effort.LONG)
    void aMemberWhoseLogPartsFromTheLeadersBeforeThatBeginsIsBehind() {
        try (RegisterCluster cluster = new RegisterCluster(directory, MemberAppenderTest::inShortSegments)) {
            int former = cluster.leader();
            RegisterNode alone = cluster.node(former);
            increment(alone, ENTRIES);
            long committed = alone.log().getLastCommittedIndex();
            cluster.closeOthers(former);
            for (int i = 0; i < ENTRIES_OF_NOBODY; i++) {
                var _ = alone.submit("");
            }
            await().atMost(MOST).until(() -> alone.log().getFlushIndex() == committed + ENTRIES_OF_NOBODY);
            cluster.close(former);

            for (int node = 0; node < RegisterCluster.NODES; node++) {
                if (node != former) {
                    cluster.open(node).start();
                }
            }
            RegisterNode leader = cluster.node(cluster.leader());
            increment(leader, ENTRIES);
            cut(leader, committed + ENTRIES_OF_NOBODY - 1);
            long first = leader.log().getStartIndex();
            assertThat(first).isBetween(committed + 2, committed + ENTRIES_OF_NOBODY);

            long term = leader.member().term();
            RegisterNode back = cluster.open(former);
            back.start();
            await().atMost(MOST)
                    .untilAsserted(() -> assertThat(back.register().behind()).isEqualTo(first)); // its log goes further
            LogBeginning told = back.register().told().orElseThrow();
            assertThat(told.leader()).isNotEqualTo(former).isBetween(0, RegisterCluster.NODES - 1);
            assertThat(told.term()).isBetween(term, back.member().term());
        }
    }

    /** Ratis alone takes the peer for one that has caught up. */
    @Test
    @Tag(Effort.LONG)
    void aPeerWhoseAppenderFailsIsNotAdded() {
        MemberName peer = new MemberName(RegisterCluster.NODES, 0);
        CodeInjectionForTesting.put(GrpcServicesImpl.GRPC_SEND_SERVER_REQUEST, (local, remote, sent) -> {
            if (sent[0] instanceof AppendEntriesRequestProto request
                    && RaftPeerId.valueOf(request.getServerRequest().getReplyId())
                            .equals(RaftNode.id(peer))) {
                throw new IllegalStateException("nothing can be sent to " + peer);
            }
            return true;
        });
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            RegisterNode leader = cluster.node(cluster.leader());
            Membership before = leader.members();
            Set<MemberName> more = new HashSet<>(before.voters());
            more.add(peer);
            CompletableFuture<Void> added = leader.change(
                    before, more, List.of(new StripePeer(peer, FreePorts.take(1).getFirst(), false)));
            assertThatThrownBy(() -> added.get(MOST.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ReconfigurationTimeoutException.class);
            assertThat(leader.members().voters()).isEqualTo(before.voters());
        } finally {
            CodeInjectionForTesting.remove(GrpcServicesImpl.GRPC_SEND_SERVER_REQUEST);
        }
    }

    private static void increment(RegisterNode leader, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(leader.increment()).isPresent();
        }
    }

    private static void cut(RegisterNode leader, long upTo) {
        assertThat(leader.log().purge(upTo)).succeedsWithin(MOST);
        assertThat(leader.log().getStartIndex()).isPositive();
    }

    /** Forgets the answers of the member, as if they had been lost with a connection. */
    private static void forgetAnswers(FollowerInfo member) {
        ((RaftLogIndex) RatisFields.get(member, "matchIndex"))
                .setUnconditionally(RaftLog.INVALID_LOG_INDEX, message -> {});
    }

    /** Makes an appender anew, as Ratis does once one has failed. */
    private static LogAppender makeAnew(RegisterNode leader, int follower) {
        LogAppender failed = leader.appender(follower).orElseThrow();
        failed.getLeaderState().restart(failed);
        return leader.appender(follower).orElseThrow();
    }
}
