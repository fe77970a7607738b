package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.MetadataProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.StateMachine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member whose log cannot be written, or is not synced yet, on real Raft. */
@Timeout(300)
final class FailedLogTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A leader sends entries again well within this time. */
    private static final Duration RETRIES = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    private RegisterCluster cluster;
    private int leading;
    private RegisterNode leader;
    private RegisterNode follower;

    /** All members have applied an entry. */
    @BeforeEach
    void start() {
        cluster = new RegisterCluster(directory, properties -> {});
        leading = cluster.leader();
        leader = cluster.node(leading);
        follower = cluster.node((leading + 1) % RegisterCluster.NODES);
        assertThat(leader.increment()).hasValue(1);
        await().atMost(PATIENCE).until(() -> follower.register().value() == 1);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Makes each later write of a log fail. */
    private static void breakOff(RaftLog log) throws IOException {
        Object output = RatisFields.get(RatisFields.get(log, "fileLogWorker"), "out");
        ((FileChannel) RatisFields.get(RatisFields.get(output, "out"), "fileChannel")).close();
    }

    /** Makes each later sync of a log wait until the returned future is completed. */
    private static CompletableFuture<Void> holdSyncs(RaftLog log) {
        CompletableFuture<Void> release = new CompletableFuture<>();
        Object worker = RatisFields.get(log, "fileLogWorker");
        StateMachine machine = (StateMachine) RatisFields.get(worker, "stateMachine");
        StateMachine.DataApi data = with(StateMachine.DataApi.class, machine.data(), "flush", release);
        RatisFields.set(worker, "stateMachine", with(StateMachine.class, machine, "data", data));
        return release;
    }

    /** Returns an object one of whose methods returns another result. */
    private static <T> T with(Class<T> type, T object, String method, Object result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) ->
                        called.getName().equals(method) ? result : called.invoke(object, arguments)));
    }

    /** Regression: the leader sent the entry again. The member acknowledged it, since the heap had it. */
    @Test
    void aFollowerAcknowledgesNoEntryThatIsNotSynced() {
        cluster.close((leading + 2) % RegisterCluster.NODES);
        long committed = leader.log().getLastCommittedIndex();
        CompletableFuture<Void> release = holdSyncs(follower.log());
        CompletableFuture<?> open = leader.submit("");
        await().atMost(PATIENCE).until(() -> follower.log().getNextIndex() > committed + 1);
        LogAppender sender =
                leader.appender((leading + 1) % RegisterCluster.NODES).orElseThrow();
        sender.getLeaderState().restart(sender); // the leader sends again
        await().during(RETRIES).atMost(PATIENCE).until(() -> leader.log().getLastCommittedIndex() == committed);
        release.complete(null);
        assertThat(open).succeedsWithin(PATIENCE);
    }

    /** The heap has the entries of a later leader, and the log is durable up to those that it has to cut off first. */
    @Test
    void aFollowerAcknowledgesNoEntryBeforeOthersAreCutOff() throws IOException {
        cluster.closeOthers((leading + 1) % RegisterCluster.NODES);
        RaftServer receiver = follower.receiver();
        RaftLog log = follower.log();
        TermIndex last = log.getLastEntryTermIndex();
        TermIndex cut = TermIndex.valueOf(follower.member().term() + 1, last.getIndex() + 1);
        TermIndex later = TermIndex.valueOf(cut.getTerm() + 1, cut.getIndex());
        assertThat(receiver.appendEntriesAsync(message(last, cut)))
                .succeedsWithin(PATIENCE)
                .matches(FailedLogTest::acknowledges);
        CompletableFuture<Void> release = holdSyncs(log);
        CompletableFuture<?> held =
                receiver.appendEntriesAsync(message(cut, TermIndex.valueOf(cut.getTerm(), cut.getIndex() + 1)));
        await().during(RETRIES).atMost(PATIENCE).until(() -> !held.isDone());
        CompletableFuture<AppendEntriesReplyProto> first = receiver.appendEntriesAsync(message(last, later));
        CompletableFuture<AppendEntriesReplyProto> again = receiver.appendEntriesAsync(message(last, later));
        assertThatThrownBy(() -> again.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasMessageContaining("does not acknowledge entry " + later.getIndex());
        assertThat(log.getLastEntryTermIndex()).isEqualTo(later);
        assertThat(log.getFlushIndex()).isEqualTo(later.getIndex());
        release.complete(null);
        assertThat(first).succeedsWithin(PATIENCE).matches(FailedLogTest::acknowledges);
        assertThat(receiver.appendEntriesAsync(message(last, later)))
                .succeedsWithin(PATIENCE)
                .matches(FailedLogTest::acknowledges);
    }

    /** Returns the message of a leader with one entry, in the entry's term. */
    private AppendEntriesRequestProto message(TermIndex previous, TermIndex entry) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(RaftNode.id(new MemberName(leading, 0)).toByteString())
                        .setReplyId(follower.division().getId().toByteString())
                        .setRaftGroupId(RaftGroupIdProto.newBuilder()
                                .setId(RaftGroupId.valueOf(RegisterNode.STRIPE).toByteString())))
                .setLeaderTerm(entry.getTerm())
                .setPreviousLog(previous.toProto())
                .addEntries(LogEntryProto.newBuilder()
                        .setTerm(entry.getTerm())
                        .setIndex(entry.getIndex())
                        .setMetadataEntry(MetadataProto.getDefaultInstance()))
                .build();
    }

    private static boolean acknowledges(AppendEntriesReplyProto reply) {
        return reply.getResult() == AppendResult.SUCCESS;
    }

    /** Regression: likewise. The entry was in no log. */
    @Test
    void aFollowerWhoseLogHasFailedAcknowledgesNoEntry() throws IOException {
        cluster.close((leading + 2) % RegisterCluster.NODES);
        long committed = leader.log().getLastCommittedIndex();
        breakOff(follower.log());
        CompletableFuture<?> open = leader.submit("");
        await().atMost(PATIENCE).until(() -> !follower.register().failures().isEmpty());
        await().during(RETRIES).atMost(PATIENCE).until(() -> leader.log().getLastCommittedIndex() == committed);
        assertThat(open.isDone() && !open.isCompletedExceptionally()).isFalse();
    }

    /** Regression: it went on, and kept all later entries in the heap. */
    @Test
    void aFollowerWhoseLogHasFailedEnds() throws IOException {
        breakOff(follower.log());
        assertThat(leader.increment()).as("with the other follower").hasValue(2);
        await().atMost(PATIENCE).until(() -> !follower.division().getInfo().isAlive());
        assertThat(follower.register().failures()).hasSize(1);
        assertThat(leader.increment()).hasValue(3);
    }

    /** Regression: its log was closed, and it seemed to run. The node's other logs were not cut any longer. */
    @Test
    void aLeaderWhoseLogHasFailedEnds() throws IOException {
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
