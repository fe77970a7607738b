package dev.larder.array.ratis;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Sends the log of a stripe to a member, as Ratis does. Ratis 3.3.0 does not continue in four cases:
 *
 * <ul>
 *   <li>An appender fails, and Ratis makes another one. As long as this node leads, Ratis then treats the member as one that is
 *       being added. So this class reports that the member has caught up.
 *   <li>An appender fails that sends to a peer which is about to be added. Ratis makes no other appender, and treats the peer as
 *       caught up: the peer would vote, and get nothing. So such an appender is silent until Ratis gives up the peer, or has
 *       added it after all. Only then does the appender fail, and Ratis makes another one.
 *   <li>A leader tells a member where its log begins, and the member answers that it has no snapshot. Ratis then repeats this for
 *       ever, though the member may have the first entry. So every second time, this class sends the entries after the first one
 *       instead. A member that lacks the first entry refuses them, and the leader repeats where its log begins.
 *   <li>A member gets the last entries, and its answer is lost with the connection. Ratis then waits for more entries, which may
 *       come late or never. Meanwhile the leader could not commit the entries, nor let the member lead. So this class sends the
 *       last entry again. A member refuses an entry that it has committed, but its answers to heartbeats report the commit.
 * </ul>
 *
 * <p>Without a connection and with nothing to send, Ratis looks for entries without a pause. This class waits for entries.
 */
final class MemberAppender extends GrpcLogAppender {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String CATCH_UP = "catchUp";
    private static final Duration SILENCE = Duration.ofMillis(100);

    /** The pauses after a failure. Ratis itself makes another appender at once, even if an entry stays unreadable. */
    private static final int RESTS = 10;

    /** Stands for the index of no entry. */
    private static final long NONE = -1;

    /**
     * When the member had last answered, at the time when the leader named the beginning of its log. Null if entries were sent
     * since.
     */
    private @Nullable Timestamp told;

    /** The last entry, if at the last check the member had been sent it without confirming it. */
    private long unanswered = NONE;

    MemberAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        super(server, state, follower);
        if (state.isFollowerBootstrapping(follower) && !isJoining(this)) {
            catchUp(follower);
        }
    }

    /** Returns whether a peer is not yet a member, but is about to be added. */
    static boolean isJoining(LogAppender appender) {
        return appender.getLeaderState().isFollowerBootstrapping(appender.getFollower())
                && appender.getServer()
                                .getRaftConf()
                                .getPeer(appender.getFollowerId(), RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)
                        == null;
    }

    private static void catchUp(FollowerInfo follower) {
        try {
            Method method = follower.getClass().getDeclaredMethod(CATCH_UP);
            method.setAccessible(true);
            method.invoke(follower);
        } catch (ReflectiveOperationException | RuntimeException e) { // it continues as with Ratis alone
            LOGGER.log(System.Logger.Level.WARNING, "cannot mark " + follower.getName() + " as caught up: " + e, e);
        }
    }

    /** Ratis calls this from its constructor on. */
    @Override
    public GrpcServicesImpl getServerRpc() {
        return DurablePromises.sender(getServer().getRaftServer().getServerRpc());
    }

    @Override
    public void run() throws IOException {
        try {
            super.run();
        } catch (IOException | RuntimeException | Error e) {
            if (isRunning() && isJoining(this)) {
                LOGGER.log(System.Logger.Level.WARNING, this + " has failed, and sends nothing: " + e, e);
            }
            if (isRunning() && isAwaited()) {
                throw e;
            }
        }
    }

    /** Waits for a while, and until the peer is added. Returns false if the appender is stopped meanwhile. */
    private boolean isAwaited() {
        try {
            for (int rests = 0; isRunning() && (rests < RESTS || isJoining(this)); rests++) {
                Thread.sleep(SILENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return isRunning();
    }

    /** Ratis calls this after each look for entries; at 0 it looks again at once. */
    @Override
    public long getWaitTimeMs() {
        long heartbeatMillis = getHeartbeatWaitTimeMs();
        return hasAppendEntries() || heartbeatMillis <= 0 ? super.getWaitTimeMs() : heartbeatMillis;
    }

    /** Ratis calls this each time before it sends a heartbeat or entries. */
    @Override
    public @Nullable TermIndex shouldNotifyToInstallSnapshot() {
        learnCommitted();
        sendUnansweredAgain();
        TermIndex first = super.shouldNotifyToInstallSnapshot();
        Timestamp answered = getFollower().getLastRpcResponseTime();
        if (first != null && hasAnswered(answered) && first.equals(getRaftLog().getTermIndex(first.getIndex()))) {
            getFollower().setNextIndex(first.getIndex() + 1);
            told = null;
            return null;
        }
        told = first == null ? null : answered;
        return first;
    }

    /**
     * A member commits only entries that are durable in its log, so it has them. Ratis alone learns that from answers to entries
     * only.
     */
    private void learnCommitted() {
        FollowerInfo member = getFollower();
        if (member.updateMatchIndex(member.getCommitIndex())) {
            getLeaderState().onFollowerSuccessAppendEntries(member);
        }
    }

    /**
     * Acts at the second look: an answer may be about to arrive. The log's first entry stays: no entry before it is known here.
     */
    private void sendUnansweredAgain() {
        long last = getFollower().getNextIndex() - 1;
        boolean isUnanswered = last > getFollower().getMatchIndex()
                && last == getRaftLog().getNextIndex() - 1
                && last > getRaftLog().getStartIndex()
                && !hasPendingDataRequests();
        if (isUnanswered && last == unanswered) {
            getFollower().setNextIndex(last);
        }
        unanswered = isUnanswered && last != unanswered ? last : NONE;
    }

    private boolean hasAnswered(Timestamp last) {
        Timestamp before = told;
        return before != null && last.compareTo(before) > 0;
    }
}
